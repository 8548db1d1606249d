package main

// system is one of the papers' systems, as it is built here.
type system struct {
	name   string
	models []string // whose spans are united; none for rules alone
	vote   bool     // or what more than half of them find
	job    bool     // with the rules, known identifiers and steps around it, as the job runs it
	paper  string   // its place there
	theirs string   // what the paper prints
	why    string   // ours differs
}

// systems are the rows of the tables. The first is what the others are compared with.
var systems = []system{
	{name: "BiLSTM-CRF", models: []string{"en-clinical-accurate"}, paper: "000, 2.2, table 3",
		theirs: "binary token over HIPAA's types, i2b2 2014: P 98.3, R 97.4, F1 97.8; MIMIC: 99.2, 99.3, 99.2",
		why: "i2b2 2014 has 790 records of one style to train on and its test part is of the same hands; here dev is of other authors, " +
			"half of it hard to read"},
	{name: "BiLSTM-CRF, 8-bit weights", models: []string{"en-clinical"}},
	{name: "BiLSTM-CRF, student", models: []string{"en-clinical-fast"}},
	{name: "BiLSTM-CRF, contextual string embeddings", models: []string{"en-contextual"}, paper: "004, 4.3, table 5 (Akbik et al. 2018)",
		theirs: "strict, Dutch notes: P 91.7, R 87.1, F1 89.3; i2b2 2014: 95.9, 86.9, 91.2; nursing notes: 88.6, 79.7, 83.9",
		why: "their language models have 2,048 units each way and read a billion words of others; ours are trained here, of 128 to 256 " +
			"units, on some millions of characters; model.json tells of both, and of the notes that the network saw"},
	{name: "Feature CRF", models: []string{"en-crf"}, paper: "000, 2.1, table 3; 004, table 5",
		theirs: "binary token over HIPAA's types, i2b2 2014: P 98.6, R 96.5, F1 97.5; strict (004): i2b2 P 95.2, R 79.6, F1 86.7; Dutch notes " +
			"91.9, 77.5, 84.1; nursing notes 91.4, 68.5, 78.3",
		why: "no parts of speech, no n-grams of three words, and no words that the training notes have " +
			"in PHI alone, so that the table can be given away; the papers' tables hold all names of their training notes, many of which come " +
			"again in test"},
	{name: "Feature CRF, EasyAdapt", models: []string{"en-crf-adapted"}, paper: "001, 3.3.3, table 8",
		theirs: "strict, N-GRID 2016, CRFs without rules: P 93.2, R 87.2, F1 90.1 with the 2014 notes as source; 93.6, 86.7, 90.0 with them " +
			"merely added; 92.9, 86.5, 89.6 without them",
		why: "source: 594 of the notes written for training; target: the examples' train part, 206 notes, whose authors are those of a part of " +
			"dev; 40 iterations"},
	{name: "Two CRFs: quantities, names", models: []string{"en-crf-quantities", "en-crf-names"}, paper: "001, 3.3.3, table 7",
		theirs: "strict, N-GRID 2016: P 93.2, R 87.2, F1 90.1",
		why: "trained on 400 of the 3,212 notes, 40 iterations; they leave ids to rules, which a row without rules misses; no word " +
			"embeddings, entity recogniser or semantic roles, for which nothing was to be had"},
	{name: "Sliding-window LSTM", models: []string{"en-window-lstm"}, paper: "002, 4.3, tables 6 and 8",
		theirs: "tokens of PHI: optometry notes P 43.2, R 43.2, F1 43.2; i2b2 2006: 83.7, 70.0, 73.6",
		why: "vectors of the training notes and of published texts (the paper's: 68,278 records, and Google's); trained on 1,000 notes for " +
			"four minutes; windows of 15 tokens, one every five (the paper does not say how far on the next one is); a form that has no " +
			"vector is known by its capitals, as no name of the training notes may be in the table"},
	{name: "Token SVM, linear, PHI or not", models: []string{"en-svm"}, paper: "003, 5.3",
		theirs: "tokens of PHI, 220 discharge summaries of i2b2 2006: P 97.4, R 93.5, F1 95.4",
		why: "trained on 400 notes; no link grammar, UMLS or MeSH, for which shape, lists and line context stand in; it tells no types, so " +
			"its strict scores mean nothing"},
	{name: "Token SVM, linear, by type", models: []string{"en-svm-types"}, paper: "003, 4 (Uzuner et al. 2008)",
		theirs: "Stat De-id, which it builds anew: P 98.5, R 95.2, F1 96.8",
		why:    "trained on few notes, one machine for each type against all else; the rest as in the row above"},
	{name: "Rules alone", paper: "004, 4.1, table 5 (DEDUCE)",
		theirs: "strict, Dutch notes: P 80.7, R 56.4, F1 66.4",
		why:    "DEDUCE knows name lists and the record's own patient; our rules are a safety net, written to be right where they speak"},
	{name: "CRF + BiLSTM-CRF", models: []string{"en-clinical-accurate", "en-crf"}, paper: "000, table 3",
		theirs: "binary token over HIPAA's types, i2b2 2014: P 97.9, R 97.8, F1 97.9; MIMIC: 98.8, 99.4, 99.1",
		why:    "as above; the network says what a span is where both find one"},
	{name: "CRF + student", models: []string{"en-clinical-fast", "en-crf"}},
	{name: "Vote: both networks and the CRF", models: []string{"en-clinical-accurate", "en-clinical-fast", "en-crf"}, vote: true},
	{name: "Rules + two CRFs", models: []string{"en-crf-quantities", "en-crf-names"}, job: true, paper: "001, table 7",
		theirs: "strict, N-GRID 2016, all steps: P 93.4, R 88.2, F1 90.7",
		why:    "this row has known identifiers, guards and the sweep too, as the job runs"},
	{name: "The job", models: []string{"en-clinical"}, job: true},
	{name: "The job, with the CRF beside the network", models: []string{"en-clinical", "en-crf"}, job: true},
}
