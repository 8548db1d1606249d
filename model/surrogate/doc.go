// Package surrogate writes what stands in a note in place of protected health
// information: names, places, numbers, contacts, ages and dates that are not
// the patient's, in the form of what they replace.
//
// A Keyring holds everything that is secret. A Patient plans all replacements
// of one patient: first it is told what is known (Know) and what was found
// (Observe), in any order, then it replaces mentions one by one (Replace). The
// same key, patient, knowledge and mention give the same bytes, in any process
// and on any day.
//
// Choices are keyed hashes (HMAC-SHA-256) of the patient and the normalised
// value, so they need no table, and the notes of another night get the same
// surrogates. A word of a name has one surrogate, whatever role or type a
// tagger gave it: it is a function of the key, the patient and the word. What
// else is known of the patient matters in few ways only: a surrogate is never
// a name known of the patient, nor a number known beforehand (taken.go), two
// words never share one (book.go), short forms
// and acronyms stand for a full name that is known, and initials for one that
// begins so; a word that the lists know as a family name alone gets a name of
// either kind where it is people's given name; and towns that no list has are of
// the country and region that postcodes, telephones and addresses tell. So a
// surrogate differs between two nights where the second night's notes bring its
// very surrogate as a real name or a known number, where a short form, an acronym or initials met
// their full name only then, or, for a town, where its state or country was told
// only then. A table that has the patient's names and address makes all of these
// rarer still.
//
// Two places, numbers or institutions may draw the same surrogate; nothing here
// can be turned back without trying values under the key.
//
// Errors and panics never hold a value from a note.
package surrogate
