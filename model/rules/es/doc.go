// Package es is the Spanish rules. What they do not define themselves, they
// take from the English ones.
package es
