package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

const statusesHead = `# Exit statuses

Every command ends with one of these, so that a scheduler knows whether to try again. The numbers are those of sysexits.h.

| status | means |
|--:|---|
`

// statusesPage lists the constants of package fault with their comments.
func statusesPage() ([]byte, error) {
	f, err := parser.ParseFile(token.NewFileSet(), "fault/fault.go", nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(statusesHead)
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		t, isStatus := spec.Type.(*ast.Ident)
		number, isNumber := spec.Values[0].(*ast.BasicLit)
		if !isStatus || t.Name != "Status" || !isNumber {
			return true
		}
		means := strings.ToLower(spec.Names[0].Name)
		if spec.Comment != nil {
			means += ": " + strings.TrimSpace(spec.Comment.Text())
		}
		fmt.Fprintf(&b, "| %s | %s |\n", number.Value, means)
		return true
	})
	return b.Bytes(), nil
}
