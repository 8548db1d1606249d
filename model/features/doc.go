// Package features says what the feature CRF and the token SVM see of a token:
// the word and its stem, case, shape and affixes, the words around it, the public
// lists that hold it, the line and the section that it stands in. They are those
// of Dernoncourt et al. 2017 (2.1), Lee et al. 2017 (3.2 and 3.3.3) and Trienes et
// al. 2020 (table 4), without parts of speech and clusters of words. Stems are those
// of the Snowball algorithms, by the library github.com/kljensen/snowball.
//
// A feature is a template with up to three parts, such as "@0=smith". Training
// reads the names, the job their hashes, and both come from the one Extractor
// here, so that they cannot differ. What a template's name begins with says whether it
// holds words: training keeps those alone that a model may hold (see templates and
// model/training/disclosure.py).
package features

// Version names the features. A table of weights holds those of one version.
const Version = 1
