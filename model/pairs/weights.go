package pairs

// Weights of the features, by make pairs: where a network tells its chance, and where none does.
var (
	seen = Features{
		1.519,  // bias
		1.077,  // no chance told
		2.676,  // lead above 0
		2.479,  // lead below 0
		0.473,  // lead below -4
		0.692,  // found by a rule
		1.104,  // found by the network
		0.952,  // note within 1 days
		0.750,  // note within 3 days
		0.754,  // note within 14 days
		0.163,  // note within 31 days
		-0.478, // note within 92 days
		-0.742, // note within 183 days
		0.000,  // note farther than 183 days
		-0.212, // note's day not told
		-0.394, // after the note's day
		1.572,  // date within 1 days
		1.223,  // date within 3 days
		0.589,  // date within 14 days
		-0.242, // date within 31 days
		-0.718, // date within 92 days
		-1.661, // date within 183 days
		0.006,  // date farther than 183 days
		-0.770, // no other date
		-2.859, // a day in the other order
		-1.200, // no day
		0.656,  // a number above 12
		-1.946, // fraction below one
		-2.817, // same numbers
		0.553,  // zero before the first
		0.390,  // zero before the second
		0.142,  // dash
		-0.807, // dash, ascending
		0.696,  // a date elsewhere in the text
		1.055,  // a date elsewhere in the patient's notes
		-0.240, // list, best
		0.103,  // list, worst
		-0.178, // line
		0.677,  // clause beside it
		-1.037, // scale
		0.741,  // starts a line
		-0.120, // behind a full stop
		0.125,  // behind a comma
		0.087,  // behind a bracket
		-0.270, // behind a colon
		-0.831, // behind = or >
		-0.564, // column
		0.175,  // clause ends
		-0.360, // colon
		0.467,  // open range
		0.227,  // before a number
		-0.220, // behind a number
		-1.237, // counts
		-0.302, // before =
		-0.488, // 24/7
		1.119,  // between dates
		-0.426, // mean lead
		-0.453, // second number 2
		-1.103, // second number 3
		-0.621, // second number 4
		-0.256, // second number 5
		-0.297, // second number 6
		-0.958, // second number 7
		0.022,  // second number 8
		0.585,  // second number 9
		-0.427, // second number 10
		0.356,  // second number 11
		0.464,  // second number 12
		0.396,  // second number 15
		0.218,  // second number 20
		-0.748, // second number 24
		-0.697, // second number 28
		0.319,  // second number 30
	}
	unseen = Features{
		2.028,  // bias
		-0.000, // no chance told
		0.000,  // lead above 0
		0.000,  // lead below 0
		0.000,  // lead below -4
		2.268,  // found by a rule
		3.082,  // found by the network
		1.750,  // note within 1 days
		1.517,  // note within 3 days
		1.347,  // note within 14 days
		0.344,  // note within 31 days
		-0.510, // note within 92 days
		-1.177, // note within 183 days
		0.000,  // note farther than 183 days
		-0.085, // note's day not told
		-0.409, // after the note's day
		0.915,  // date within 1 days
		0.498,  // date within 3 days
		0.215,  // date within 14 days
		-0.315, // date within 31 days
		-0.565, // date within 92 days
		-0.904, // date within 183 days
		0.018,  // date farther than 183 days
		0.137,  // no other date
		-3.707, // a day in the other order
		-5.048, // no day
		0.779,  // a number above 12
		-2.846, // fraction below one
		-3.170, // same numbers
		1.821,  // zero before the first
		0.709,  // zero before the second
		-1.575, // dash
		-2.049, // dash, ascending
		-0.183, // a date elsewhere in the text
		0.588,  // a date elsewhere in the patient's notes
		-0.408, // list, best
		0.204,  // list, worst
		-0.212, // line
		0.918,  // clause beside it
		0.000,  // scale
		3.053,  // starts a line
		0.848,  // behind a full stop
		0.390,  // behind a comma
		1.731,  // behind a bracket
		0.244,  // behind a colon
		-1.450, // behind = or >
		-0.544, // column
		0.646,  // clause ends
		2.074,  // colon
		2.288,  // open range
		0.944,  // before a number
		0.046,  // behind a number
		-1.834, // counts
		-0.574, // before =
		-1.560, // 24/7
		1.250,  // between dates
		-3.431, // mean lead
		-1.578, // second number 2
		-1.418, // second number 3
		-1.422, // second number 4
		-1.347, // second number 5
		-0.446, // second number 6
		-1.318, // second number 7
		0.375,  // second number 8
		0.552,  // second number 9
		-1.540, // second number 10
		2.036,  // second number 11
		-0.240, // second number 12
		0.604,  // second number 15
		0.103,  // second number 20
		-0.788, // second number 24
		-0.743, // second number 28
		-0.204, // second number 30
	}
)
