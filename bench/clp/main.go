// Command clp decides queries of constraint logic (.smt2, .clp) by `seltl clp` and by Z3's
// Spacer on the same clauses, one run after the other, each a process of its own. It prints
// a row for each query with the wall and processor time of both and a summary, and fails if
// two answers differ, or one from what the file says.
package main

import (
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/bench/internal/decide"
	"github.com/seltl/seltl/check"
)

// lane is a set of options of seltl clp.
type lane struct {
	name string
	args []string
}

var lanes = []lane{
	{"car", []string{"--method=car"}},
	{"auto", nil},
	{"without-spacer", []string{"--without=spacer"}},
	{"lazy", []string{"--method=car", "--explication=lazy"}},
	{"cores", []string{"--method=car", "--source=cores"}},
	{"plain", []string{"--method=car", "--facts=off"}},
	{"armc", []string{"--method=armc"}},
}

// row is one query with the answers of all lanes and, last, of Spacer.
type row struct {
	name, expect string
	answers      []decide.Answer
}

type bench struct {
	decide.Setup
	lanes []lane
	rows  []row
}

func main() {
	b := &bench{}
	b.Flags("clp", "[folder ...]     (by default specs/clp)", 30*time.Second, "query")
	names := flag.String("lanes", "car,auto,without-spacer", "options of seltl clp to try, of "+strings.Join(laneNames(), ", "))
	flag.Parse()
	if err := b.main(strings.Split(*names, ","), flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "clp:", err)
		os.Exit(1)
	}
}

func laneNames() (names []string) {
	for _, l := range lanes {
		names = append(names, l.name)
	}
	return names
}

func (b *bench) main(names, folders []string, w io.Writer) error {
	for _, name := range names {
		i := slices.IndexFunc(lanes, func(l lane) bool { return l.name == name })
		if i < 0 {
			return fmt.Errorf("-lanes %s: there are %s", name, strings.Join(laneNames(), ", "))
		}
		b.lanes = append(b.lanes, lanes[i])
	}
	if len(folders) == 0 {
		folders = []string{filepath.Join("specs", "clp")}
	}
	var files []string
	for _, f := range folders {
		some, err := queriesIn(f)
		if err != nil {
			return err
		}
		files = append(files, some...)
	}
	defer func() { os.RemoveAll(b.Dir) }()
	if err := b.Prepare("clp"); err != nil {
		return err
	}
	b.header(w)
	for _, f := range files {
		if err := b.decide(f, w); err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
	}
	b.summary(w)
	return b.verdict(w)
}

func queriesIn(root string) (files []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && slices.Contains([]string{".smt2", ".clp"}, filepath.Ext(path)) {
			files = append(files, path)
		}
		return err
	})
	return files, err
}

// known finds what a file says of its verdict.
var known = regexp.MustCompile(`(?m)^(?://|;) expect: (holds|fails)$|^\(set-info :status (sat|unsat)\)`)

// rules finds files whose queries Z3 answers in other words: those get clauses.
var rules = regexp.MustCompile(`(?m)^\((?:rule|query)\b`)

// decide asks everybody about one query.
func (b *bench) decide(file string, w io.Writer) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	r := row{name: filepath.Base(file)}
	if m := known.FindSubmatch(text); m != nil {
		r.expect = "unsafe"
		if string(m[1]) == "holds" || string(m[2]) == "sat" {
			r.expect = "safe"
		}
	}
	clauses := file
	if filepath.Ext(file) == ".clp" || rules.Match(text) {
		q, err := check.LoadQuery(file, nil)
		if err != nil {
			return err
		}
		var out strings.Builder
		if err := q.Clauses.Problem.Write(&out); err != nil {
			return err
		}
		clauses = filepath.Join(b.Dir, "clauses.smt2")
		if err := os.WriteFile(clauses, []byte(out.String()), 0o666); err != nil {
			return err
		}
	}
	for _, l := range b.lanes {
		r.answers = append(r.answers, b.Limits.Query(b.Seltl, file, l.args...))
	}
	r.answers = append(r.answers, b.Limits.Spacer(b.Z3, clauses))
	b.rows = append(b.rows, r)
	fmt.Fprintf(w, "| %s |", r.name)
	for _, a := range r.answers {
		fmt.Fprintf(w, " %s | %.2f | %.2f |", strings.TrimSpace(a.Verdict+" "+strings.ReplaceAll(a.Why, "|", "/")), a.Wall.Seconds(), a.CPU.Seconds())
	}
	fmt.Fprintln(w)
	return nil
}

// column is the name of answer i.
func (b *bench) column(i int) string {
	if i < len(b.lanes) {
		return b.lanes[i].name
	}
	return "spacer"
}

func (b *bench) header(w io.Writer) {
	var head, rule strings.Builder
	for i := range len(b.lanes) + 1 {
		fmt.Fprintf(&head, " %s | wall s | CPU s |", b.column(i))
		rule.WriteString("---|--:|--:|")
	}
	fmt.Fprintf(w, "Limit: %s for each query and program.\n\n| query |%s\n|---|%s\n", b.Limits, head.String(), rule.String())
}

// summary compares every lane with Spacer.
func (b *bench) summary(w io.Writer) {
	fmt.Fprintf(w, "\n%d queries.\n\n| | solved | safe | unsafe | errors | only it | only Spacer | CPU s of what both solved | Spacer's |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n", len(b.rows))
	for i := range len(b.lanes) + 1 {
		count := map[string]int{}
		only, not := 0, 0
		var mine, theirs time.Duration
		for _, r := range b.rows {
			a, s := r.answers[i], r.answers[len(b.lanes)]
			count[a.Verdict]++
			switch {
			case a.Solved() && s.Solved():
				mine, theirs = mine+a.CPU, theirs+s.CPU
			case a.Solved():
				only++
			case s.Solved():
				not++
			}
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d | %.1f | %.1f |\n", b.column(i), count["safe"]+count["unsafe"], count["safe"], count["unsafe"],
			count["error"]+count["refused"], only, not, mine.Seconds(), theirs.Seconds())
	}
}

// verdict is an error if answers are wrong.
func (b *bench) verdict(w io.Writer) error {
	var wrong decide.Wrong
	for _, r := range b.rows {
		wrong.Compare(w, r.name, r.expect, r.answers, b.column)
	}
	return wrong.Err(w)
}
