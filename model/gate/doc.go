// Package gate holds the thresholds that a site sets for its releases, and judges
// a release by them. It reads no notes: the job counts, and what people and other
// commands have found beforehand comes as their files.
package gate
