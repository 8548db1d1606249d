package pairs

// Weights of the features, by make pairs: where a network tells its chance, and where none does.
var (
	seen = Features{
		1.386,  // bias
		1.128,  // no chance told
		2.566,  // lead above 0
		2.424,  // lead below 0
		0.444,  // lead below -4
		0.642,  // found by a rule
		1.024,  // found by the network
		0.950,  // note within 1 days
		0.765,  // note within 3 days
		0.771,  // note within 14 days
		0.153,  // note within 31 days
		-0.472, // note within 92 days
		-0.747, // note within 183 days
		0.000,  // note farther than 183 days
		-0.208, // note's day not told
		-0.391, // after the note's day
		1.555,  // date within 1 days
		1.206,  // date within 3 days
		0.566,  // date within 14 days
		-0.254, // date within 31 days
		-0.723, // date within 92 days
		-1.630, // date within 183 days
		0.005,  // date farther than 183 days
		-0.727, // no other date
		-2.816, // a day in the other order
		-1.264, // no day
		0.707,  // a number above 12
		-1.972, // fraction below one
		-2.798, // same numbers
		0.583,  // zero before the first
		0.325,  // zero before the second
		0.073,  // dash
		-0.793, // dash, ascending
		0.718,  // a date elsewhere in the text
		1.060,  // a date elsewhere in the patient's notes
		0.527,  // clause beside it
		-1.075, // scale
		0.842,  // starts a line
		-0.105, // behind a full stop
		0.148,  // behind a comma
		0.169,  // behind a bracket
		1.195,  // behind an event
		-0.197, // behind a colon
		-0.783, // behind = or >
		-0.494, // column
		0.241,  // clause ends
		-0.294, // colon
		0.488,  // open range
		0.291,  // before a number
		-0.129, // behind a number
		-1.266, // counts
		-0.284, // before =
		-0.504, // 24/7
		1.100,  // between dates
		-0.507, // mean lead
		-0.421, // second number 2
		-1.124, // second number 3
		-0.621, // second number 4
		-0.233, // second number 5
		-0.288, // second number 6
		-0.947, // second number 7
		0.037,  // second number 8
		0.651,  // second number 9
		-0.437, // second number 10
		0.413,  // second number 11
		0.460,  // second number 12
		0.409,  // second number 15
		0.221,  // second number 20
		-0.755, // second number 24
		-0.679, // second number 28
		0.290,  // second number 30
	}
	unseen = Features{
		1.873,  // bias
		0.000,  // no chance told
		0.000,  // lead above 0
		0.000,  // lead below 0
		0.000,  // lead below -4
		2.032,  // found by a rule
		2.894,  // found by the network
		1.725,  // note within 1 days
		1.539,  // note within 3 days
		1.329,  // note within 14 days
		0.333,  // note within 31 days
		-0.503, // note within 92 days
		-1.175, // note within 183 days
		0.000,  // note farther than 183 days
		-0.081, // note's day not told
		-0.383, // after the note's day
		0.930,  // date within 1 days
		0.484,  // date within 3 days
		0.200,  // date within 14 days
		-0.325, // date within 31 days
		-0.553, // date within 92 days
		-0.902, // date within 183 days
		0.020,  // date farther than 183 days
		0.147,  // no other date
		-3.594, // a day in the other order
		-5.079, // no day
		0.859,  // a number above 12
		-2.849, // fraction below one
		-3.150, // same numbers
		1.876,  // zero before the first
		0.617,  // zero before the second
		-1.637, // dash
		-1.973, // dash, ascending
		-0.219, // a date elsewhere in the text
		0.622,  // a date elsewhere in the patient's notes
		0.629,  // clause beside it
		0.000,  // scale
		3.174,  // starts a line
		0.935,  // behind a full stop
		0.496,  // behind a comma
		1.806,  // behind a bracket
		2.354,  // behind an event
		0.342,  // behind a colon
		-1.338, // behind = or >
		-0.467, // column
		0.764,  // clause ends
		2.150,  // colon
		2.336,  // open range
		1.012,  // before a number
		0.122,  // behind a number
		-2.053, // counts
		-0.493, // before =
		-1.561, // 24/7
		1.222,  // between dates
		-3.507, // mean lead
		-1.578, // second number 2
		-1.442, // second number 3
		-1.416, // second number 4
		-1.361, // second number 5
		-0.464, // second number 6
		-1.313, // second number 7
		0.368,  // second number 8
		0.567,  // second number 9
		-1.558, // second number 10
		2.072,  // second number 11
		-0.245, // second number 12
		0.538,  // second number 15
		0.124,  // second number 20
		-0.795, // second number 24
		-0.828, // second number 28
		-0.227, // second number 30
	}
)
