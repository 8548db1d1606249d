package estimate

import (
	"context"
	"encoding/json"

	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// settingsDigest returns what an estimate holds for besides the very release: all
// settings, without what tables of known identifiers and staff hold tonight.
func settingsDigest(ctx context.Context, output string) (string, error) {
	raw, err := storage.ReadFile(ctx, storage.Join(output, transforms.ManifestFile), 1<<30)
	if err != nil {
		return "", err
	}
	var m transforms.Manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		return "", err
	}
	return m.Configuration.SettingsDigest(), nil
}
