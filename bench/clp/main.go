// Command clp decides queries of constraint logic (.smt2, .clp) by `seltl clp` and by Z3's
// Spacer on the same file, one run after the other, each a process of its own. It prints
// a row for each query with the wall and processor time of both, how many of each folder
// are solved, and a summary, and fails if two answers differ, or one from what the file says.
// An interrupt ends it with what was decided until then.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/bench/internal/decide"
	"github.com/seltl/seltl/check/programs"
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
	{"checked-spacer", []string{"--method=spacer"}},
}

// row is one query with the answers of all lanes and, last, of Spacer.
type row struct {
	query
	expect  string
	answers []decide.Answer
}

// query is a file of a folder.
type query struct{ folder, file string }

// name is the path below the folder.
func (q query) name() string {
	name, err := filepath.Rel(q.folder, q.file)
	if err != nil || name == "." {
		return filepath.Base(q.file)
	}
	return filepath.ToSlash(name)
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
	var queries []query
	for _, f := range folders {
		some, err := queriesIn(f)
		if err != nil {
			return err
		}
		queries = append(queries, some...)
	}
	defer func() { os.RemoveAll(b.Dir) }()
	if err := b.Prepare("clp"); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b.header(w)
	for _, q := range queries {
		r, err := b.decide(q)
		if err != nil {
			return fmt.Errorf("%s: %w", q.file, err)
		}
		if ctx.Err() != nil {
			fmt.Fprintf(w, "\nInterrupted: %d queries are left.\n", len(queries)-len(b.rows))
			break
		}
		b.rows = append(b.rows, r)
		r.write(w)
	}
	b.summary(w)
	return b.verdict(w)
}

func queriesIn(root string) (queries []query, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && slices.Contains([]string{".smt2", ".clp"}, filepath.Ext(path)) {
			queries = append(queries, query{root, path})
		}
		return err
	})
	return queries, err
}

// known finds what a file says of its verdict.
var known = regexp.MustCompile(`(?m)^(?://|;) expect: (holds|fails)$|^\(set-info :status (sat|unsat)\)`)

// asks finds files whose queries Z3 answers in other words: sat is a derivation there.
var asks = regexp.MustCompile(`(?m)^\s*\(query\b`)

// decide asks everybody about one query.
func (b *bench) decide(q query) (row, error) {
	r := row{query: q}
	text, err := os.ReadFile(q.file)
	if err != nil {
		return r, err
	}
	derivation := asks.Match(text)
	if m := known.FindSubmatch(text); m != nil && !derivation {
		r.expect = "unsafe"
		if string(m[1]) == "holds" || string(m[2]) == "sat" {
			r.expect = "safe"
		}
	}
	clauses := q.file
	if filepath.Ext(q.file) == ".clp" {
		if clauses, err = b.clauses(q.file); err != nil {
			return r, err
		}
	}
	for _, l := range b.lanes {
		r.answers = append(r.answers, b.Limits.Query(b.Seltl, q.file, l.args...))
	}
	r.answers = append(r.answers, b.Limits.Spacer(b.Z3, clauses, derivation))
	return r, nil
}

// clauses writes rules as clauses, into a file whose name is returned.
func (b *bench) clauses(file string) (string, error) {
	q, err := programs.LoadQuery(file, nil)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if err := q.Clauses.Problem.Write(&out); err != nil {
		return "", err
	}
	name := filepath.Join(b.Dir, "clauses.smt2")
	return name, os.WriteFile(name, []byte(out.String()), 0o666)
}

func (r row) write(w io.Writer) {
	fmt.Fprintf(w, "| %s |", r.name())
	for _, a := range r.answers {
		fmt.Fprintf(w, " %s | %.2f | %.2f |", strings.TrimSpace(a.Verdict+" "+strings.ReplaceAll(a.Why, "|", "/")), a.Wall.Seconds(), a.CPU.Seconds())
	}
	fmt.Fprintln(w)
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

// summary says how many of each folder are solved, and compares every lane with Spacer.
func (b *bench) summary(w io.Writer) {
	b.folders(w)
	fmt.Fprintf(w, "\n%d queries.\n\n| | solved | safe | unsafe | errors | of Spacer's number | only it | only Spacer | CPU s of what both solved | Spacer's |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n", len(b.rows))
	spacers := 0
	for _, r := range b.rows {
		if r.answers[len(b.lanes)].Solved() {
			spacers++
		}
	}
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
		solved := count["safe"] + count["unsafe"]
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %.0f%% | %d | %d | %.1f | %.1f |\n", b.column(i), solved, count["safe"], count["unsafe"],
			count["error"]+count["refused"], 100*float64(solved)/float64(max(1, spacers)), only, not, mine.Seconds(), theirs.Seconds())
	}
}

// folders is a table of them, if there are several.
func (b *bench) folders(w io.Writer) {
	var names []string
	solved, queries := map[string][]int{}, map[string]int{}
	for _, r := range b.rows {
		f := r.folder
		if queries[f]++; queries[f] == 1 {
			names, solved[f] = append(names, f), make([]int, len(r.answers))
		}
		for i, a := range r.answers {
			if a.Solved() {
				solved[f][i]++
			}
		}
	}
	if len(names) < 2 {
		return
	}
	fmt.Fprint(w, "\n| solved of | queries |")
	for i := range len(b.lanes) + 1 {
		fmt.Fprintf(w, " %s |", b.column(i))
	}
	fmt.Fprintf(w, "\n|---|--:|%s\n", strings.Repeat("--:|", len(b.lanes)+1))
	for _, f := range names {
		fmt.Fprintf(w, "| %s | %d |", filepath.Base(f), queries[f])
		for _, n := range solved[f] {
			fmt.Fprintf(w, " %d |", n)
		}
		fmt.Fprintln(w)
	}
}

// verdict is an error if answers are wrong.
func (b *bench) verdict(w io.Writer) error {
	var wrong decide.Wrong
	for _, r := range b.rows {
		wrong.Compare(w, r.name(), r.expect, r.answers, b.column)
	}
	return wrong.Err(w)
}
