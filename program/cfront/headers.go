package cfront

import (
	"embed"
	"io/fs"
	"strings"
	"time"
)

// standardHeaders are the headers that come with seltl: declarations of what it knows.
//
//go:embed include/*.h
var standardHeaders embed.FS

// standardFolder is the folder that the parser finds them in.
const standardFolder = "<seltl>"

// predefined are the macros of the data model.
func predefined(model DataModel) string {
	common := `#define __STDC__ 1
#define __STDC_VERSION__ 201112L
#define __STDC_HOSTED__ 1
#define __linux__ 1
#define __unix__ 1
#define __ELF__ 1
#define __CHAR_BIT__ 8
#define __SCHAR_MAX__ 0x7f
#define __SHRT_MAX__ 0x7fff
#define __INT_MAX__ 0x7fffffff
#define __LONG_LONG_MAX__ 0x7fffffffffffffffLL
#define __UINT16_TYPE__ unsigned short
#define __UINT32_TYPE__ unsigned int
#define __WCHAR_TYPE__ int
#define __BYTE_ORDER__ 1234
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
`
	if model == ILP32 {
		return common + `#define __i386__ 1
#define __ILP32__ 1
#define __LONG_MAX__ 0x7fffffffL
#define __SIZE_TYPE__ unsigned int
#define __PTRDIFF_TYPE__ int
#define __INTPTR_TYPE__ int
#define __UINTPTR_TYPE__ unsigned int
#define __INT64_TYPE__ long long int
#define __UINT64_TYPE__ unsigned long long int
`
	}
	return common + `#define __x86_64__ 1
#define __LP64__ 1
#define _LP64 1
#define __LONG_MAX__ 0x7fffffffffffffffL
#define __SIZE_TYPE__ unsigned long
#define __PTRDIFF_TYPE__ long
#define __INTPTR_TYPE__ long
#define __UINTPTR_TYPE__ unsigned long
#define __INT64_TYPE__ long int
#define __UINT64_TYPE__ unsigned long int
`
}

// text is a text as an open file.
type text struct {
	*strings.Reader
	name string
}

func textFile(name, content string) fs.File { return &text{strings.NewReader(content), name} }

func (t *text) Close() error               { return nil }
func (t *text) Stat() (fs.FileInfo, error) { return t, nil }
func (t *text) Name() string               { return t.name }
func (t *text) Mode() fs.FileMode          { return 0o444 }
func (t *text) ModTime() time.Time         { return time.Time{} }
func (t *text) IsDir() bool                { return false }
func (t *text) Sys() any                   { return nil }
