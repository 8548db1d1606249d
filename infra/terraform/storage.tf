# Three buckets, so that who may read one says nothing of the others.
#
# None has a retention policy: the job writes temporary files beside its output
# and deletes them once it is complete, which a policy would forbid. What is
# deleted or overwritten by mistake stays as an old version instead.
locals {
  buckets = {
    released = { versions = true, delete_days = null }
    private  = { versions = false, delete_days = var.private_days }
    staging  = { versions = false, delete_days = 7 }
  }
}

resource "google_storage_bucket" "this" {
  for_each = local.buckets

  name                        = "${var.prefix}-${each.key}"
  location                    = var.region
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"

  encryption {
    default_kms_key_name = google_kms_crypto_key.data.id
  }

  versioning {
    enabled = each.value.versions
  }

  # Deleted means deleted: quarantined notes must not linger, and temporary
  # files would only cost.
  soft_delete_policy {
    retention_duration_seconds = 0
  }

  dynamic "lifecycle_rule" {
    for_each = each.value.delete_days == null ? [] : [each.value.delete_days]
    content {
      action {
        type = "Delete"
      }
      condition {
        age = lifecycle_rule.value
      }
    }
  }

  dynamic "lifecycle_rule" {
    for_each = each.value.versions ? [90] : []
    content {
      action {
        type = "Delete"
      }
      condition {
        days_since_noncurrent_time = lifecycle_rule.value
      }
    }
  }

  depends_on = [google_kms_crypto_key_iam_member.agents]
}

resource "google_storage_bucket_iam_member" "readers" {
  for_each = toset(var.release_readers)
  bucket   = google_storage_bucket.this["released"].name
  role     = "roles/storage.objectViewer"
  member   = each.value
}
