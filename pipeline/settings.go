package pipeline

// settingHelp explains each setting, by its flag.
var settingHelp = map[string]string{
	"config": "YAML file with any of these settings under the same names; a flag wins over the file. tables: (further tables without text, " +
		"docs/tables.md) can be given only here",
	"input": "Parquet files: paths, globs (quoted) or directories, comma separated; local, gs:// or s3://. A path with a " +
		"comma goes into the configuration file, as an item of a list",
	"output": "directory, or gs:// or s3:// prefix, for what may be released; it must not exist or be empty",
	"private": "folder, or gs:// or s3:// prefix, for what must never be released: quarantined rows and findings. Keep it outside the " +
		"folder that contains the output, so that nobody who copies or reads that folder takes it along",
	"private_beside_output": "accept a --private that lies below the folder in which the output lies",
	"identifiers": "Parquet of known identifiers, one row for each patient: patient_id and any of name, given_name, " +
		"family_name, birth_date, mrn, ssn, phone, email, address, relatives, doctors; --identifier_columns " +
		"says where columns have other names",
	"staff": "Parquet of the names of staff, looked for in all notes: given_name and family_name, or name; also " +
		"username and pager, if the table has them",
	"patient_links": "Parquet of patient ids that belong together: patient_id, linked_to, and link, which is same_person (a merged record: " +
		"released under the one id) or family (a newborn and the mother: released under two); dates move alike, and surrogates are the same",
	"document_id_column": "document id: a string or an integer, without duplicates",
	"patient_id_column":  "patient id; a note without one is its own patient; --patient_id_column= where the table has none",
	"text_column":        "text; several, comma separated",
	"note_date_column": "the note's own date, which incomplete dates in its text are read by (default: the date column " +
		"called note_date, or the only date column, unless its name says birth or death)",
	"date_columns": "date, timestamp or string columns that move by the patient's offset",
	"date_offset_column": "integer column with the days that the patient's dates move, in place of a keyed number; the same in " +
		"all of a patient's rows, never 0; left out of the output",
	"id_columns": "further columns to pseudonymise as ids are",
	"line_column": "integer column with a line's number in its note, where notes lie over several rows, such as Epic's LINE: the rows of " +
		"one " +
		"document id, which must lie in one file, are read as one note",
	"line_separator": "what is read between the lines of a note: none, where they were cut at any place; space or newline, where they lack " +
		"the blank or line end that they were cut at",
	"text_format": "auto: each text's own bytes say whether it is plain, HTML or RTF, and XML such as CDA and base64 go to quarantine; " +
		"plain, html, rtf: all texts are that",
	"drop_columns": "columns to leave out of the output",
	"keep_metadata": "keys of the files' own metadata that are released as they are; of the others, only the schemas of " +
		"Arrow, pandas and Spark are, without what people have attached to them (DataFrame.attrs, comments)",
	"identifier_columns": "what columns of --identifiers hold that are not called so: name=FULL_NAME,birth_date=DOB; REMARKS=- " +
		"leaves one out",
	"key": "where the secret key is: file:PATH (local, gs:// or s3://), env:NAME or gcp-secret:RESOURCE; at least 32 " +
		"bytes. palimpsest key new PATH makes one",
	"ids": "pseudonymise: document and patient ids become keyed pseudonyms, so that tables scrubbed apart still " +
		"join; keep: leave them",
	"policy": "what is done to each type: a YAML file, local, gs:// or s3:// (examples/policy.yaml shows one), or the name of a policy " +
		"that comes with the program: surrogate-shift (the default), safe-harbor, limited, research-professions",
	"replacement": "short for a policy of all types: surrogate: plausible other values; tag: [DOCTOR]; mask: characters of the same class",
	"consistency": "patient: a person has one surrogate in all notes of a patient; document: in each note alone; " +
		"markov: surrogates change by chance within a note, so that a name that was missed does not stand " +
		"out",
	"markov_change": "chance that a surrogate changes at the next mention under --consistency=markov",
	"doctors": "patient: a doctor has another surrogate in each patient's notes; institution: the same one " +
		"everywhere, so that a doctor's caseload can be studied, which may also give the doctor away",
	"hipaa_mode": "short for --policy. surrogate-shift: dates move, all else is replaced; safe-harbor: of dates the year stays, of ZIP " +
		"codes three digits, states and countries stay, and a date column becomes 1 January of its year; " +
		"limited: dates, ages, cities, states, ZIP codes and countries stay",
	"seed_epoch": "raise it to change every surrogate, date offset and pseudonym, as a new key would",
	"date_shift_policy": "weekday: multiples of seven days, so that weekdays stay true; season: those within four weeks of whole years, " +
		"so that seasons stay true too; plain: any number of days",
	"date_shift_scope": "patient: a patient's dates move together; document: each note and its row by themselves",
	"date_sentinels": "what happens to placeholders such as 9/9/9999 in texts and string columns: mask or keep; date " +
		"columns always keep them",
	"date_shift_min_days": "least days that a patient's dates move; fewer than 183 leave years alone (in 2014) as they are",
	"date_shift_days":     "most days that a patient's dates move; 0 for 1820, or 7300 under --date_shift_policy=season",
	"date_shift_direction": "past: dates move back, so that none that is past in its note comes to lie after the end of the extract; both: " +
		"either way",
	"extract_end": "last day of the extract, YYYY-MM-DD: the report counts dates that are released as of later, such as " +
		"appointments (default: each note's own day)",
	"day_order": "how 3/4/2014 is read where neither the patient's notes nor what is known of the patient tells: day_first, " +
		"month_first, or auto: month_first in English and day_first in other languages",
	"row_order": "auto: if the order of rows would give away how far dates moved, regroup rows by patient; otherwise leave files and rows " +
		"as they are. keep: always leave them. shuffle: always regroup",
	"findings": "write what was found where, without its text, below --private; --findings=false for nothing",
	"steps": "what is done besides the network, comma separated. rules: find by patterns; guards: keep medical terms that " +
		"only the network took for PHI; reconciliation: give the same words one type in all of a patient's notes; " +
		"sweep: look in all of a patient's notes for what was found in one of them",
	"model": "name of a shipped model, or a directory, or gs:// or s3:// prefix, that holds model.json. Shipped models lie " +
		"in models/ beside the program, or in the repository's onnx/models. Of several, with commas between them, the first says where spans " +
		"end and what they are, and what the others find besides is added; with vote: before their names, only what more than half of " +
		"them find counts",
	"allow": "YAML file, local, gs:// or s3://, of terms and expressions that are never replaced, such as the site's own clinics and " +
		"assays, " +
		"unless they are known identifiers of the patient; examples/allow.yaml shows one",
	"surrogate_lists": "a site's own names, towns, streets and institutions, which widen or replace those that surrogates are drawn from: a " +
		"file that ends in .txt, or a folder of such files; local, gs:// or s3://. examples/surrogate-lists.txt shows one",
	"site_rules": "YAML file, local, gs:// or s3://, with a site's own rules and word lists; examples/site-rules.yaml shows one",
	"execution_provider": "auto: CUDA where it works for the launcher, else the CPU, for all workers, and the report says which; cpu; cuda, " +
		"which stops the job where it does not work",
	"mixed_hardware": "let workers of different kinds take part: processors round differently, so that what is found in a note may " +
		"depend on " +
		"the worker that reads it. Without it, a worker on which the network gives other scores than for the launcher stops the job",
	"cuda_device":    "number of the GPU that the network runs on",
	"cuda_memory_mb": "megabytes of the GPU's memory that each of the network's two graphs may take; 0 for no limit",
	"onnxruntime": "libonnxruntime.so or its directory (default: $PALIMPSEST_ONNXRUNTIME, lib/ beside the program, the " +
		"repository's copy, the system's directories)",
	"recall": "balanced: the default; high: fewer identifiers are missed and more harmless text is replaced; maximum: besides what balanced " +
		"finds, what the network is in doubt about becomes a tag, such as [DOCTOR], except for measured values (docs/recall.md)",
	"recall_bias": "for experts, in place of --recall: how far to lean towards finding more: above 0 fewer identifiers are missed and more " +
		"harmless text " +
		"is replaced; 0 is the network's own judgement. In nats, taken from the score of \"no PHI\"",
	"shard_mb": "compressed megabytes of row groups per shard, the unit of work and of output files",
	"buckets": "least number of groups that patients are divided into; large inputs get one for each 20,000 notes. More groups need less " +
		"memory each",
	"workers":  "how many goroutines process notes, in each process; 0 for one per core",
	"batch_kb": "kilobytes of text that one goroutine tags at once",
	"positions": "how many tokens, padding included, go through the network at once; 0 for what suits the execution " +
		"provider",
	"window_cache_mb": "megabytes in which each process remembers what the network found in passages of notes, without their text, so that " +
		"copied text is not read again; 0 for none. It changes the speed, never the result",
	"max_note_mb": "longer texts go to quarantine",
	"log": "text: for people; json: a line of JSON for each event, with time, level, event and counts; the last one is the result, with the " +
		"exit status",
	"metrics": "file for the textfile collector of Prometheus's node exporter, written at the end of every run, successful or not; such as " +
		"PATH/palimpsest.prom",
	"verbose": "show the runner's own log",
	"worker_pool": "run no job, but serve workers to Flink's task managers, for jobs that are started with " +
		"--environment_type=EXTERNAL --environment_config=ADDRESS; see docs/flink.md",
	"worker_pool_address": "where the pool listens; whoever can connect to it can use it",
	"worker_pool_endpoints": "hosts, IP addresses or networks (10.0.0.0/8) of task managers whose workers the pool starts, " +
		"besides those on this machine's loopback interface",
	"keep_columns": "columns to release as they are; their values are looked at, and known identifiers, numbers or names in them " +
		"stop the job before anything is published. Dates have to be named one by one: one left as it is tells by how " +
		"much the others moved",
	"columns": "roles of columns, COLUMN=ROLE, comma separated, or in the configuration file a mapping. ROLE is one of text, " +
		"document_id, patient_id, note_date (moves too), date, offset, line, id, keep, drop; COLUMN may be a field of " +
		"a struct or list, written with dots",
	"preset": "roles for the columns of a usual table: omop-note, mimic-iv-note, i2b2 or fhir-documentreference, and for other tables " +
		"(docs/tables.md) omop-person, omop-visit, omop-measurement; what is said " +
		"of a column otherwise wins",
	"other_columns": "what becomes of columns without a role. refuse: the job does not begin, and says which and what may fit; drop: " +
		"they are left out; keep: they are released as they are, except dates, which have to be named",
	"accept_columns": "kept columns in which the taggers may find names without stopping the job, such as one of drugs called after " +
		"people",
	"state": "folder, private and kept for good, in which each night writes down what it has seen and found, without text and sealed: the " +
		"next takes new and changed notes alone, with all that is known of their patients, into a folder of its own below --output " +
		"(docs/nights.md)",
	"state_key": "the key of --state, as --key is named, and another than that: who has both keys and the state knows the names in all notes",
	"night": "name of this night's folder below --output and --private, such as 2024-01-31; give the same again when a night is repeated " +
		"(default: a digest of its input)",
	"withdrawn": "Parquet files of notes and patients that were withdrawn, by document_id or patient_id, or as the notes' columns are " +
		"called: they leave the release, and stay out",
	"reissue": "also release again those notes of tonight's input that would now read differently. Without it they are only counted, " +
		"and listed in reissue.parquet below --private",
	"accept_dated_batches": "accept a night whose notes span fewer than 28 days although dates are shifted: whoever knows the night can " +
		"work out the shift",
	"max_quarantined":         "most rows that may be in quarantine, in percent; above, nothing is published",
	"max_missing_identifiers": "most notes of patients whom the known identifiers do not name, in percent; above, nothing is published",
	"allow_empty":             "publish also where the input has no rows, as on a night without notes",
	"execution_mode_for_batch": "how Flink hands on what a stage has made. PIPELINED: as it comes; BATCH_FORCED: when the stage is done, " +
		"by files " +
		"of its own, so that of a lost worker only the work since then is done again",
	"language_check": "stop: notes that are mostly in another language than the model's stop the job before any work, as far as " +
		"a sample tells German, English, Spanish, French, Italian, Dutch and Portuguese apart; warn: only say so",
	"limit": "a trial run: only the first so many notes are processed, and the output is no release: it has _TRIAL in place of " +
		"_SUCCESS; 0 for all",
	"gate": "YAML file, local, gs:// or s3://, of thresholds for known identifiers left, copies that were " +
		"treated differently, what a second model finds, age and value of an estimate, canaries, and drift; a release that " +
		"fails one of them is not published; docs/gate.md",
	"release_date": "day of the release, YYYY-MM-DD: the report bears it, and the age of an estimate is counted up to it (default: none in " +
		"the " +
		"report, and today)",
	"flink_rest": "HOST:PORT of Flink's REST interface, which tells how far the job is and cancels it when you stop the command " +
		"(default: port 8081 of the host in --endpoint)",
}
