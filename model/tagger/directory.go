package tagger

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// DescriptionFile is the file of a model directory that says what the others are.
const DescriptionFile = "model.json"

// FormatVersion is the layout of model directories that this program reads.
const FormatVersion = 1

// BiLSTMCRF is the kind of a model directory that names none: the first ones.
const BiLSTMCRF = "bilstm-crf"

// MostWidth bounds each dimension that model.json says, so that no product of some of them
// and the number of forms overflows.
const MostWidth = 1 << 16

// Description is what model.json says of a model of any kind.
type Description struct {
	FormatVersion int               `json:"format_version"`
	Kind          string            `json:"kind,omitempty"`
	Name          string            `json:"name"`
	Version       string            `json:"version"`
	Language      string            `json:"language"`
	Files         map[string]string `json:"files"` // file name -> SHA-256 in hex
}

// Directory is a model directory whose description was read.
type Directory struct {
	Description
	Raw    []byte // of model.json
	Digest string // its SHA-256, in hex; it covers every other file

	read func(name string) ([]byte, error)
}

// ReadDirectory reads the description of a model directory through readFile, which
// is given names such as "model.json".
func ReadDirectory(readFile func(name string) ([]byte, error)) (*Directory, error) {
	raw, err := readFile(DescriptionFile)
	if err != nil {
		return nil, fmt.Errorf("not a model directory: %w", err)
	}
	d := &Directory{Raw: raw, read: readFile}
	if err := json.Unmarshal(raw, &d.Description); err != nil {
		return nil, fmt.Errorf("%s: %w", DescriptionFile, err)
	}
	sum := sha256.Sum256(raw)
	d.Digest = hex.EncodeToString(sum[:])
	if d.FormatVersion != FormatVersion {
		return nil, fmt.Errorf("%s: format_version is %d, this program reads %d", DescriptionFile, d.FormatVersion, FormatVersion)
	}
	if d.Kind == "" {
		d.Kind = BiLSTMCRF
	}
	return d, nil
}

// File reads a file of the directory and checks its digest. A wrong one means a
// damaged or altered model, and tagging with it would not be what its card
// describes.
func (d *Directory) File(name string) ([]byte, error) {
	data, err := d.read(name)
	if err != nil {
		return nil, err
	}
	want, ok := d.Files[name]
	sum := sha256.Sum256(data)
	got := hex.EncodeToString(sum[:])
	switch {
	case !ok:
		return nil, fmt.Errorf("%s lists no digest of %s", DescriptionFile, name)
	case got != want:
		return nil, fmt.Errorf("%s: SHA-256 is %s, %s says %s: the file is damaged or was changed; fetch the model again, or write the new "+
			"digest if the change is yours", name, got, DescriptionFile, want)
	}
	return data, nil
}
