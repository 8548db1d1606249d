package transforms

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// amid is a context of which somebody else does something when it is first asked for its
// error with a file of that pattern there.
type amid struct {
	context.Context
	pattern string
	do      func()
}

func (a *amid) Err() error {
	if found, _ := filepath.Glob(a.pattern); len(found) > 0 && a.do != nil {
		do := a.do
		a.do = nil
		do()
	}
	return a.Context.Err()
}

// A night comes to its end while another is between its look at the state and its pending
// head: the name of that head is free again, and is not to be had.
func TestANightEndsAmidAnothersCommit(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PALIMPSEST_TRANSFORMS_STATE_KEY", "the key of the tests' states, of fifty bytes, too")
	at := func(name string) (Config, *head) {
		cfg := Config{Where: Where{State: filepath.Join(dir, "state"), StateKey: "env:PALIMPSEST_TRANSFORMS_STATE_KEY",
			Output: filepath.Join(dir, name), Private: filepath.Join(dir, name+"-private")}, What: What{Nights: &Nights{Night: name}}}
		sum := sha256.Sum256([]byte(name))
		return cfg, &head{Format: stateFormat, Generation: 1, Night: name, Success: storage.Join(cfg.Output, SuccessFile),
			Manifest: hex.EncodeToString(sum[:]), Buckets: 1}
	}
	first, firstHead := at("first")
	second, secondHead := at("second")
	keys, err := stateKeys(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	publish := func(cfg Config) {
		write(t, filepath.Join(cfg.Output, ManifestFile), cfg.Nights.Night)
		write(t, filepath.Join(cfg.Output, SuccessFile), "")
	}
	ended := false
	// The file that is renamed to be the pending head has a name of 16 digits.
	ctx := &amid{t.Context(), filepath.Join(dir, "state", TemporaryFolder, "000001", strings.Repeat("[0-9a-f]", 16)), func() {
		if err := prepareHead(t.Context(), first, keys, firstHead); err != nil {
			t.Error(err)
		}
		publish(first)
		if generation, err := settle(t.Context(), keys, first.State); err != nil || generation != 1 {
			t.Errorf("generation %d: %v", generation, err)
		}
		ended = true
	}}
	if err := prepareHead(ctx, second, keys, secondHead); !errors.Is(err, ErrStateTaken) || !ended {
		t.Errorf("the second night: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "state", pendingPrefix+"*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	n := &night{keys: keys, head: &head{}}
	publish(second) // had it gone on nevertheless
	if err := n.finish(t.Context(), second); !errors.Is(err, ErrStateTaken) {
		t.Errorf("the second night's end: %v", err)
	}
	if err := n.finish(t.Context(), first); err != nil {
		t.Error(err)
	}
}

// A head that could not be read again is not written.
func TestHeadsAreBounded(t *testing.T) {
	t.Setenv("PALIMPSEST_TRANSFORMS_STATE_KEY", "the key of the tests' states, of fifty bytes, too")
	cfg := Config{Where: Where{State: t.TempDir(), StateKey: "env:PALIMPSEST_TRANSFORMS_STATE_KEY"}, What: What{Nights: &Nights{}}}
	keys, err := stateKeys(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	h := &head{Format: stateFormat, Generation: 1, Withdrawn: make([]history.Hash, maxHead/35)}
	if err := prepareHead(t.Context(), cfg, keys, h); fault.Of(err) != fault.Refused {
		t.Errorf("%d withdrawn: %v", len(h.Withdrawn), err)
	}
	h.Withdrawn = h.Withdrawn[:maxHead/36]
	if err := h.fits(cfg.State); err != nil {
		t.Error(err)
	}
}
