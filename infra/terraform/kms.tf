# One key encrypts buckets and what Dataflow stores by itself (shuffle, disks).
data "google_project" "this" {}

data "google_storage_project_service_account" "this" {}

resource "google_kms_key_ring" "this" {
  name     = var.prefix
  location = var.region
}

resource "google_kms_crypto_key" "data" {
  name            = "data"
  key_ring        = google_kms_key_ring.this.id
  rotation_period = "7776000s"

  lifecycle {
    prevent_destroy = true
  }
}

# Google's own agents use the key on behalf of buckets, Dataflow and its
# machines. No person and no worker needs it.
resource "google_kms_crypto_key_iam_member" "agents" {
  for_each = {
    storage  = data.google_storage_project_service_account.this.email_address
    dataflow = "service-${data.google_project.this.number}@dataflow-service-producer-prod.iam.gserviceaccount.com"
    compute  = "service-${data.google_project.this.number}@compute-system.iam.gserviceaccount.com"
  }
  crypto_key_id = google_kms_crypto_key.data.id
  role          = "roles/cloudkms.cryptoKeyEncrypterDecrypter"
  member        = "serviceAccount:${each.value}"
}
