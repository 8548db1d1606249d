# The flex template: a file that names the launcher image and its parameters.
resource "google_storage_bucket_object" "template" {
  # By content, as staging files are deleted with age and jobs must not change
  # under a name.
  name         = "template/palimpsest-${substr(sha256(local.template), 0, 12)}.json"
  bucket       = google_storage_bucket.templates.name
  content      = local.template
  content_type = "application/json"
}

resource "google_storage_bucket" "templates" {
  name                        = "${var.prefix}-templates"
  location                    = var.region
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  encryption {
    default_kms_key_name = google_kms_crypto_key.data.id
  }
  depends_on = [google_kms_crypto_key_iam_member.agents]
}

resource "google_storage_bucket_iam_member" "templates" {
  bucket = google_storage_bucket.templates.name
  role   = "roles/storage.objectViewer"
  member = local.worker
}

locals {
  template = jsonencode({
    image    = var.launcher_image
    sdkInfo  = { language = "GO" }
    metadata = jsondecode(file("${path.module}/../dataflow/metadata.json"))
  })
  staging = "gs://${google_storage_bucket.this["staging"].name}"
  # What every job has in common.
  settings = {
    key                = "gcp-secret:projects/${var.project}/secrets/${var.secret}/versions/${var.secret_version}"
    execution_provider = "cpu"
    disk_size_gb       = "50"
  }
}

# One release. Its output is gs://PREFIX-released/NAME; a job that failed is
# run again under the same name (terraform apply -replace=...), and completes
# what was begun.
resource "google_dataflow_flex_template_job" "release" {
  provider = google-beta
  count    = var.release == null ? 0 : 1

  name                    = var.release.name
  region                  = var.region
  container_spec_gcs_path = "gs://${google_storage_bucket.templates.name}/${google_storage_bucket_object.template.name}"
  service_account_email   = google_service_account.worker.email
  sdk_container_image     = var.worker_image
  machine_type            = var.release.machine_type
  max_workers             = var.release.max_workers
  network                 = google_compute_network.this.name
  subnetwork              = "regions/${var.region}/subnetworks/${google_compute_subnetwork.this.name}"
  ip_configuration        = "WORKER_IP_PRIVATE"
  kms_key_name            = google_kms_crypto_key.data.id
  staging_location        = "${local.staging}/staging"
  temp_location           = "${local.staging}/tmp"
  on_delete               = "cancel"

  parameters = merge(local.settings, {
    input   = var.release.input
    output  = "gs://${google_storage_bucket.this["released"].name}/${var.release.name}"
    private = "gs://${google_storage_bucket.this["private"].name}/${var.release.name}"
  }, var.release.settings)

  depends_on = [
    google_project_iam_member.worker,
    google_project_iam_member.launcher,
    google_storage_bucket_iam_member.notes,
    google_storage_bucket_iam_member.own,
    google_storage_bucket_iam_member.templates,
    google_secret_manager_secret_iam_member.key,
    google_artifact_registry_repository_iam_member.images,
    google_dns_record_set.all,
  ]
}
