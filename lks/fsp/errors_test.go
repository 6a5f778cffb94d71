package fsp_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

var update = flag.Bool("update", false, "rewrite the expected diagnostics")

// diagnose parses and compiles a text and builds each of its processes and
// properties; it returns everything that is reported on the way.
func diagnose(name, text string) string {
	f, err := syntax.Parse(source.NewFile(name, text))
	if err != nil {
		return render(err)
	}
	m, err := fsp.Compile(f, fsp.Options{MaxStates: 1_000_000})
	if err != nil {
		return render(err)
	}
	for _, p := range m.Processes() {
		if _, err := m.Network(p.Name); err != nil {
			return render(err)
		}
	}
	if _, err := m.Properties(""); err != nil {
		return render(err)
	}
	if _, err := m.Progress(); err != nil {
		return render(err)
	}
	if len(m.Processes()) > 0 {
		net, err := m.Network("")
		if err == nil {
			_, err = m.Fairness("", net)
		}
		if err != nil {
			return render(err)
		}
	}
	if ws := m.Warnings(); len(ws) > 0 {
		return render(ws)
	}
	return ""
}

// TestErrors compares diagnostics with testdata/errors.txtar.
func TestErrors(t *testing.T) { compareDiagnostics(t, "testdata/errors.txtar") }

// TestMistakes: what people write who know another language, or are new to this one,
// gives one message, at its place, that says what to do about it.
func TestMistakes(t *testing.T) {
	const path = "testdata/mistakes.txtar"
	compareDiagnostics(t, path)
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files) < 240 {
		t.Errorf("only %d files", len(archive.Files))
	}
	for i := 0; i+1 < len(archive.Files); i += 2 {
		in, got := archive.Files[i], string(archive.Files[i+1].Data)
		messages := strings.Count(got, ": error: ") + strings.Count(got, ": warning: ")
		if messages != 1 || strings.Count(got, "    help: ") != 1 || !strings.HasPrefix(got, in.Name+":") {
			t.Errorf("%s: not one message with a place and a help:\n%s", in.Name, got)
		}
	}
}

func compareDiagnostics(t *testing.T, path string) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(archive.Files); i += 2 {
		in, want := archive.Files[i], &archive.Files[i+1]
		got := diagnose(in.Name, string(in.Data))
		if got == "" {
			t.Errorf("%s: nothing is reported", in.Name)
		}
		if *update {
			want.Data = []byte(got)
			continue
		}
		if got != string(want.Data) {
			t.Errorf("%s:\n%s\nwant\n%s", in.Name, got, want.Data)
		}
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Garbage must give errors, soon, and no panic.
func TestGarbage(t *testing.T) {
	for name, text := range map[string]string{
		"nested parentheses":  "P = " + strings.Repeat("(", soak.Size(100_000)),
		"nested choices":      "P = " + strings.Repeat("(a -> ", soak.Size(100_000)),
		"nested sets":         "set S = " + strings.Repeat("{", soak.Size(100_000)),
		"nested expressions":  "const N = " + strings.Repeat("(", soak.Size(100_000)) + "1",
		"long sum":            "const N = 1" + strings.Repeat("+1", soak.Size(100_000)),
		"unary":               "const N = " + strings.Repeat("-", soak.Size(100_000)) + "1",
		"nested assertions":   "assert A = " + strings.Repeat("[]!", soak.Size(100_000)) + "a",
		"nested composites":   "||C = " + strings.Repeat("(", soak.Size(100_000)),
		"nested relabellings": "||C = P/" + strings.Repeat("{forall [i:0..1] ", soak.Size(100_000)),
		"many definitions":    strings.Repeat("P{a", soak.Size(300_000)),
		"lines":               strings.Repeat("P{\n", soak.Size(300_000)),
		"bytes":               strings.Repeat("\xff\xfe", soak.Size(500_000)),
		"symbols":             strings.Repeat("[](){}..::->", soak.Size(80_000)),
		"quotes":              strings.Repeat("\"'", soak.Size(300_000)),
		"labels":              "P = (a" + strings.Repeat("[0..9]", 12) + " -> P).",
		"long sequence":       "P = (a" + strings.Repeat(" -> a", soak.Size(100_000)) + " -> P.",
		"empty":               "",
	} {
		got := diagnose(name, text)
		if got == "" && name != "empty" {
			t.Errorf("%s: nothing is reported", name)
		}
		if len(got) > 20_000 {
			t.Errorf("%s: %d bytes of messages", name, len(got))
		}
	}
}
