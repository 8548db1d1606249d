package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed packages.txt
var packages string

// debian is the layer of Debian's packages: what they unpack to, without manuals
// and translations but with their copyright files, and what their scripts would
// make that is needed here: users, and the bundle of certificates. There is no
// shell and no package manager in it.
func (r release) debian() (*tree, error) {
	t := newTree()
	for line := range strings.Lines(packages) {
		f := strings.Fields(line)
		if len(f) != 3 || f[0] == "#" {
			continue
		}
		deb := filepath.Join(r.debs, f[0]+".deb")
		raw, err := os.ReadFile(deb)
		if err != nil {
			return nil, err
		}
		if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != f[2] {
			return nil, fmt.Errorf("%s is not %s %s of packages.txt: run fetch.sh", deb, f[0], f[1])
		}
		if err := t.unpack(deb); err != nil {
			return nil, fmt.Errorf("%s: %w", deb, err)
		}
	}
	t.add("etc/passwd", 0o644, []byte("root:x:0:0:root:/root:/usr/sbin/nologin\n"+
		"nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\npalimpsest:x:10001:10001::/nonexistent:/usr/sbin/nologin\n"))
	t.add("etc/group", 0o644, []byte("root:x:0:\nnogroup:x:65534:\npalimpsest:x:10001:\n"))
	t.add("etc/ssl/certs/ca-certificates.crt", 0o644, t.certificates())
	return t, nil
}

// unpack adds the files of a package and what scanners for vulnerabilities read:
// its name and version, where images without dpkg have them.
func (t *tree) unpack(deb string) error {
	data, err := exec.Command("dpkg-deb", "--fsys-tarfile", deb).Output()
	if err != nil {
		return err
	}
	files := tar.NewReader(bytes.NewReader(data))
	for {
		h, err := files.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		name := path.Clean(h.Name)
		if name == "." || !wanted(name) {
			continue
		}
		if h.Typeflag == tar.TypeReg && strings.HasPrefix(name, "usr/share/doc/") && path.Base(name) != "copyright" {
			continue
		}
		content, err := io.ReadAll(files)
		if err != nil {
			return err
		}
		switch h.Typeflag {
		case tar.TypeDir, tar.TypeReg, tar.TypeSymlink:
			t.folders(path.Dir(name))
			t.entries[name] = entry{tar.Header{Typeflag: h.Typeflag, Mode: h.Mode, Linkname: h.Linkname}, content}
		default:
			return fmt.Errorf("%s is neither file, folder nor symbolic link", name)
		}
	}
	control, err := exec.Command("dpkg-deb", "--field", deb).Output()
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(deb), ".deb")
	t.add("var/lib/dpkg/status.d/"+name, 0o644, control)
	return nil
}

func wanted(name string) bool {
	for _, prefix := range []string{"usr/share/man", "usr/share/locale", "usr/share/lintian",
		"usr/share/gcc", "usr/lib/x86_64-linux-gnu/gconv"} {
		if name == prefix || strings.HasPrefix(name, prefix+"/") {
			return false
		}
	}
	return true
}

// certificates joins those of ca-certificates, as its own script would.
func (t *tree) certificates() []byte {
	var all bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(t.entries)) {
		if strings.HasPrefix(name, "usr/share/ca-certificates/") && strings.HasSuffix(name, ".crt") {
			all.Write(bytes.TrimRight(t.entries[name].content, "\n"))
			all.WriteByte('\n')
		}
	}
	return all.Bytes()
}
