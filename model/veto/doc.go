// Package veto filters false positives: spans that the network alone found
// where the text is medicine by its shape ("4/5" behind "strength") or by a
// phrase ("Rose bengal").
package veto
