package main

import "slices"

// sweep varies one thing about the input and keeps the rest.
type sweep struct {
	name  string
	axis  string // what x counts, with its unit
	quick []int  // values of x for a first look, within a minute or two
	full  []int  // for docs/scale.md
	shape func(x int) shape
	base  shape    // what is there whatever x is; one note where it is left out
	flags []string // of the job, besides the usual
}

// sweeps are in the order in which docs/scale.md tells of them.
var sweeps = []sweep{
	{
		name: "notes", axis: "notes of two lines",
		quick: []int{2_000, 4_000, 8_000}, full: []int{100, 1_000, 10_000, 100_000, 1_000_000},
		shape: func(x int) shape { return shape{Notes: x, Patients: max(x/8, 1), Short: true} },
	},
	{
		name: "patients", axis: "patients of 50,000 notes",
		quick: []int{50, 500, 5_000}, full: []int{5, 50, 500, 5_000, 50_000},
		shape: func(x int) shape { return shape{Notes: 50_000, Patients: x, Short: true} },
	},
	{
		name: "notes-per-patient", axis: "notes of one patient",
		quick: []int{500, 1_000, 2_000}, full: []int{2, 20, 200, 2_000, 20_000},
		shape: func(x int) shape { return shape{Notes: x, Patients: 1, OneLife: true} },
	},
	{
		name: "shared-id", axis: "notes of different people under one patient id",
		quick: []int{250, 500, 1_000}, full: []int{2, 20, 200, 2_000, 20_000},
		shape: func(x int) shape { return shape{Notes: x, Shared: x} },
	},
	{
		name: "note-length", axis: "bytes of each of 40 notes",
		quick: []int{1_000, 10_000, 100_000}, full: []int{200, 2_000, 20_000, 200_000, 2_000_000},
		shape: func(x int) shape { return shape{Notes: 40, Patients: 40, Bytes: x} },
	},
	{
		name: "spans-per-note", axis: "identifiers in each of 40 notes",
		quick: []int{40, 160, 640}, full: []int{4, 40, 400, 4_000, 40_000},
		shape: func(x int) shape { return shape{Notes: 40, Patients: 40, Spans: x} },
	},
	{
		name: "known-patients", axis: "patients in the table of known identifiers",
		quick: []int{100, 1_000, 10_000}, full: []int{100, 1_000, 10_000, 100_000, 1_000_000},
		shape: func(x int) shape { return shape{Notes: 20, Patients: 10, Short: true, Known: x, Each: 4} },
		base:  shape{Notes: 20, Patients: 10, Short: true},
	},
	{
		name: "known-names", axis: "known names of each of 10 patients",
		quick: []int{10, 100, 1_000}, full: []int{4, 40, 400, 4_000, 40_000},
		shape: func(x int) shape { return shape{Notes: 200, Patients: 10, Short: true, Known: 10, Each: x} },
		base:  shape{Notes: 200, Patients: 10, Short: true},
	},
	{
		name: "files", axis: "files of two notes",
		quick: []int{100, 300, 1_000}, full: []int{2, 20, 200, 2_000, 20_000},
		shape: func(x int) shape { return shape{Notes: 2 * x, Patients: x, Files: x, Short: true} },
	},
	{
		name: "file-size", axis: "bytes of one file, in MiB",
		quick: []int{32, 64, 128}, full: []int{64, 256, 1_024},
		shape: func(x int) shape {
			const payload = 64 << 10
			rows := x << 20 / payload
			return shape{Notes: rows, Patients: rows, Group: 512, Payload: payload, Short: true}
		},
	},
	{
		name: "row-groups", axis: "row groups of one file",
		quick: []int{100, 400, 1_600}, full: []int{1_000, 2_000, 4_000, 8_000},
		shape: func(x int) shape { return shape{Notes: 4 * x, Patients: x, Group: 4, Short: true} },
		// Cut as finely as it goes, as a large file would be.
		flags: []string{"--shard_mb", "1"},
	},
}

func sweepNamed(name string) (sweep, bool) {
	i := slices.IndexFunc(sweeps, func(s sweep) bool { return s.name == name })
	if i < 0 {
		return sweep{}, false
	}
	return sweeps[i], true
}
