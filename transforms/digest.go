package transforms

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/palimpsest-deid/palimpsest/storage"
)

// digestFiles returns the SHA-256 of files one after the other, in hex.
func digestFiles(ctx context.Context, infos []storage.Info) (string, error) {
	all := sha256.New()
	for _, info := range infos {
		object, err := openVersion(ctx, info)
		if err != nil {
			return "", err
		}
		_, err = io.Copy(all, io.NewSectionReader(object, 0, object.Size()))
		object.Close()
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

// checkDigest fails unless files have the digest that the launcher found.
func checkDigest(ctx context.Context, what, pattern string, infos []storage.Info, want string) error {
	digest, err := digestFiles(ctx, infos)
	if err == nil && digest != want {
		err = otherDigest(what, pattern, digest, want)
	}
	return err
}

// otherDigest is the error of a worker that finds another thing than the launcher.
func otherDigest(what, name, found, want string) error {
	return fmt.Errorf("%s %s: this worker finds digest %s, the job was started with %s; give all workers the same, and do not change it "+
		"while the job runs", what, name, found, want)
}

// openVersion opens that version of a file.
func openVersion(ctx context.Context, info storage.Info) (storage.Object, error) {
	object, err := storage.OpenVersion(ctx, info)
	if errors.Is(err, storage.ErrChanged) {
		err = fmt.Errorf("%s changed while the job ran; run it again when nobody writes to it", info.Name)
	}
	return object, err
}
