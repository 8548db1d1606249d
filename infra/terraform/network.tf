# A network without a way out: workers reach Google's services over private
# addresses, and each other. There is no NAT and no public address.
resource "google_compute_network" "this" {
  name                            = var.prefix
  auto_create_subnetworks         = false
  delete_default_routes_on_create = true
}

resource "google_compute_subnetwork" "this" {
  name                     = var.prefix
  network                  = google_compute_network.this.id
  ip_cidr_range            = "10.10.0.0/22"
  region                   = var.region
  private_ip_google_access = true

  log_config {
    aggregation_interval = "INTERVAL_10_MIN"
    metadata             = "INCLUDE_ALL_METADATA"
  }
}

locals {
  # restricted.googleapis.com: only services that VPC Service Controls cover.
  restricted = ["199.36.153.4", "199.36.153.5", "199.36.153.6", "199.36.153.7"]
  zones = {
    googleapis = "googleapis.com."
    registry   = "pkg.dev."
    gcr        = "gcr.io."
  }
}

resource "google_compute_route" "restricted" {
  name             = "${var.prefix}-restricted"
  network          = google_compute_network.this.id
  dest_range       = "199.36.153.4/30"
  next_hop_gateway = "default-internet-gateway"
}

resource "google_dns_managed_zone" "this" {
  for_each   = local.zones
  name       = "${var.prefix}-${each.key}"
  dns_name   = each.value
  visibility = "private"
  private_visibility_config {
    networks {
      network_url = google_compute_network.this.id
    }
  }
}

resource "google_dns_record_set" "restricted" {
  for_each     = local.zones
  managed_zone = google_dns_managed_zone.this[each.key].name
  name         = each.key == "googleapis" ? "restricted.googleapis.com." : each.value
  type         = "A"
  ttl          = 300
  rrdatas      = local.restricted
}

resource "google_dns_record_set" "all" {
  for_each     = local.zones
  managed_zone = google_dns_managed_zone.this[each.key].name
  name         = "*.${each.value}"
  type         = "CNAME"
  ttl          = 300
  rrdatas      = [each.key == "googleapis" ? "restricted.googleapis.com." : each.value]
}

# Dataflow's machines carry the tag dataflow.
resource "google_compute_firewall" "workers" {
  name        = "${var.prefix}-workers"
  network     = google_compute_network.this.id
  direction   = "INGRESS"
  source_tags = ["dataflow"]
  target_tags = ["dataflow"]
  allow {
    protocol = "tcp"
    ports    = ["12345-12346"]
  }
}

resource "google_compute_firewall" "out" {
  for_each = {
    google  = { ranges = ["199.36.153.4/30"], ports = ["443"] }
    workers = { ranges = [google_compute_subnetwork.this.ip_cidr_range], ports = ["12345-12346"] }
  }
  name               = "${var.prefix}-out-${each.key}"
  network            = google_compute_network.this.id
  direction          = "EGRESS"
  priority           = 1000
  destination_ranges = each.value.ranges
  allow {
    protocol = "tcp"
    ports    = each.value.ports
  }
}

resource "google_compute_firewall" "nothing_else" {
  name               = "${var.prefix}-out-deny"
  network            = google_compute_network.this.id
  direction          = "EGRESS"
  priority           = 65000
  destination_ranges = ["0.0.0.0/0"]
  deny {
    protocol = "all"
  }
}
