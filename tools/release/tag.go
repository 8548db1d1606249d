package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// tagged reports whether the version's tag is there and at the commit that is
// checked out. A tag elsewhere is an error: what it names was released.
func tagged(root, version string) (bool, error) {
	at, err := git(root, "rev-parse", "-q", "--verify", "refs/tags/v"+version+"^{commit}")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	head, err := git(root, "rev-parse", "HEAD")
	if err == nil && at != head {
		err = fmt.Errorf("v%s is the tag of another commit, %.12s: release the next version", version, at)
	}
	return err == nil, err
}

// mayTag fails where tag would, so that nobody learns that after an hour of tests.
func mayTag(root, version string) error {
	there, err := tagged(root, version)
	if err != nil || there {
		return err
	}
	if _, err := git(root, "-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"); err != nil {
		return fmt.Errorf("git does not know who makes the tag: run git config user.name and git config user.email (%w)", err)
	}
	return nil
}

// tag names the commit by its version, and signs that with the key, if there is one.
func tag(root, version, key string, stdout io.Writer) error {
	there, err := tagged(root, version)
	if err != nil || there {
		return err
	}
	args := []string{"tag", "-a"}
	if key != "" {
		args = []string{"-c", "gpg.format=ssh", "-c", "user.signingKey=" + key, "tag", "-s"}
	}
	if _, err := git(root, append(args, "-m", "Palimpsest "+version, "v"+version)...); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "v%s is the tag of this commit; git push origin v%s publishes it\n", version, version)
	return nil
}

// git runs git there and returns what it says.
func git(root string, args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-C", root}, args...)...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(said.String()))
	}
	return strings.TrimSpace(string(out)), nil
}
