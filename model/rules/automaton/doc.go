// Package automaton runs many regular expressions over a text at once: a lazy
// set-DFA whose states are the sets of instructions alive, over classes of
// runes, with its rows laid over one another. An expression is RE2 syntax; \b
// knows the words of Unicode. Walks are anchored and bounded, so a text costs
// time in proportion to its length, whatever it says.
package automaton
