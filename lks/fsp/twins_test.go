package fsp_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// twinWarnings compiles all composites of a text, and returns how they warn of
// actions that were probably meant to be one, with their lines.
func twinWarnings(t *testing.T, name, text string) []string {
	t.Helper()
	f, err := syntax.Parse(source.NewFile(name, text))
	if err != nil {
		return nil
	}
	m, err := fsp.Compile(f, fsp.Options{})
	if err != nil {
		return nil
	}
	for _, p := range m.Processes() {
		if _, err := m.Composition(p.Name); err != nil {
			t.Logf("%s %s: %v", name, p.Name, err)
		}
	}
	var found []string
	for _, w := range m.Warnings() {
		if w.Code == "never-synchronised" {
			found = append(found, w.Span.Text()+": "+w.Message)
		}
	}
	return found
}

func TestTwins(t *testing.T) {
	const resource = "RESOURCE = (acquire -> release -> RESOURCE).\nUSER = (acquire -> use -> release -> USER).\n"
	const printer = "RES = (acquire -> release -> RES).\nUSER = (acquire -> release -> USER).\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"a forgotten prefix", resource + "||S = (a:USER || RESOURCE).", []string{
			"RESOURCE: in S, acquire of RESOURCE and a.acquire of a:USER are different actions, and neither is shared with any process (and another such pair)"}},
		{"many copies", resource + "||S = (a[1..3]:USER || RESOURCE).", []string{
			"RESOURCE: in S, acquire of RESOURCE and a.1.acquire of a.1:USER are different actions, and neither is shared with any process (and 5 more such pairs)"}},
		{"a forgotten relabelling", resource + "||S = (a:USER/{acquire/a.acquire} || RESOURCE).", []string{
			"RESOURCE: in S, release of RESOURCE and a.release of a:USER are different actions, and neither is shared with any process"}},
		{"a property that sees nothing", "LOOP = (enter -> exit -> LOOP).\nproperty ONCE = (enter -> exit -> ONCE).\n||S = (p:LOOP || ONCE).", []string{
			"ONCE: in S, enter of ONCE and p.enter of p:LOOP are different actions, and neither is shared with any process (and another such pair)"}},
		{"another prefix", resource + "||S = (a:USER || b:RESOURCE).", []string{
			"RESOURCE: in S, b.acquire of b:RESOURCE and a.acquire of a:USER are different actions, and neither is shared with any process (and another such pair)"}},
		{"a sharing under other names", resource + "||S = (a:USER || b:USER || {x, y}::RESOURCE).", []string{
			"RESOURCE: in S, x.acquire of {x,y}::RESOURCE and a.acquire of a:USER are different actions, and neither is shared with any process (and 3 more such pairs)"}},
		{"users of a shared one with a name", printer + "||S = (a:USER || b:USER || {a, b}::printer:RES).", []string{
			"USER: in S, a.acquire of a:USER and a.printer.acquire of {a,b}::printer:RES are different actions, and neither is shared with any process (and another such pair)"}},
		{"in another order", printer + "||S = ({a, b}::printer:RES || b:USER || a:USER).", []string{
			"RES: in S, a.printer.acquire of {a,b}::printer:RES and a.acquire of a:USER are different actions, and neither is shared with any process (and 3 more such pairs)"}},
		{"one user", printer + "||S = (a:USER || {a}::printer:RES).", []string{
			"USER: in S, a.acquire of a:USER and a.printer.acquire of {a}::printer:RES are different actions, and neither is shared with any process (and another such pair)"}},
		{"numbered users", printer + "||S = (u[1..2]:USER || {u[1..2]}::printer:RES).", []string{
			"USER: in S, u.1.acquire of u.1:USER and u.1.printer.acquire of {u.1,u.2}::printer:RES are different actions, and neither is shared with any process (and another such pair)"}},
		{"users that do more", resource + "||S = (u[1..2]:USER || {u[1..2]}::printer:RESOURCE).", []string{
			"RESOURCE: in S, u.1.printer.acquire of {u.1,u.2}::printer:RESOURCE and u.1.acquire of u.1:USER are different actions, and neither is shared with any process (and 3 more such pairs)"}},
		{"twins of each other", printer + "||S = (a:USER || l:RES).", []string{
			"USER: in S, a.acquire of a:USER and l.acquire of l:RES are different actions, and neither is shared with any process (and another such pair)"}},
		{"users that know the name", printer + "||S = (a:USER/{printer/a} || b:RES).\n||T = (u[1..2]:USER/{u[i:1..2].printer.acquire/u[i].acquire, u[i:1..2].printer.release/u[i].release} || {u[1..2]}::printer:RES).", []string{
			"USER: in S, printer.acquire of a:USER and b.acquire of b:RES are different actions, and neither is shared with any process (and another such pair)"}},
		{"inside a composite", resource + "||IN = (a:USER || RESOURCE).\n||S = (IN || c:RESOURCE).", []string{
			"RESOURCE: in IN, acquire of RESOURCE and a.acquire of a:USER are different actions, and neither is shared with any process (and another such pair)",
			"RESOURCE: in S, acquire of RESOURCE and a.acquire of a:USER are different actions, and neither is shared with any process (and another such pair)"}},
		{"copies behind a composite", resource + "||IN = (USER || RESOURCE)\\{acquire}.\n||S = (IN || c:RESOURCE).", nil},
		{"inside a built composite", resource + "LOOP = (loop -> LOOP).\n||IN = (LOOP || RESOURCE)\\{loop}.\n||S = (IN || a:USER).", []string{
			"S: in S, acquire of RESOURCE and a.acquire of a:USER are different actions, and neither is shared with any process (and another such pair)"}},
		{"shared", resource + "||S = (a:USER || b:USER || {a, b}::RESOURCE).", nil},
		{"copies", resource + "||S = (a:USER || b:USER || USER).", nil},
		{"a prefix that both know", "MASTER = (slave.start -> rotate -> MASTER).\nSLAVE = (start -> rotate -> SLAVE).\n||S = (MASTER || slave:SLAVE).", nil},
		{"a word in common", "READER = (request -> read -> READER).\nWRITER = (request -> write -> WRITER).\n||S = (r:READER || w:WRITER).", nil},
	} {
		if got := twinWarnings(t, "test.lks", c.text); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestTwinsFalseAlarms: the models of LTSA's textbook and of specs mean what they say.
func TestTwinsFalseAlarms(t *testing.T) {
	files := 0
	for _, dir := range []string{filepath.Join(oracleDir, "examples"), "../../specs"} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".lts" && filepath.Ext(path) != ".lks" {
				return nil // the oracle may not be here
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files++
			for _, w := range twinWarnings(t, path, string(text)) {
				t.Errorf("%s: %s", path, w)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files", files)
	if files < 20 {
		t.Errorf("only %d files", files)
	}
}
