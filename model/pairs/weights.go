package pairs

// Weights of the features, by make pairs: where a network tells its chance, and where none does.
var (
	seen = Features{
		1.388,  // bias
		1.128,  // no chance told
		2.567,  // lead above 0
		2.426,  // lead below 0
		0.442,  // lead below -4
		0.645,  // found by a rule
		1.026,  // found by the network
		0.950,  // note within 1 days
		0.765,  // note within 3 days
		0.771,  // note within 14 days
		0.153,  // note within 31 days
		-0.472, // note within 92 days
		-0.746, // note within 183 days
		0.000,  // note farther than 183 days
		-0.208, // note's day not told
		-0.392, // after the note's day
		1.556,  // date within 1 days
		1.207,  // date within 3 days
		0.567,  // date within 14 days
		-0.254, // date within 31 days
		-0.723, // date within 92 days
		-1.632, // date within 183 days
		0.005,  // date farther than 183 days
		-0.727, // no other date
		-2.842, // a day in the other order
		-1.269, // no day
		0.700,  // a number above 12
		-1.967, // fraction below one
		-2.795, // same numbers
		0.586,  // zero before the first
		0.326,  // zero before the second
		0.079,  // dash
		-0.794, // dash, ascending
		0.720,  // a date elsewhere in the text
		1.058,  // a date elsewhere in the patient's notes
		0.528,  // clause beside it
		-1.073, // scale
		0.845,  // starts a line
		-0.104, // behind a full stop
		0.147,  // behind a comma
		0.170,  // behind a bracket
		1.194,  // behind an event
		-0.197, // behind a colon
		-0.783, // behind = or >
		-0.498, // column
		0.241,  // clause ends
		-0.295, // colon
		0.487,  // open range
		0.289,  // before a number
		-0.128, // behind a number
		-1.267, // counts
		-0.284, // before =
		1.100,  // between dates
		-0.509, // mean lead
		-0.425, // second number 2
		-1.129, // second number 3
		-0.627, // second number 4
		-0.238, // second number 5
		-0.293, // second number 6
		-0.962, // second number 7
		0.031,  // second number 8
		0.645,  // second number 9
		-0.443, // second number 10
		0.408,  // second number 11
		0.453,  // second number 12
		0.414,  // second number 15
		0.222,  // second number 20
		-0.749, // second number 24
		-0.678, // second number 28
		0.289,  // second number 30
	}
	unseen = Features{
		1.884,  // bias
		-0.000, // no chance told
		0.000,  // lead above 0
		0.000,  // lead below 0
		0.000,  // lead below -4
		2.038,  // found by a rule
		2.897,  // found by the network
		1.725,  // note within 1 days
		1.540,  // note within 3 days
		1.330,  // note within 14 days
		0.334,  // note within 31 days
		-0.502, // note within 92 days
		-1.174, // note within 183 days
		0.000,  // note farther than 183 days
		-0.080, // note's day not told
		-0.384, // after the note's day
		0.932,  // date within 1 days
		0.484,  // date within 3 days
		0.202,  // date within 14 days
		-0.324, // date within 31 days
		-0.555, // date within 92 days
		-0.905, // date within 183 days
		0.021,  // date farther than 183 days
		0.146,  // no other date
		-3.622, // a day in the other order
		-5.092, // no day
		0.837,  // a number above 12
		-2.841, // fraction below one
		-3.145, // same numbers
		1.880,  // zero before the first
		0.620,  // zero before the second
		-1.623, // dash
		-1.981, // dash, ascending
		-0.217, // a date elsewhere in the text
		0.621,  // a date elsewhere in the patient's notes
		0.632,  // clause beside it
		0.000,  // scale
		3.176,  // starts a line
		0.938,  // behind a full stop
		0.493,  // behind a comma
		1.808,  // behind a bracket
		2.353,  // behind an event
		0.344,  // behind a colon
		-1.338, // behind = or >
		-0.471, // column
		0.766,  // clause ends
		2.151,  // colon
		2.338,  // open range
		1.012,  // before a number
		0.123,  // behind a number
		-2.052, // counts
		-0.489, // before =
		1.224,  // between dates
		-3.514, // mean lead
		-1.592, // second number 2
		-1.458, // second number 3
		-1.433, // second number 4
		-1.377, // second number 5
		-0.481, // second number 6
		-1.346, // second number 7
		0.351,  // second number 8
		0.550,  // second number 9
		-1.575, // second number 10
		2.055,  // second number 11
		-0.263, // second number 12
		0.546,  // second number 15
		0.127,  // second number 20
		-0.789, // second number 24
		-0.826, // second number 28
		-0.225, // second number 30
	}
)
