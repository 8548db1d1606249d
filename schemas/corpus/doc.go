// Package corpus reads and writes annotated corpora: the layouts in which
// de-identification corpora are given out, and this project's own tables.
//
//	i2b2       a folder of i2b2 2014 XML files, one per record
//	i2b2-2006  in-line XML, <RECORD ID="1"><TEXT>... <PHI TYPE="DATE">...
//	brat       a folder of brat standoff pairs, NAME.txt and NAME.ann
//	text       a folder of plain .txt files, without annotations
//	marked     notes marked inline, as package model/phi/marked reads them
//	conll      a token and its BIO label a line; a sentence is a document
//	jsonl      JSON lines, one document a line: what training reads
//	parquet    a table of notes, with a table of gold spans or of findings
//
// Read yields the documents of a corpus one after the other, and a Writer takes
// them, so that a conversion holds one document at a time (one row group, where
// a table is concerned).
//
// Outside, in every format, offsets are Unicode code points; in a Document they
// are bytes of its UTF-8 text. Texts are kept as the corpora count them: a
// byte-order mark that begins a text is part of it, carriage returns stay, and
// leading line ends count. Only XML takes a liberty, because its readers do: a
// carriage return that stands in the file is read as a line feed, before
// offsets are counted.
//
// Paths are local or gs:// names, as package storage takes them. Errors name
// the file and the annotation (or the row), and never quote a text.
package corpus
