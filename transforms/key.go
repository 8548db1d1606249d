package transforms

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"google.golang.org/api/secretmanager/v1"

	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// KeyForms says how a key is named.
const KeyForms = "file:PATH, env:NAME or gcp-secret:projects/P/secrets/S/versions/V"

// maxKey bounds a key file; more is surely not a key.
const maxKey = 64 << 10

// ResolveKey returns the key that a reference names. It runs on the worker:
// only the reference travels. A trailing line end, which editors and `echo`
// leave, is not part of the key. No error repeats what was read, nor a name
// that could be the key itself.
func ResolveKey(ctx context.Context, reference string) ([]byte, error) {
	scheme, name, ok := strings.Cut(reference, ":")
	if !ok || name == "" {
		return nil, fmt.Errorf("key: the reference must be %s", KeyForms)
	}
	shown := PrintableKey(reference)
	var key []byte
	switch scheme {
	case "env":
		value, set := os.LookupEnv(name)
		if !set {
			return nil, fmt.Errorf("key %s: the variable is not set here; write its name alone, without $", shown)
		}
		key = []byte(value)
	case "file":
		err := ownersAlone(name)
		if err == nil {
			key, err = storage.ReadFile(ctx, name, maxKey)
		}
		if err != nil && shown != reference {
			err = withoutName(err)
		}
		if err != nil {
			return nil, fmt.Errorf("key %s: %w", shown, err)
		}
	case "gcp-secret":
		if !strings.HasPrefix(name, "projects/") {
			return nil, fmt.Errorf("key gcp-secret: the secret's name must begin with projects/; write %s", KeyForms)
		}
		var err error
		if key, err = secret(ctx, name); err != nil {
			return nil, fmt.Errorf("key gcp-secret:%s: %w", name, err)
		}
	default:
		return nil, fmt.Errorf("key: the reference must be %s", KeyForms)
	}
	key = bytes.TrimRight(key, "\r\n")
	const remedy = "make one with: palimpsest key new PATH"
	if len(key) < MinKey {
		return nil, fmt.Errorf("key %s: it has %d bytes, at least %d are needed; %s", shown, len(key), MinKey, remedy)
	}
	var seen [256]bool
	distinct := 0
	for _, c := range key {
		if !seen[c] {
			seen[c] = true
			distinct++
		}
	}
	if distinct < minDistinct {
		return nil, fmt.Errorf("key %s: it has only %d different bytes, so it can be guessed; %s", shown, distinct, remedy)
	}
	return key, nil
}

// Keys returns the keys that a reference names, for an epoch. Errors are those of
// ResolveKey, and name no key.
func Keys(ctx context.Context, reference string, epoch int) (*surrogate.Keyring, error) {
	key, err := ResolveKey(ctx, reference)
	if err != nil {
		return nil, err
	}
	keys, err := surrogate.NewKeyring(key, epoch)
	if err != nil {
		return nil, fmt.Errorf("key %s: %w", PrintableKey(reference), err)
	}
	return keys, nil
}

// keySource is what a DoFn needs to have the job's keys.
type keySource struct {
	Reference string
	Epoch     int
	ID        string // that the launcher found
}

func (c Config) keySource() keySource { return keySource{c.Key, c.Epoch, c.KeyID} }

// open returns the keys, if they are those of the launcher.
func (k keySource) open(ctx context.Context) (*surrogate.Keyring, error) {
	keys, err := Keys(ctx, k.Reference, k.Epoch)
	if err != nil {
		return nil, err
	}
	if id := keys.ID(); id != k.ID {
		return nil, fmt.Errorf("key %s: this worker finds the key of id %s, the job was started with %s; give all workers one key",
			PrintableKey(k.Reference), id, k.ID)
	}
	return keys, nil
}

// minDistinct is the least number of different bytes in a key. Of random keys
// in hexadecimal digits, one of 32 digits in twenty million has fewer.
const minDistinct = 8

// ownersAlone refuses a local key file as ssh does: one of this user's that the
// group may read, and any that all may read. Secrets that Kubernetes mounts for
// a group are root's.
func ownersAlone(name string) error {
	if strings.Contains(name, "://") {
		return nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil // reading it says so better
	}
	open := info.Mode().Perm() & 0o007
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) == os.Geteuid() {
		open = info.Mode().Perm() & 0o077
	}
	if open != 0 {
		return fmt.Errorf("others may read or write it (mode %#o); run: chmod 600 %s", info.Mode().Perm(), name)
	}
	return nil
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// PrintableKey returns a reference to a key as messages may show it: the slip of
// writing the key itself after env: or file: must not put it into a log. It
// leaves out what is no name of a variable, and what could be a key in
// hexadecimal digits or base64.
func PrintableKey(reference string) string {
	scheme, name, _ := strings.Cut(reference, ":")
	local, _, cloud := strings.Cut(name, "://")
	ok := false
	switch {
	case scheme == "env":
		ok = variableName.MatchString(name) && !keyLike(name)
	case scheme == "file" && cloud:
		ok = !keyLike(strings.ReplaceAll(name, "/", " ")) && !keyLike(local)
	case scheme == "file":
		// Base64 has slashes, as paths have; but no key is in a directory.
		folder, err := os.Stat(filepath.Dir(name))
		ok = !keyLike(name) || err == nil && folder.IsDir() && !keyLike(filepath.Base(name))
	case scheme == "gcp-secret":
		ok = strings.HasPrefix(name, "projects/")
	}
	if !ok {
		return scheme + ":(not repeated, as it could be the key itself)"
	}
	return reference
}

// keyLike tells whether s has 32 or more characters of base64 in a row.
func keyLike(s string) bool {
	run := 0
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9', c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', strings.ContainsRune("+/-_=", c):
			if run++; run >= MinKey {
				return true
			}
		default:
			run = 0
		}
	}
	return false
}

// withoutName says what kind of error a file's is, and not which file's.
func withoutName(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such file; write the path of the file that holds the key")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("the file may not be read")
	}
	return errors.New("the file cannot be read, or others may read it, too")
}

// MinKey is the least number of bytes in a key.
const MinKey = 32

// secret reads a version of a secret from Google Cloud's Secret Manager with
// the process's default credentials.
func secret(ctx context.Context, resource string) ([]byte, error) {
	service, err := secretmanager.NewService(ctx)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(resource, "/versions/") {
		resource += "/versions/latest"
	}
	response, err := service.Projects.Secrets.Versions.Access(resource).Context(ctx).Do()
	if err != nil {
		return nil, err
	}
	if response.Payload == nil {
		return nil, errors.New("the secret is empty")
	}
	return base64.StdEncoding.DecodeString(response.Payload.Data)
}
