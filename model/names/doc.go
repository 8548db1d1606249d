// Package names holds what is known of names in general: particles, titles,
// degrees, nicknames, words that are names and words too, states and countries;
// how a name is cut into its parts; and how words are folded, so that case and
// diacritics do not tell two spellings apart.
package names
