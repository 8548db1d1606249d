package storage

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

func TestJoinBaseDir(t *testing.T) {
	for _, c := range []struct {
		base            string
		elem            []string
		join, last, dir string // last and dir are of the joined name
	}{
		{"a", []string{"b", "c"}, "a/b/c", "c", "a/b"},
		{"/a/", []string{"../b"}, "/b", "b", "/"},
		{"a", nil, "a", "a", "."},
		{"gs://b", []string{"x"}, "gs://b/x", "x", "gs://b"},
		{"gs://b/", []string{"/x/", "", "y"}, "gs://b/x/y", "y", "gs://b/x"},
		{"gs://b/d//", []string{"x"}, "gs://b/d/x", "x", "gs://b/d"},
		{"gs://b/d", []string{"x//y"}, "gs://b/d/x//y", "y", "gs://b/d/x"},
		{"gs://b", nil, "gs://b", "b", "gs://b"},
		{"gs://b/d/", nil, "gs://b/d", "d", "gs://b"},
	} {
		got := Join(c.base, c.elem...)
		if got != c.join || Base(got) != c.last || Dir(got) != c.dir {
			t.Errorf("Join(%q, %q) = %q, Base %q, Dir %q; want %q, %q, %q", c.base, c.elem, got, Base(got), Dir(got), c.join, c.last, c.dir)
		}
	}
	if got := Base("gs://b/d/"); got != "d" {
		t.Errorf("Base of a directory = %q", got)
	}
}

func TestSplitScheme(t *testing.T) {
	for name, want := range map[string]string{
		"gs://b/x": "gs", "s3://b": "s3", "a/b": "", "/a://b": "", "a/b://c": "", "://x": "", "3d://x": "", "HDFS://x": "HDFS", "": "",
	} {
		if got, _ := splitScheme(name); got != want {
			t.Errorf("scheme of %q = %q, want %q", name, got, want)
		}
	}
}

func TestInside(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	put(t, "real/out/x", "x")
	for link, target := range map[string]string{
		"link": "real", "absolute": filepath.Join(dir, "real"), "up": "real/out/..", "future": "real/later", "loop": "loop",
	} {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		child, parent string
		want          bool
	}{
		{"real/out", "real", true},
		{"real", "real", true},
		{"real", "real/out", false},
		{"real-private", "real", false},
		{"real/out/not/yet", "real/out", true},
		{"missing/a", "missing", true},
		{"missing/../real/out", "real", true},
		{"link/out", "real", true},
		{"real/out", "link", true},
		{"absolute/new", "real", true},
		{"link/out/../../other", "real", false},
		{"up/x", "real", true},
		{"future/x", "real", true}, // the link's target is not there yet
		{"future", "real/later", true},
		{"loop/x", "real", false},
		{filepath.Join(dir, "real/out"), "real", true},
		{"real", "/", true},
		{"real", ".", true},
		{"gs://b/x", "gs://b", true},
		{"gs://b/x/", "gs://b/x", true},
		{"gs://b/xy", "gs://b/x", false},
		{"gs://b/x/../y", "gs://b/x", false},
		{"gs://bb/x", "gs://b", false},
		{"gs://b/x", ".", false},
		{"real", "gs://real", false},
	} {
		if got := Inside(c.child, c.parent); got != c.want {
			t.Errorf("Inside(%q, %q) = %v, want %v", c.child, c.parent, got, c.want)
		}
	}
}

// FuzzPattern holds match against a plain recursive reading of the rules.
func FuzzPattern(f *testing.F) {
	for _, s := range []string{"**", "a/**/b", "**/**/*", "*/a**b/?", "[a-c]/**", `\*/x`, "**/a/**/b/**"} {
		f.Add(s, "a/b/c")
		f.Add(s, "a/x/a/b/a/b")
	}
	f.Fuzz(func(t *testing.T, s, name string) {
		if len(s) > 40 || len(name) > 40 {
			return // the plain reading takes exponential time
		}
		p, err := parsePattern(s)
		if err != nil {
			return
		}
		segments := strings.Split(name, "/")
		if got, want := p.match(segments), plainMatch(p, segments); got != want {
			t.Errorf("%q matches %q: %v, want %v", s, name, got, want)
		}
	})
}

func plainMatch(p, name []string) bool {
	if len(p) == 0 {
		return len(name) == 0
	}
	if p[0] == "**" {
		return plainMatch(p[1:], name) || len(name) > 0 && plainMatch(p, name[1:])
	}
	if len(name) == 0 {
		return false
	}
	ok, _ := path.Match(p[0], name[0])
	return ok && plainMatch(p[1:], name[1:])
}

// FuzzNames checks that what Join puts on, Dir and Base take off.
func FuzzNames(f *testing.F) {
	f.Add("b/d", "x")
	f.Fuzz(func(t *testing.T, dir, elem string) {
		if strings.Trim(elem, "/") == "" || strings.Contains(elem, "/") || strings.Trim(dir, "/") == "" {
			return
		}
		base := "gs://" + dir
		name := Join(base, elem)
		if Base(name) != elem || Dir(name) != strings.TrimRight(base, "/") {
			t.Errorf("Join(%q, %q) = %q, of Dir %q and Base %q", base, elem, name, Dir(name), Base(name))
		}
	})
}

func TestBeside(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	put(t, "disk/release/x", "x")
	if err := os.Symlink("disk/release", "link"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, dir string
		want      bool
	}{
		{"out-private", "out", true},
		{"a/b/c", "out", true},
		{"release/_held", "release/out", true},
		{"private/out", "release/out", false},
		{"disk/held", "link", true}, // beside the link's target
		{"held", "link", true},      // beside the link
		{"elsewhere", "disk/release", false},
		{filepath.Join(dir, "held"), "release", true},
		{"/var/held", "/out", false}, // nobody reads all of the root
		{"gs://b/held", "gs://b/out", true},
		{"gs://b/rel/held", "gs://b/rel/out", true},
		{"gs://b/held", "gs://b/rel/out", false},
		{"gs://c/held", "gs://b/out", false},
		{"gs://c/held", "gs://b", false},
		{"held", "gs://b/out", false},
	} {
		if got := Beside(c.name, c.dir); got != c.want {
			t.Errorf("%s beside %s: %v", c.name, c.dir, got)
		}
	}
}
