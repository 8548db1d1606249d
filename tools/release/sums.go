package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// namespace keeps a signature of ours from standing for anything else that the
// same key signs.
const namespace = "palimpsest-release"

// checksums lists files as sha256sum does, sorted by name.
func checksums(files []file) []byte {
	files = slices.SortedFunc(slices.Values(files), func(a, b file) int { return cmp.Compare(a.name, b.name) })
	var list bytes.Buffer
	for _, f := range files {
		sum := sha256.Sum256(f.content)
		fmt.Fprintf(&list, "%s  %s\n", hex.EncodeToString(sum[:]), f.name)
	}
	return list.Bytes()
}

// sums writes SHA256SUMS of all files in a folder and, if there is a key, its
// signature and the line of allowed_signers that verifies it.
func sums(folder, key string, stdout io.Writer) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var files []file
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), "SHA256SUMS") || e.Name() == "allowed_signers" {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		files = append(files, file{name: e.Name(), content: content})
	}
	list := checksums(files)
	if err := os.WriteFile(filepath.Join(folder, "SHA256SUMS"), list, 0o644); err != nil {
		return err
	}
	// What an earlier run signed does not fit these sums.
	for _, name := range []string{"SHA256SUMS.sig", "allowed_signers"} {
		if err := os.Remove(filepath.Join(folder, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if key == "" {
		fmt.Fprintln(stdout, "SHA256SUMS is not signed: give SIGNING_KEY, a private key of OpenSSH (ssh-keygen -t ed25519)")
		return nil
	}
	signature, err := signed(list, key)
	if err != nil {
		return err
	}
	public, err := exec.Command("ssh-keygen", "-y", "-f", key).Output()
	if err != nil {
		return fmt.Errorf("the public part of the signing key: %w", err)
	}
	f := strings.Fields(string(public))
	if len(f) < 2 {
		return errors.New("ssh-keygen -y printed no public key")
	}
	// Of git, too, for the tag.
	signer := fmt.Sprintf("release namespaces=%q %s %s\n", namespace+",git", f[0], f[1])
	fmt.Fprintf(stdout, "SHA256SUMS is signed by\n%s", signer)
	return errors.Join(
		os.WriteFile(filepath.Join(folder, "SHA256SUMS.sig"), signature, 0o644),
		os.WriteFile(filepath.Join(folder, "allowed_signers"), []byte(signer), 0o644))
}

// signed returns OpenSSH's signature of content. With an ed25519 key the same
// content has the same signature.
func signed(content []byte, key string) ([]byte, error) {
	cmd := exec.Command("ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", namespace)
	cmd.Stdin = bytes.NewReader(content)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ssh-keygen -Y sign: %w: %s", err, strings.TrimSpace(said.String()))
	}
	return out, nil
}
