# What infra/dataflow/launch.sh and infra/schedule ask for.
output "staging" {
  value = "${local.staging}/staging"
}

output "released_bucket" {
  value = google_storage_bucket.this["released"].name
}

output "private_bucket" {
  value = google_storage_bucket.this["private"].name
}

output "template" {
  value = "gs://${google_storage_bucket.templates.name}/${google_storage_bucket_object.template.name}"
}

output "service_account" {
  value = google_service_account.worker.email
}

output "subnetwork" {
  value = "regions/${var.region}/subnetworks/${google_compute_subnetwork.this.name}"
}

output "kms_key" {
  value = google_kms_crypto_key.data.id
}

output "key" {
  description = "The reference of the secret key, not the key."
  value       = local.settings.key
}
