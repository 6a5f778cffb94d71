package cfront

import (
	"embed"
	"io/fs"
	"strings"
	"time"

	"github.com/seltl/seltl/c/ir"
)

// standardHeaders are the headers that come with seltl: declarations of what it knows.
//
//go:embed include/*.h
var standardHeaders embed.FS

// standardFolder is the folder that the parser finds them in.
const standardFolder = "<seltl>"

// predefinedMacros are those of gcc that say what the data model is.
//
//go:embed include/predefined.inc
var predefinedMacros string

// predefined are the macros of the data model.
func predefined(model ir.DataModel) string {
	if model == ir.ILP32 {
		return "#define _ILP32 1\n" + predefinedMacros
	}
	return "#define _LP64 1\n" + predefinedMacros
}

// text is a text as an open file.
type text struct {
	*strings.Reader
	name string
}

func textFile(name, content string) fs.File { return &text{strings.NewReader(content), name} }

func (t *text) Close() error { return nil }

func (t *text) Stat() (fs.FileInfo, error) { return t, nil }

func (t *text) Name() string { return t.name }

func (t *text) Mode() fs.FileMode { return 0o444 }

func (t *text) ModTime() time.Time { return time.Time{} }

func (t *text) IsDir() bool { return false }

func (t *text) Sys() any { return nil }
