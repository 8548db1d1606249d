// Command release writes what a release consists of; make release calls it:
//
//	go run ./tools/release check --version 1.2.3    CHANGELOG.md and CITATION.cff name the version, no other commit has its tag
//	go run ./tools/release pack --version 1.2.3 --binary FILE --sbom FILE --out dist [--sign KEY]
//	go run ./tools/release sums --out dist [--sign KEY]
//	go run ./tools/release tag --version 1.2.3 [--sign KEY]
//
// pack writes the tarball and the wheel, sums the checksums of all that lies in
// dist. The same inputs give the same bytes: names are sorted, times are that of
// SOURCE_DATE_EPOCH, and owners are nobody's.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// semantic is a version by Semantic Versioning 2.0.0 without build metadata,
// which a file's name cannot hold.
var semantic = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(rc|beta|alpha)\.(0|[1-9]\d*))?$`)

func run(args []string, stdout io.Writer) error {
	if len(args) == 0 {
		return errors.New("write check, pack, sums or tag; the comment at the top of tools/release/main.go shows how")
	}
	fs := flag.NewFlagSet(args[0], flag.ContinueOnError)
	version := fs.String("version", "", "semantic version, such as 1.2.3 or 1.2.3-rc.1")
	root := fs.String("root", ".", "the repository")
	binary := fs.String("binary", "", "the program, built with this version")
	library := fs.String("library", "", "ONNX Runtime's shared library")
	bill := fs.String("sbom", "", "the program's bill of materials")
	out := fs.String("out", "dist", "folder to write to")
	sign := fs.String("sign", "", "private key of OpenSSH (ed25519) to sign the checksums with")
	if err := fs.Parse(args[1:]); err != nil {
		return err
	}
	if args[0] == "sums" {
		return sums(*out, *sign, stdout)
	}
	if !semantic.MatchString(*version) {
		return fmt.Errorf("%q is no version: write VERSION=1.2.3 or VERSION=1.2.3-rc.1", *version)
	}
	switch args[0] {
	case "check":
		return errors.Join(check(*root, *version), mayTag(*root, *version))
	case "tag":
		return tag(*root, *version, *sign, stdout)
	case "pack":
		r := release{version: *version, root: *root, binary: *binary, library: *library, sbom: *bill, out: *out, key: *sign}
		seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
		if err != nil {
			return errors.New("SOURCE_DATE_EPOCH is not set to the seconds of the commit: git log -1 --format=%ct")
		}
		r.time = time.Unix(seconds, 0).UTC()
		return r.pack(stdout)
	}
	return fmt.Errorf("%q is no command: write check, pack, sums or tag", args[0])
}

// release is what a tarball and a wheel are made of.
type release struct {
	version, root         string
	binary, library, sbom string
	out, key              string
	time                  time.Time // of every file
}

func (r release) pack(stdout io.Writer) error {
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	glibc, err := glibcOf(r.binary, r.library)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "program and ONNX Runtime need glibc %s\n", glibc)
	files, err := r.tarballFiles()
	if err != nil {
		return err
	}
	name := "palimpsest-" + r.version
	tarball := filepath.Join(r.out, name+"-linux-x86_64.tar.gz")
	if err := writeTarball(tarball, name, r.time, files); err != nil {
		return err
	}
	wheel := filepath.Join(r.out, wheelName(r.version, glibc))
	if err := r.writeWheel(wheel, glibc); err != nil {
		return err
	}
	raw, err := os.ReadFile(r.sbom)
	if err != nil {
		return err
	}
	bill := filepath.Join(r.out, name+".cdx.json")
	if err := os.WriteFile(bill, raw, 0o644); err != nil {
		return err
	}
	for _, path := range []string{tarball, wheel, bill} {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s: %.1f MB\n", path, float64(info.Size())/1e6)
	}
	return nil
}
