package cfront

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
)

var update = flag.Bool("update", false, "rewrite the manual's page about the C library")

// kindsOf are the columns of the manual's page, by meaning.
var kindsOf = []struct {
	title string
	of    []ir.Meaning
}{
	{"computed", []ir.Meaning{ir.AsOwn, ir.AsBody, ir.AsMath, ir.AsFormat}},
	{"a choice", []ir.Meaning{ir.AsInput, ir.AsOnce, ir.AsSign}},
	{"not known", []ir.Meaning{ir.AsText, ir.AsUnknown, ir.AsBlocking}},
	{"not followed", []ir.Meaning{ir.AsRefused}},
}

// libraryPage is the manual's page about the list. Names that begin with _ are those of the others,
// to headers.
func libraryPage() string {
	var b strings.Builder
	b.WriteString("# The C library\n\n" +
		"What routines are that a [C program](c.md#routines) declares and gives no body, by the headers that declare them:\n\n" +
		"- **computed**: they do what the C library does; what comes from outside of the program (`read`, `getopt`) is [a choice](c.md#routines) of the run;\n" +
		"- **a choice**: any value, or any of a range, is possible: a choice of the run;\n" +
		"- **not known**: a proof holds whatever they return; a failure that depends on it is unknown;\n" +
		"- **not followed**: where a run can come to a call, the verdict is unknown, unless there is a failure without it.\n\n" +
		"Objects of types that a program cannot look into (`pthread_mutex_t`, `sem_t`, attributes, locales) stay as they are.\n\nNames that begin with `_` are in the list that `seltl` has, too, and not here: what the headers of the GNU C library call inside. This page is made from that list.\n")
	headers, names := []string{}, map[string]map[string][]string{}
	for name, line := range ir.KnownLines() {
		if strings.HasPrefix(name, "_") && line.Header != "compiler" || strings.HasPrefix(name, ir.OwnPrefix) {
			continue
		}
		if names[line.Header] == nil {
			names[line.Header] = map[string][]string{}
			headers = append(headers, line.Header)
		}
		for _, k := range kindsOf {
			if slices.Contains(k.of, ir.KnownAs(name).Meaning) {
				names[line.Header][k.title] = append(names[line.Header][k.title], "`"+name+"`")
			}
		}
	}
	slices.Sort(headers)
	for _, h := range headers {
		title := "`" + h + "`"
		if h == "compiler" {
			title = "Of compilers"
		}
		fmt.Fprintf(&b, "\n## %s\n\n| | |\n|---|---|\n", title)
		for _, k := range kindsOf {
			if all := names[h][k.title]; len(all) > 0 {
				slices.Sort(all)
				fmt.Fprintf(&b, "| %s | %s |\n", k.title, strings.Join(all, " "))
			}
		}
	}
	return b.String()
}

// TestLibraryPage: the manual's page says what the list says.
func TestLibraryPage(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "c-library.md")
	if *update {
		if err := os.WriteFile(file, []byte(libraryPage()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != libraryPage() {
		t.Error("docs/c-library.md is not what the list says: go test ./c/cfront -run LibraryPage -update")
	}
}

// opaque are types of the library that a program cannot look into.
var opaque = regexp.MustCompile(`^struct (_*FILE|DIR|locale_t|iconv_t|nl_catd|wctrans_t|sem_t|cnd_t|mtx_t|pthread_\w+|posix_spawn\w+) \*$`)

// TestListedWrites: a routine that is given a place to write to, and is not followed where it does, says so.
func TestListedWrites(t *testing.T) {
	exempt := map[string]bool{"execv": true, "execvp": true, "execve": true, "execvpe": true, "fexecve": true, "execveat": true, // which do not come back, or change nothing
		"sendmsg": true, "writev": true, "pwritev": true, "pwritev64": true, "pwritev2": true, "pwritev64v2": true, "vmsplice": true, "epoll_ctl": true} // which read what they are led to
	for name := range ir.KnownLines() {
		k := ir.KnownAs(name)
		if k.Meaning == ir.AsOwn || k.Meaning == ir.AsBody || k.Meaning == ir.AsFormat || k.Meaning == ir.AsRefused || exempt[name] || strings.HasPrefix(name, ir.OwnPrefix) {
			continue
		}
		list := k.Declaration[strings.Index(k.Declaration, "(")+1 : len(k.Declaration)-1]
		for i, p := range strings.Split(list, ", ") {
			writes := strings.Contains(p, "*") && !strings.HasPrefix(p, "const ") && !strings.HasPrefix(p, "fn ") && !opaque.MatchString(p) || strings.Contains(p, "iovec") || strings.Contains(p, "msghdr")
			if told := k.Null >= 0 && i >= k.Null || slices.ContainsFunc(k.Outputs, func(o ir.Output) bool { return o.Arg == i }); writes && !told {
				t.Errorf("%s may write through argument %d, %s", name, i, p)
			}
		}
	}
}
