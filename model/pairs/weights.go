package pairs

// Weights of the features, by make pairs: where a network tells its chance, and where none does.
var (
	seen = Features{
		1.484,  // bias
		1.087,  // no chance told
		2.651,  // lead above 0
		2.467,  // lead below 0
		0.451,  // lead below -4
		0.685,  // found by a rule
		1.054,  // found by the network
		0.961,  // note within 1 days
		0.754,  // note within 3 days
		0.772,  // note within 14 days
		0.162,  // note within 31 days
		-0.479, // note within 92 days
		-0.743, // note within 183 days
		0.000,  // note farther than 183 days
		-0.214, // note's day not told
		-0.413, // after the note's day
		1.562,  // date within 1 days
		1.205,  // date within 3 days
		0.575,  // date within 14 days
		-0.244, // date within 31 days
		-0.720, // date within 92 days
		-1.651, // date within 183 days
		0.005,  // date farther than 183 days
		-0.732, // no other date
		-2.845, // a day in the other order
		-1.242, // no day
		0.666,  // a number above 12
		-1.966, // fraction below one
		-2.831, // same numbers
		0.551,  // zero before the first
		0.411,  // zero before the second
		0.118,  // dash
		-0.822, // dash, ascending
		0.720,  // a date elsewhere in the text
		1.056,  // a date elsewhere in the patient's notes
		0.526,  // clause beside it
		-1.054, // scale
		0.760,  // starts a line
		-0.185, // behind a full stop
		0.085,  // behind a comma
		0.106,  // behind a bracket
		-0.255, // behind a colon
		-0.807, // behind = or >
		-0.537, // column
		0.181,  // clause ends
		-0.308, // colon
		0.478,  // open range
		0.260,  // before a number
		-0.179, // behind a number
		-1.222, // counts
		-0.294, // before =
		-0.496, // 24/7
		1.108,  // between dates
		-0.520, // mean lead
		-0.432, // second number 2
		-1.115, // second number 3
		-0.628, // second number 4
		-0.238, // second number 5
		-0.295, // second number 6
		-0.953, // second number 7
		0.014,  // second number 8
		0.623,  // second number 9
		-0.435, // second number 10
		0.366,  // second number 11
		0.470,  // second number 12
		0.414,  // second number 15
		0.215,  // second number 20
		-0.737, // second number 24
		-0.691, // second number 28
		0.296,  // second number 30
	}
	unseen = Features{
		2.020,  // bias
		0.000,  // no chance told
		0.000,  // lead above 0
		0.000,  // lead below 0
		0.000,  // lead below -4
		2.265,  // found by a rule
		3.077,  // found by the network
		1.753,  // note within 1 days
		1.520,  // note within 3 days
		1.350,  // note within 14 days
		0.351,  // note within 31 days
		-0.512, // note within 92 days
		-1.183, // note within 183 days
		0.000,  // note farther than 183 days
		-0.085, // note's day not told
		-0.412, // after the note's day
		0.911,  // date within 1 days
		0.494,  // date within 3 days
		0.206,  // date within 14 days
		-0.324, // date within 31 days
		-0.556, // date within 92 days
		-0.896, // date within 183 days
		0.018,  // date farther than 183 days
		0.147,  // no other date
		-3.706, // a day in the other order
		-5.058, // no day
		0.784,  // a number above 12
		-2.851, // fraction below one
		-3.173, // same numbers
		1.826,  // zero before the first
		0.711,  // zero before the second
		-1.579, // dash
		-2.048, // dash, ascending
		-0.197, // a date elsewhere in the text
		0.578,  // a date elsewhere in the patient's notes
		0.602,  // clause beside it
		0.000,  // scale
		3.061,  // starts a line
		0.803,  // behind a full stop
		0.379,  // behind a comma
		1.727,  // behind a bracket
		0.224,  // behind a colon
		-1.435, // behind = or >
		-0.533, // column
		0.653,  // clause ends
		2.082,  // colon
		2.260,  // open range
		0.948,  // before a number
		0.042,  // behind a number
		-1.827, // counts
		-0.560, // before =
		-1.561, // 24/7
		1.242,  // between dates
		-3.564, // mean lead
		-1.577, // second number 2
		-1.423, // second number 3
		-1.423, // second number 4
		-1.346, // second number 5
		-0.445, // second number 6
		-1.317, // second number 7
		0.374,  // second number 8
		0.557,  // second number 9
		-1.546, // second number 10
		2.032,  // second number 11
		-0.236, // second number 12
		0.599,  // second number 15
		0.103,  // second number 20
		-0.779, // second number 24
		-0.735, // second number 28
		-0.206, // second number 30
	}
)
