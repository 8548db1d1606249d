# Cloud Scheduler starts a workflow each night; the workflow works out the
# partition's date, which Scheduler cannot, and launches the flex template.
terraform {
  required_version = ">= 1.6"
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 6.0"
    }
  }
}

provider "google" {
  project = var.project
  region  = var.region
}

# May launch this template as the workers' account, and nothing else.
resource "google_service_account" "scheduler" {
  account_id   = "${var.prefix}-scheduler"
  display_name = "Starts Palimpsest each night"
}

resource "google_project_iam_member" "scheduler" {
  for_each = toset(["roles/dataflow.developer", "roles/workflows.invoker", "roles/logging.logWriter"])
  project  = var.project
  role     = each.value
  member   = "serviceAccount:${google_service_account.scheduler.email}"
}

resource "google_service_account_iam_member" "scheduler" {
  service_account_id = "projects/${var.project}/serviceAccounts/${var.service_account}"
  role               = "roles/iam.serviceAccountUser"
  member             = "serviceAccount:${google_service_account.scheduler.email}"
}

resource "google_workflows_workflow" "nightly" {
  name            = "${var.prefix}-nightly"
  region          = var.region
  service_account = google_service_account.scheduler.id
  source_contents = templatefile("${path.module}/workflow.yaml", {
    project         = var.project
    region          = var.region
    template        = var.template
    service_account = var.service_account
    subnetwork      = var.subnetwork
    kms_key         = var.kms_key
    staging         = var.staging
    machine_type    = var.machine_type
    max_workers     = var.max_workers
    notes_bucket    = var.notes_bucket
    released_bucket = var.released_bucket
    private_bucket  = var.private_bucket
    key             = var.key
    worker_image    = var.worker_image
  })
}

resource "google_cloud_scheduler_job" "nightly" {
  name      = "${var.prefix}-nightly"
  region    = var.region
  schedule  = var.schedule
  time_zone = "Etc/UTC"

  retry_config {
    retry_count          = 3
    min_backoff_duration = "60s"
  }

  http_target {
    http_method = "POST"
    uri         = "https://workflowexecutions.googleapis.com/v1/${google_workflows_workflow.nightly.id}/executions"
    headers     = { "Content-Type" = "application/json" }
    body        = base64encode(jsonencode({ argument = "{}" }))
    oauth_token {
      service_account_email = google_service_account.scheduler.email
    }
  }
}
