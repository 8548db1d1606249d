package transforms

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// A state is a folder of what nights remember. A night writes files of its own and,
// last, a head, head-NNNNNN.json, that names all files that are valid from then on:
// by their SHA-256, and with a MAC of its own. Heads are numbered and never changed;
// the highest holds. What no head names is of a night that did not come to its end.
//
// A night's output and the state are two places, and its _SUCCESS is what makes both
// valid: the head is there before it as a pending one; see state_pending.go.
const (
	stateNights  = "nights" // files of each night, in a folder of its generation
	stateWork    = "work"   // what was found in shards of a night that is not done, likewise
	headPrefix   = "head-"
	stateFormat  = 1
	maxHead      = 64 << 20
	maxStateFile = 8 << 30
)

// head is the root of a state.
type head struct {
	Format     int
	Generation int
	Night      string         // its name
	Success    string         // _SUCCESS of its output
	Manifest   string         // SHA-256 of the manifest beside it: of this night, and no other there
	Buckets    int            // that patients are in
	Release    string         // key, epoch and setting of ids that the release is made with
	What       history.Hash   // what else the release is made by, but for taggers and known identifiers
	Detector   history.Short  // what the findings are made by
	IDs        string         `json:",omitempty"` // of which type released ids are
	History    []statePart    // sealed schemas.HistoryBatch, by bucket
	Entries    []statePart    // sealed schemas.NightBatch, oldest first
	Withdrawn  []history.Hash // of documents and of patients
	Seen       []seenFile     // wholly, by the state as it is
	Nights     []history.NightCounts
}

// statePart is a sealed file.
type statePart struct {
	Bucket int `json:",omitempty"`
	File   string
	SHA256 string
}

// seenFile is an input file all of whose rows were seen.
type seenFile struct {
	Name    history.Hash
	Version history.Hash
}

// signed is a head as it is stored.
type signed struct {
	MAC  string
	Head json.RawMessage
}

// Nights says in What of a job with a state which state it began with, and what it
// is to do. Its being there decides what is released.
type Nights struct {
	StateKeyID string `json:"state_key_id"`
	Generation int    `json:"generation"` // of the state, before; 0 for none
	State      string `json:"state_mac"`
	Reissue    bool   `json:"reissue"`
	Withdrawn  string `json:"withdrawn_sha256,omitempty"`
	Night      string `json:"night"`
}

// stateKeys opens the state's keys.
func stateKeys(ctx context.Context, cfg Config) (*history.Keys, error) {
	secret, err := ResolveKey(ctx, cfg.StateKey)
	if err != nil {
		return nil, fmt.Errorf("--state_key: %w", err)
	}
	keys, err := history.NewKeys(secret)
	if err != nil {
		return nil, fmt.Errorf("--state_key=%s: %w", PrintableKey(cfg.StateKey), err)
	}
	if cfg.Nights != nil && cfg.Nights.StateKeyID != "" && keys.ID() != cfg.Nights.StateKeyID {
		return nil, fmt.Errorf("--state_key=%s: this worker finds the key of id %s, the job was started with %s; give all workers one key",
			PrintableKey(cfg.StateKey), keys.ID(), cfg.Nights.StateKeyID)
	}
	return keys, nil
}

func headName(dir string, generation int) string {
	return storage.Join(dir, fmt.Sprintf("%s%06d.json", headPrefix, generation))
}

// ofGeneration names a file that one night writes, as seen from the state.
func ofGeneration(folder string, generation int, name string) string {
	return fmt.Sprintf("%s/%06d/%s", folder, generation, name)
}

// newestHead returns the highest generation that has a head, 0 for none.
func newestHead(ctx context.Context, dir string) (generation int, err error) {
	infos, err := storage.Glob(ctx, storage.Join(storage.Literal(dir), headPrefix+"*.json"))
	if err != nil {
		return 0, err
	}
	for _, info := range infos {
		number, _ := strings.CutPrefix(storage.Base(info.Name), headPrefix)
		if n, err := strconv.Atoi(strings.TrimSuffix(number, ".json")); err == nil {
			generation = max(generation, n)
		}
	}
	return generation, nil
}

