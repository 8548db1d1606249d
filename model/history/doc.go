// Package history is what nights remember of earlier ones, on plain structs:
// which rows were seen and what became of them, without text ([Entry]), what was
// found in each patient's notes ([Patient]), and what tonight's rows call for
// ([Join], [Entry.Decide]). Files and shuffles are the callers'.
//
// Nothing that can be read is in an Entry: ids, rows and texts are keyed hashes
// ([Keys]), but for the pseudonym under which a note was released. What was found
// in notes is kept sealed.
package history
