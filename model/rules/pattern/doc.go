// Package pattern is what rules of all languages are made of: the rule itself,
// its candidates, and what their checks ask of the text around one. All offsets
// are bytes.
package pattern
