// Package en is the English rules: each family in a file of its own, the checks
// of its matches beside it in check_*.go.
package en
