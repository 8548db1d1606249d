// Package schemes has the labels that corpora and tools give to PHI, and the
// tables that lead from one to another: i2b2 2014 and 2006, HIPAA's Safe
// Harbor, N-GRID, MIMIC, NUT, DEDUCE, MEDDOCAN, and mappings of a site's own.
// Whoever reads or scores annotated corpora needs it; the job does not.
package schemes
