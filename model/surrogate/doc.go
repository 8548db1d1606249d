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
// surrogates. What was found matters in two ways only: it tells given from
// family names, and a surrogate is never a name known of the patient. Two
// values may draw the same surrogate; nothing here can be turned back without
// trying values under the key.
//
// Errors and panics never hold a value from a note.
package surrogate
