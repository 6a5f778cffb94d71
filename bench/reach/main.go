// Command reach decides folders of reachability problems (.gcl, ARMC's terms, linear Horn
// clauses in SMT-LIB) and families of them by `seltl reach` and by Z3's Spacer on the same
// clauses, one run after the other, each a process of its own. It prints a row for each
// problem and a summary, and fails if two answers differ, or one from what the file says.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seltl/seltl/bench/internal/decide"
)

// lane is a set of options of seltl reach.
type lane struct {
	name string
	args []string
}

var lanes = []lane{
	{"auto", nil},
	{"without-spacer", []string{"--without=spacer"}},
	{"interpolation", []string{"--direction=forward"}},
	{"core", []string{"--direction=forward", "--refine=core"}},
	{"a2", []string{"--direction=backward", "--abstraction=a2"}},
	{"a3", []string{"--direction=backward"}},
	{"bounded", []string{"--direction=bounded"}},
	{"induction", []string{"--direction=induction"}},
	{"enumerate", []string{"--direction=enumerate"}},
	{"whole", []string{"--direction=spacer"}},
}

type bench struct {
	decide.Setup
	lanes    []lane
	problems []problem
	rows     []row
}

// row is one problem with the answers of all lanes and, last, of Spacer if it was asked.
type row struct {
	problem
	answers []decide.Answer
}

func main() {
	b := &bench{}
	b.Flags("reach", "[folder ...]     (by default specs/reach)", 10*time.Second, "problem")
	laneNames := flag.String("lanes", "auto,without-spacer", "options of seltl reach to try: "+laneList())
	sizes := flag.String("families", "all", "families beside the folders: all, none, or a list like path=40,flags")
	only := flag.String("only", "", "problems whose names contain this")
	flag.Parse()
	if err := b.main(*laneNames, *sizes, *only, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "reach:", err)
		os.Exit(1)
	}
}

func laneList() string {
	var names []string
	for _, l := range lanes {
		names = append(names, l.name)
	}
	return strings.Join(names, ", ")
}

func (b *bench) main(laneNames, sizes, only string, folders []string) (err error) {
	if err := b.choose(laneNames, sizes, only, folders); err != nil {
		return err
	}
	defer func() { os.RemoveAll(b.Dir) }()
	if err := b.Prepare("reach"); err != nil {
		return err
	}
	b.header(os.Stdout)
	for _, p := range b.problems {
		r, err := b.decide(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		b.rows = append(b.rows, r)
		b.print(os.Stdout, r)
	}
	b.summary(os.Stdout)
	return b.verdict(os.Stdout)
}

// choose fills in lanes and problems.
func (b *bench) choose(laneNames, sizes, only string, folders []string) error {
next:
	for _, name := range strings.Split(laneNames, ",") {
		for _, l := range lanes {
			if l.name == name {
				b.lanes = append(b.lanes, l)
				continue next
			}
		}
		return fmt.Errorf("-lanes %s: there are %s", name, laneList())
	}
	if len(folders) == 0 {
		folders = []string{filepath.Join("specs", "reach")}
	}
	var all []problem
	for _, f := range folders {
		some, err := problemsIn(f)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	grown, err := chosen(sizes)
	if err != nil {
		return err
	}
	for _, p := range append(all, grown...) {
		if strings.Contains(p.name, only) {
			b.problems = append(b.problems, p)
		}
	}
	if len(b.problems) == 0 {
		return fmt.Errorf("no problems")
	}
	return nil
}

// decide asks everybody about one problem.
func (b *bench) decide(p problem) (row, error) {
	r := row{problem: p}
	text, err := p.horn()
	if err != nil {
		return r, err
	}
	file, clauses := filepath.Join(b.Dir, "problem"+p.ending), filepath.Join(b.Dir, "clauses.smt2")
	for name, text := range map[string]string{file: p.text, clauses: text} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return r, err
		}
	}
	for _, l := range b.lanes {
		r.answers = append(r.answers, b.Limits.Seltl(b.Seltl, file, l.args...))
	}
	r.answers = append(r.answers, b.Limits.Spacer(b.Z3, clauses, false))
	return r, nil
}

// verdict is an error if answers are wrong.
func (b *bench) verdict(w io.Writer) error {
	var wrong decide.Wrong
	for _, r := range b.rows {
		wrong.Compare(w, r.name, r.expect, r.answers, b.column)
	}
	return wrong.Err(w)
}

// column is the name of answer i.
func (b *bench) column(i int) string {
	if i < len(b.lanes) {
		return b.lanes[i].name
	}
	return "spacer"
}
