package transforms

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"

	"google.golang.org/api/secretmanager/v1"

	"github.com/palimpsest-deid/palimpsest/storage"
)

// KeyForms says how a key is named.
const KeyForms = "file:PATH, env:NAME or gcp-secret:projects/P/secrets/S/versions/V"

// maxKey bounds a key file; more is surely not a key.
const maxKey = 64 << 10

// ResolveKey returns the key that a reference names. It runs on the worker:
// only the reference travels. A trailing line end, which editors and `echo`
// leave, is not part of the key. No error repeats what was read.
func ResolveKey(ctx context.Context, reference string) ([]byte, error) {
	scheme, name, ok := strings.Cut(reference, ":")
	if !ok || name == "" {
		return nil, fmt.Errorf("key: the reference must be %s", KeyForms)
	}
	var key []byte
	switch scheme {
	case "env":
		value, set := os.LookupEnv(name)
		if !set {
			return nil, fmt.Errorf("key env:%s: the variable is not set here", name)
		}
		key = []byte(value)
	case "file":
		var err error
		if key, err = storage.ReadFile(ctx, name, maxKey); err != nil {
			return nil, fmt.Errorf("key file:%s: %w", name, err)
		}
	case "gcp-secret":
		var err error
		if key, err = secret(ctx, name); err != nil {
			return nil, fmt.Errorf("key gcp-secret:%s: %w", name, err)
		}
	default:
		return nil, fmt.Errorf("key: %q is no way to name a key; write %s", scheme, KeyForms)
	}
	key = bytes.TrimRight(key, "\r\n")
	if len(key) < MinKey {
		return nil, fmt.Errorf("key %s: it has %d bytes, at least %d are needed; make one with: palimpsest key new PATH", reference, len(key), MinKey)
	}
	return key, nil
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
