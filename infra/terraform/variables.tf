variable "project" {
  description = "Id of the project that everything is made in."
  type        = string
}

variable "region" {
  description = "Region of buckets, keys, network and workers."
  type        = string
}

variable "prefix" {
  description = "Begins the names of what is made; bucket names must be free in all of Google Cloud."
  type        = string
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,20}$", var.prefix))
    error_message = "Write 2 to 21 small letters, digits and hyphens, beginning with a letter."
  }
}

variable "notes_bucket" {
  description = "Name of the existing bucket that holds the notes and the known identifiers. Workers may read it."
  type        = string
}

variable "secret" {
  description = "Short name of an existing secret in Secret Manager that holds the key. Its value is never in Terraform's state."
  type        = string
}

variable "secret_version" {
  description = "Number of the secret's version. Not latest: all workers of a job must have one key, and a release must be repeatable."
  type        = string
  validation {
    condition     = can(regex("^[0-9]+$", var.secret_version))
    error_message = "Write a number."
  }
}

variable "image_repository" {
  description = "Existing Artifact Registry repository of the images, as projects/P/locations/L/repositories/R."
  type        = string
  validation {
    condition     = can(regex("^projects/[^/]+/locations/[^/]+/repositories/[^/]+$", var.image_repository))
    error_message = "Write projects/P/locations/L/repositories/R."
  }
}

variable "launcher_image" {
  description = "Launcher image by digest (infra/docker, target launcher)."
  type        = string
}

variable "worker_image" {
  description = "Worker image by digest (infra/docker, target worker or worker-cuda), of the same build as the launcher."
  type        = string
}

variable "release_readers" {
  description = "Who may read what is released, as IAM members such as group:research@example.org."
  type        = list(string)
  default     = []
}

variable "private_days" {
  description = "Days after which quarantined rows and findings are deleted."
  type        = number
  default     = 90
}

variable "release" {
  description = "One job to run, for example a corpus release; null for none. settings are further parameters of infra/dataflow/metadata.json."
  type = object({
    name         = string
    input        = string
    machine_type = optional(string, "n2-standard-8")
    max_workers  = optional(number, 10)
    settings     = optional(map(string), {})
  })
  default = null
}