// readHead reads a head, or a pending one, and checks that the key made it.
func readHead(ctx context.Context, keys *history.Keys, name string) (*head, string, error) {
	raw, err := storage.ReadFile(ctx, name, maxHead)
	if err != nil {
		return nil, "", err
	}
	var s signed
	h := &head{}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, "", fmt.Errorf("%s: it is damaged", name)
	}
	if s.MAC != keys.MAC("head", s.Head) {
		return nil, "", fmt.Errorf("%s: it was made with another --state_key than this, of id %s, or is damaged", name, keys.ID())
	}
	if err := json.Unmarshal(s.Head, h); err != nil || h.Format != stateFormat {
		return nil, "", fmt.Errorf("%s: it is of another version of this program", name)
	}
	return h, s.MAC, nil
}

// headBefore returns the head that a night begins with, nil for none.
func (c Config) headBefore(ctx context.Context) (*head, *history.Keys, error) {
	if !c.remembers() || c.Nights.Generation == 0 {
		return nil, nil, nil
	}
	keys, err := stateKeys(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	h, _, err := readHead(ctx, keys, headName(c.State, c.Nights.Generation))
	if err != nil {
		return nil, nil, fmt.Errorf("--state: %w", err)
	}
	return h, keys, nil
}

func (h *head) signed(keys *history.Keys) []byte {
	raw := h.raw()
	all, err := json.Marshal(signed{keys.MAC("head", raw), raw})
	if err != nil {
		panic(err) // strings only
	}
	return all
}

// fits refuses a head that could not be read again. What is added to it after this is
// little.
func (h *head) fits(dir string) error {
	if n := len(h.raw()); n > maxHead-4096 {
		return fault.Mark(fault.Refused, fmt.Errorf("--state=%s: its head would have %d bytes, and may have %d: %d notes and patients are "+
			"withdrawn, and %d files remembered. Withdraw a patient's notes by patient_id, or begin a new release with another --state, from "+
			"notes without those that were withdrawn", dir, n, maxHead, len(h.Withdrawn), len(h.Seen)))
	}
	return nil
}

func (h *head) mac(keys *history.Keys) string { return keys.MAC("head", h.raw()) }

func (h *head) raw() []byte {
	raw, err := json.Marshal(h)
	if err != nil {
		panic(err) // numbers and strings only
	}
	return raw
}

// published reports whether the output of a pending head's night came to its end.
func (h *head) published(ctx context.Context) (bool, error) {
	if there, err := exists(ctx, h.Success); err != nil || !there {
		return false, err
	}
	raw, err := storage.ReadFile(ctx, storage.Join(storage.Dir(h.Success), ManifestFile), 1<<30)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	sum := sha256.Sum256(raw)
	return err == nil && hex.EncodeToString(sum[:]) == h.Manifest, err
}

// writeSealed seals data for a place and writes it to a file of the night's own. Its
// name tells its content, so that the same night makes the same state.
func writeSealed(ctx context.Context, cfg Config, keys *history.Keys, place string, data []byte) (p statePart, err error) {
	sealed := keys.Seal(place, data)
	sum := sha256.Sum256(sealed)
	p.SHA256 = hex.EncodeToString(sum[:])
	p.File = ofGeneration(stateNights, cfg.Nights.Generation+1, strings.ReplaceAll(place, "/", "-")+"-"+p.SHA256[:16])
	return p, storage.WritePrivateFile(ctx, storage.Join(cfg.State, p.File), sealed)
}

// readSealed reads what writeSealed wrote.
func readSealed(ctx context.Context, dir string, keys *history.Keys, place string, p statePart) ([]byte, error) {
	name := storage.Join(dir, p.File)
	sealed, err := storage.ReadFile(ctx, name, maxStateFile)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(sealed); hex.EncodeToString(sum[:]) != p.SHA256 {
		return nil, fmt.Errorf("%s: it is not the file that the state speaks of; restore the state from a copy", name)
	}
	data, err := keys.Open(place, sealed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}

// OpenState completes a job that has a state, before any work: which state it begins
// with, its buckets, what was withdrawn, and the night's name and folders. Where the
// last night was stopped between its output and the state, it brings that to its end,
// unless the caller only looks.
func OpenState(ctx context.Context, cfg Config, look bool) (Config, error) {
	keys, err := stateKeys(ctx, cfg)
	if err != nil {
		return cfg, err
	}
	if own, err := ResolveKey(ctx, cfg.Key); err != nil {
		return cfg, err
	} else if other, err := ResolveKey(ctx, cfg.StateKey); err != nil {
		return cfg, err
	} else if hmac.Equal(own, other) {
		return cfg, errors.New("--state_key names the key of --key; make another one with: palimpsest key new PATH")
	}
	if err := storage.CheckPrivate(cfg.State); err != nil {
		return cfg, fmt.Errorf("--state=%s: %w", cfg.State, err)
	}
	n := *cfg.Nights
	n.StateKeyID = keys.ID()
	find := settle
	if look {
		find = func(ctx context.Context, _ *history.Keys, dir string) (int, error) { return newestHead(ctx, dir) }
	}
	if n.Generation, err = find(ctx, keys, cfg.State); err != nil {
		return cfg, fmt.Errorf("--state=%s: %w", cfg.State, err)
	}
	infos, err := identifierFiles(ctx, cfg.Withdrawn)
	if err != nil {
		return cfg, fmt.Errorf("--withdrawn: %w", err)
	}
	if len(infos) > 0 {
		if n.Withdrawn, err = digestFiles(ctx, infos); err != nil {
			return cfg, err
		}
	}
	if n.Night == "" {
		if n.Night, err = nightName(ctx, cfg, n, keys); err != nil {
			return cfg, err
		}
	}
	if err := cfg.openHead(ctx, keys, &n); err != nil {
		return cfg, fmt.Errorf("--state: %w", err)
	}
	cfg.Nights = &n
	cfg.Output, cfg.Private = storage.Join(cfg.Output, n.Night), storage.Join(cfg.Private, n.Night)
	return cfg, nil
}

// openHead reads the head that a night begins with. The last night that is done, named
// again, is opened as it was: what it left that was killed at its very end is its own
// to tidy up.
func (c *Config) openHead(ctx context.Context, keys *history.Keys, n *Nights) error {
	for ; n.Generation > 0; n.Generation-- {
		h, mac, err := readHead(ctx, keys, headName(c.State, n.Generation))
		if err != nil {
			return err
		}
		c.Buckets = h.Buckets
		n.State = mac
		if h.Night != n.Night || h.Success != storage.Join(c.Output, n.Night, SuccessFile) {
			return nil
		}
		if done, err := h.published(ctx); err != nil || !done {
			return err
		}
		n.State = ""
	}
	return nil
}

// nightName names a night by what goes into it, so that one that is run again has its
// own name again.
func nightName(ctx context.Context, cfg Config, n Nights, keys *history.Keys) (string, error) {
	infos, err := storage.TableFiles(ctx, cfg.Inputs...)
	if err != nil {
		return "", fault.Mark(fault.Refused, err)
	}
	versions := []string{cfg.releaseKey(), cfg.releaseDigest(), n.Withdrawn, fmt.Sprint(n.Reissue)}
	for _, info := range infos {
		versions = append(versions, info.Name, info.Fingerprint)
	}
	if cfg.KnownIdentifiers != nil {
		versions = append(versions, cfg.KnownIdentifiers.Digest)
	}
	h := keys.Hash("night", digestOf(versions))
	return "night-" + hex.EncodeToString(h[:6]), nil
}
