variable "project" {
  type = string
}

variable "region" {
  type = string
}

variable "prefix" {
  type = string
}

variable "notes_bucket" {
  description = "Bucket with a folder per night, named YYYY-MM-DD."
  type        = string
}

variable "worker_image" {
  type = string
}

# The outputs of infra/terraform, under the same names.
variable "template" {
  type = string
}

variable "service_account" {
  type = string
}

variable "subnetwork" {
  type = string
}

variable "kms_key" {
  type = string
}

variable "staging" {
  type = string
}

variable "released_bucket" {
  type = string
}

variable "private_bucket" {
  type = string
}

variable "key" {
  description = "The reference of the secret key, not the key."
  type        = string
  validation {
    condition     = can(regex("^gcp-secret:projects/", var.key))
    error_message = "Write gcp-secret:projects/P/secrets/S/versions/V. The key itself must not stand here."
  }
}

variable "schedule" {
  description = "In the form of cron, UTC."
  type        = string
  default     = "15 3 * * *"
}

variable "machine_type" {
  type    = string
  default = "n2-standard-8"
}

variable "max_workers" {
  type    = number
  default = 10
}
