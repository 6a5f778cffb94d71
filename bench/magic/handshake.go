package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seltl/seltl/bench/internal/decide"
	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/testing/appendix"
	"github.com/seltl/seltl/ltl"
)

// table82 are the rows of table 8.2 about OpenSSL: states and transitions of the automaton, states
// of the model, and ms and MB in all. A star is a run that was ended after two hours. The first
// three properties of the server are those of openssl.spec; what the others were is not printed.
var table82 = map[string][5]string{
	"SRVR_1_SS": {"4", "5", "5951", "34090", "-"}, "SRVR_1_SE": {"3", "4", "4269", "19674", "-"},
	"SRVR_2_SS": {"11", "23", "4941", "34102", "-"}, "SRVR_2_SE": {"3", "4", "4269", "19410", "-"},
	"SRVR_3_SS": {"37", "149", "5065", "32137", "-"}, "SRVR_3_SE": {"3", "4", "4269", "20319", "-"},
	"SRVR_4_SS": {"16", "41", "5446", "39341", "28.6"}, "SRVR_4_SE": {"7", "14", "4333", "25906", "24.1"},
	"SRVR_5_SS": {"25", "47", "7951", "56888", "39.3"}, "SRVR_5_SE": {"20", "45", "4331", "22765", "24.2"},
	"CLNT_1_SS": {"16", "41", "4867", "26953", "25.8"}, "CLNT_1_SE": {"7", "14", "3693", "18683", "22.1"},
	"CLNT_2_SS": {"25", "47", "7574", "46444", "38.1"}, "CLNT_2_SE": {"18", "40", "3691", "17269", "21.2"},
	"SSL_1_SS": {"25", "47", "24799528", "*", "850.5"}, "SSL_1_SE": {"20", "45", "13558984", "2206983", "162.4"},
	"SSL_2_SS": {"25", "47", "32597042", "*", "346.6"}, "SSL_2_SE": {"18", "40", "15911791", "4185068", "320.7"},
}

// handshake asks the properties of check/programs/testdata/openssl.spec, with one level and with two:
// table 8.2, and tables 9.2 and 9.3 in kind.
func (b *bench) handshake(w io.Writer) error {
	properties, err := os.ReadFile(filepath.Join("check", "programs", "testdata", "openssl.spec"))
	if err != nil {
		return err
	}
	sources, text, err := appendix.Handshake(".", string(properties))
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintln(w, "SKIPPED: the text of the thesis is not beside the repository")
		return nil
	}
	if err != nil {
		return err
	}
	spec, err := specification.ParseText("openssl.spec", text)
	if err != nil {
		return err
	}
	base := filepath.Join(b.Dir, "openssl")
	for ending, content := range map[string]string{".c": sources, ".spec": text} {
		if err := os.WriteFile(base+ending, []byte(content), 0o666); err != nil {
			return err
		}
	}
	fmt.Fprint(w, "\n## Table 8.2: properties of the OpenSSL handshake\n\nStates and edges of the automaton of the negated formula (B); CPU s; rounds of predicates (P) and searches of quotients (L); the most positions (S) of a round; states of the abstract models in the last round, added up (M); MiB. Of the thesis: B, states of the model, ms, MB; only its first three properties of the server are described.\n\n| property | expected | B |")
	rule := "|---|---|---|"
	for _, l := range levelled[:2] {
		fmt.Fprintf(w, " %s: CPU s | P | L | S | M | MiB |", l[2:])
		rule += "--:|--:|--:|--:|--:|--:|"
	}
	fmt.Fprintf(w, " thesis: B | states | ms | MB |\n%s---|--:|--:|--:|\n", rule)
	for _, d := range spec.Defs {
		p, is := d.(*specification.ProgDef)
		if !is {
			continue
		}
		row := func(name, command, expected, automaton string, options ...string) error {
			t := task{name: "openssl " + name, path: base + ".c", spec: base + ".spec", command: command, expect: verdictOf[expected]}
			return b.handshakeRow(w, t, name, automaton, append(options, "--process="+p.Name.Text, "--globals=private"))
		}
		for _, s := range p.Statements {
			s, is := s.(*specification.Property)
			if !is {
				continue
			}
			size, err := automatonOf(s.Formula.Text)
			if err != nil {
				return err
			}
			if err := row(s.Name.Text, "verify", spec.Expected(s), size, "--property="+s.Name.Text); err != nil {
				return err
			}
		}
		if expected := spec.Expected(p); expected != "" {
			if err := row(p.Name.Text+": deadlock", "deadlock", expected, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// verdictOf is what comments of specifications expect, as a task says it.
var verdictOf = map[string]string{"holds": "safe", "no deadlock": "safe", "fails": "unsafe", "deadlock": "unsafe"}

func (b *bench) handshakeRow(w io.Writer, t task, name, automaton string, options []string) error {
	fmt.Fprintf(w, "| %s | %s | %s |", name, t.expect, automaton)
	for _, l := range levelled[:2] {
		a, err := b.ask(t, append([]string{l}, options...)...)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, " %.2f%s | %d | %d | %d | %d | %.0f |", a.CPU.Seconds(), remark(t, a), a.Work.Rounds, a.Work.Above, a.Work.Positions, a.Work.States, a.Peak/mega)
	}
	r := table82[name]
	thesis := ""
	if r[0] != "" {
		thesis = r[0] + ", " + r[1]
	}
	fmt.Fprintf(w, " %s |\n", strings.Join([]string{thesis, r[2], r[3], r[4]}, " | "))
	return nil
}

// remark is what is said of an answer that is none, or wrong.
func remark(t task, a decide.Answer) string {
	switch {
	case a.Solved() && t.expect != "" && a.Verdict != t.expect:
		return " **WRONG**"
	case !a.Solved():
		return " " + a.Verdict
	}
	return ""
}

// automatonOf is the size of the automaton of a negated formula, as the thesis counts it.
func automatonOf(formula string) (string, error) {
	f, err := ltl.ParseText(formula, ltl.ParseOptions{})
	if err != nil {
		return "", err
	}
	a, err := buchi.Translate(ltl.MakeNot(f), buchi.Options{})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d, %d", a.NumStates(), a.Stats().Edges), nil
}
