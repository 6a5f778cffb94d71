package programs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

// ModelOf is the data model that a file has, by its name: benchmarks that were
// preprocessed have 32 bits.
func ModelOf(name string) ir.DataModel {
	if filepath.Ext(name) == ".i" || strings.HasSuffix(name, ".cil.c") {
		return ir.ILP32
	}
	return ir.LP64
}

// LoadC reads the sources of a C program, from the file system if open is nil. The error
// is diagnostics or a *check.InputError.
func LoadC(files []string, o cfront.Options, open check.Open) (*ir.Program, error) {
	var sources []*source.File
	for _, name := range files {
		src, err := check.ReadSource(name, open)
		if err != nil {
			return nil, err
		}
		sources = append(sources, src)
	}
	o.Open = func(name string) (*source.File, error) { return check.ReadSource(name, open) }
	return cfront.Parse(sources, o)
}

// SystemHeaders are the folders where GNU systems have the headers of the C library for a data model, of those that
// there are: for the command line, whose sources may include them.
func SystemHeaders(model ir.DataModel) (folders []string) {
	multiarch := map[ir.DataModel]string{ir.LP64: "/usr/include/x86_64-linux-gnu", ir.ILP32: "/usr/include/i386-linux-gnu"}
	for _, folder := range []string{"/usr/local/include", multiarch[model], "/usr/include/x86_64-linux-gnu", "/usr/include"} {
		if info, err := os.Stat(folder); err == nil && info.IsDir() && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}

// MessagesOfC are the notes of the front end about a program.
func MessagesOfC(p *ir.Program) []report.Message {
	var list source.List
	for _, n := range p.Notes {
		list.Warnf(n.Span, "c-note", "%s", n.Text)
	}
	return check.Messages(list)
}
