# Who the workers, and the launcher of the flex template, are.
resource "google_service_account" "worker" {
  account_id   = "${var.prefix}-worker"
  display_name = "Palimpsest workers"
}

locals {
  worker = "serviceAccount:${google_service_account.worker.email}"
}

# What a Dataflow worker needs to talk to the service, and no more.
resource "google_project_iam_member" "worker" {
  project = var.project
  role    = "roles/dataflow.worker"
  member  = local.worker
}

# The template's launcher runs as the workers' account, and creates the job:
# roles/dataflow.worker may only take and report work.
resource "google_project_iam_member" "launcher" {
  project = var.project
  role    = "roles/dataflow.developer"
  member  = local.worker
}

resource "google_storage_bucket_iam_member" "notes" {
  bucket = var.notes_bucket
  role   = "roles/storage.objectViewer"
  member = local.worker
}

# Write, rename (which is copy and delete), list.
resource "google_storage_bucket_iam_member" "own" {
  for_each = google_storage_bucket.this
  bucket   = each.value.name
  role     = "roles/storage.objectAdmin"
  member   = local.worker
}

# This one secret only.
resource "google_secret_manager_secret_iam_member" "key" {
  secret_id = var.secret
  role      = "roles/secretmanager.secretAccessor"
  member    = local.worker
}

resource "google_artifact_registry_repository_iam_member" "images" {
  project    = split("/", var.image_repository)[1]
  location   = split("/", var.image_repository)[3]
  repository = split("/", var.image_repository)[5]
  role       = "roles/artifactregistry.reader"
  member     = local.worker
}
