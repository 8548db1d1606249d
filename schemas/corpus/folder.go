package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/storage"
)

// maxFile bounds a file that is read as a whole, in bytes.
const maxFile = 256 << 20

// file is a file of a folder: its full name, and its base name without the
// extension.
type file struct{ name, base string }

// list returns the files that lie in a folder itself and have the extension,
// in ascending byte order of their base names. None is an error. A path that
// itself has the extension is that one file.
func list(ctx context.Context, path, extension string) ([]file, error) {
	if strings.HasSuffix(path, extension) {
		return []file{{path, strings.TrimSuffix(storage.Base(path), extension)}}, nil
	}
	files, err := listFolder(ctx, path, extension)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: there is no %s file in this folder; folders within it are not looked into", path, extension)
	}
	return files, err
}

func listFolder(ctx context.Context, path, extension string) ([]file, error) {
	infos, err := storage.List(ctx, path)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, info := range infos {
		base := storage.Base(info.Name)
		if strings.HasSuffix(base, extension) && storage.Join(path, base) == storage.Join(info.Name) {
			files = append(files, file{info.Name, strings.TrimSuffix(base, extension)})
		}
	}
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.base, b.base) })
	return files, nil
}

func readFile(ctx context.Context, name string) ([]byte, error) {
	return storage.ReadFile(ctx, name, maxFile)
}

// folder is where a Writer writes: a folder that was empty, in which names are
// given once.
type folder struct {
	ctx     context.Context
	path    string
	written []string
	ids     map[docKey]struct{}
	closed  bool
}

func newFolder(ctx context.Context, path string) (*folder, error) {
	infos, err := storage.List(ctx, path)
	if err != nil {
		return nil, err
	}
	if len(infos) > 0 {
		return nil, fmt.Errorf("%s: the output folder is not empty; name another, or empty it first", path)
	}
	// Corpora hold what must not get out, whatever the user's umask; a folder that
	// was there keeps its permissions, and so the files have their own.
	if err := storage.MakePrivate(path); err != nil {
		return nil, err
	}
	return &folder{ctx: ctx, path: path, ids: map[docKey]struct{}{}}, nil
}

// check tells whether a document can be the next to be written.
func (f *folder) check(d *Document) error {
	if f.closed {
		return errors.New("corpus: the writer is closed")
	}
	if err := d.Check(); err != nil {
		return err
	}
	k := keyOf(d.ID)
	if _, twice := f.ids[k]; twice {
		return fmt.Errorf("%s: a document of this id was written before; ids must differ", d.Source)
	}
	f.ids[k] = struct{}{}
	return nil
}

// write makes a file of the folder. Two ids can give one name where the format
// adds to them.
func (f *folder) write(name string, data []byte) error {
	k := keyOf("file\x00" + name)
	if _, twice := f.ids[k]; twice {
		return fmt.Errorf("%s: the file %s was written before, for another document; give documents ids that differ more", f.path, name)
	}
	f.ids[k] = struct{}{}
	name = storage.Join(f.path, name)
	if err := storage.WritePrivateFile(f.ctx, name, data); err != nil {
		return err
	}
	f.written = append(f.written, name)
	return nil
}

func (f *folder) Close() error {
	f.closed = true
	return nil
}

// Abort removes what was written. It works after the end of the context.
func (f *folder) Abort() error {
	if f.closed {
		return nil
	}
	f.closed = true
	var errs []error
	for _, name := range f.written {
		errs = append(errs, storage.Remove(context.WithoutCancel(f.ctx), name))
	}
	return errors.Join(errs...)
}

// checkName refuses ids that cannot be the base of a file's name everywhere.
func checkName(d *Document) error {
	problem := ""
	switch {
	case strings.HasPrefix(d.ID, "."):
		problem = "begins with a dot"
	case len(d.ID) > 200:
		problem = "has more than 200 bytes"
	case strings.ContainsAny(d.ID, `/\:*?"<>|`):
		problem = `has one of / \ : * ? " < > |`
	case strings.ContainsFunc(d.ID, unicode.IsControl):
		problem = "has a control character"
	case strings.TrimSpace(d.ID) != d.ID:
		problem = "has a blank at its edge"
	default:
		return nil
	}
	return fmt.Errorf("%s: the document's id %s, so that it cannot name a file; give the document another id, or write parquet", d.Source,
		problem)
}

// flatten returns a document's annotations without discontinuous ones.
func flatten(d *Document, how string) ([]Annotation, error) {
	if !slices.ContainsFunc(d.Annotations, func(a Annotation) bool { return a.Fragments != nil }) {
		return d.Annotations, nil
	}
	var out []Annotation
	for i, a := range d.Annotations {
		fragments := a.Fragments
		a.Fragments = nil
		switch {
		case fragments == nil || how == HullDiscontinuous:
			out = append(out, a)
		case how == SplitDiscontinuous:
			for _, f := range fragments {
				a.Start, a.End = f.Start, f.End
				out = append(out, a)
			}
		default:
			return nil, fmt.Errorf("%s: annotation %s is discontinuous, which this format cannot hold; ask for its hull or to split it", d.Source,
				nameOf(a, i))
		}
	}
	return out, nil
}

// names returns the ids under which annotations are written: their own if each
// is the prefix and a number and none repeats, else the prefix and numbers from
// first on.
func names(annotations []Annotation, prefix string, first int) []string {
	out := make([]string, len(annotations))
	seen := make(map[string]bool, len(annotations))
	for i, a := range annotations {
		number, ok := strings.CutPrefix(a.ID, prefix)
		if !ok || number == "" || strings.Trim(number, "0123456789") != "" || seen[a.ID] {
			for j := range out {
				out[j] = fmt.Sprint(prefix, first+j)
			}
			return out
		}
		seen[a.ID] = true
		out[i] = a.ID
	}
	return out
}
