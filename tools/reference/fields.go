package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
)

// written are the structs of what a job writes, in the order of the page.
var written = []struct{ title, about, typ, tag string }{
	{"findings/", "Below `--private`: Parquet, a row for each span that was replaced or kept by policy.", "schemas/table.Finding", "parquet"},
	{"report.json", "In the output: what became of notes, in numbers and codes. `report.html` shows them.", "transforms.Report", "json"},
	{"manifest.json", "In the output: what it was made from, by which settings, and what it holds.", "transforms.Manifest", "json"},
	{"manifest.json: configuration", "All that decides what the output is.", "transforms.What", "json"},
	{"manifest.json: outputs", "One released file.", "transforms.ManifestPart", "json"},
	{"inputs.json", "Below `--private`, and with fewer fields in the manifest: one input file.", "transforms.ManifestInput", "json"},
	{"Columns", "One column of the notes in report and manifest.", "transforms.ColumnReport", "json"},
	{"Order of rows", "What was measured of the order of rows, and what was done.", "transforms.RowOrder", "json"},
}

const fieldsHead = `# Files of a release, field by field

Made from the code's own declarations. Offsets are Unicode code points, ends exclusive; days are counted from 1970-01-01.
Fields that are empty may be missing.
`

// sources are the declared struct types of the packages that written names.
type sources map[string]*ast.StructType

func fieldsPage() ([]byte, error) {
	all := sources{}
	for _, dir := range []string{"schemas", "schemas/table", "transforms"} {
		if err := all.read(dir); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	b.WriteString(fieldsHead)
	for _, w := range written {
		s, ok := all[w.typ]
		if !ok {
			return nil, fmt.Errorf("there is no struct %s", w.typ)
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| field | type | |\n|---|---|---|\n", w.title, w.about)
		pkg, _, _ := strings.Cut(w.typ, ".")
		if err := all.write(&b, pkg, s, w.tag); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// read adds the structs of a directory, by directory and name.
func (all sources) read(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if t, ok := n.(*ast.TypeSpec); ok {
				if s, ok := t.Type.(*ast.StructType); ok {
					all[dir+"."+t.Name.Name] = s
				}
			}
			return true
		})
	}
	return nil
}

// write writes a row for each field with a tag; fields of embedded structs stand
// in their place.
func (all sources) write(b *bytes.Buffer, pkg string, s *ast.StructType, tag string) error {
	above := "" // a comment above several fields explains them all
	for _, f := range s.Fields.List {
		name := ""
		if f.Tag != nil {
			name, _, _ = strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get(tag), ",")
		}
		if name == "-" {
			continue
		}
		if len(f.Names) == 0 && name == "" {
			embedded, in := all.find(pkg, f.Type)
			if embedded == nil {
				return fmt.Errorf("%s: an embedded field is of an unknown type", pkg)
			}
			if err := all.write(b, in, embedded, tag); err != nil {
				return err
			}
			continue
		}
		if f.Doc != nil {
			above = oneLine(f.Doc.Text())
		} else if f.Comment != nil {
			above = ""
		}
		about := above
		if f.Comment != nil {
			about = oneLine(f.Comment.Text())
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, kind(f.Type), escape(about))
		above = ""
	}
	return nil
}

// find returns the struct that an expression names, and the directory of its
// package.
func (all sources) find(pkg string, e ast.Expr) (*ast.StructType, string) {
	switch t := e.(type) {
	case *ast.Ident:
		return all[pkg+"."+t.Name], pkg
	case *ast.SelectorExpr:
		if x, ok := t.X.(*ast.Ident); ok {
			for _, dir := range []string{x.Name, "schemas/" + x.Name} {
				if s := all[dir+"."+t.Sel.Name]; s != nil {
					return s, dir
				}
			}
		}
	}
	return nil, ""
}

// oneLine returns a comment as a cell of a table.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer("|", `\|`, "InputsFile", "inputs.json", "Text.Element", "its path").Replace(s)
}

// kind names a type as JSON and Parquet do.
func kind(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.StarExpr:
		return kind(t.X)
	case *ast.ArrayType:
		if inner := kind(t.Elt); inner != "object" {
			return "list of " + inner + "s"
		}
		return "list"
	case *ast.MapType:
		return "object"
	case *ast.Ident:
		switch t.Name {
		case "string":
			return "string"
		case "bool":
			return "true or false"
		case "int", "int32", "int64", "float32", "float64":
			return "number"
		}
	}
	return "object"
}
