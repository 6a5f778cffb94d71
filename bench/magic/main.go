// Command magic asks of C programs whether they conform to a specification that never
// performs error, with predicates found in several ways, and prints Markdown: tables 7.1 to
// 7.5 and figures 6.3 and 6.4 of [Chaki05] in kind. Each run is a process of its own, one
// after the other. It fails if a verdict is wrong.
package main

import (
	"encoding/json"
	"errors"
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
)

// never is the specification: nothing but error is spoken of, and it is not done.
const never = `cprog safe = main { abstract never, {(1)}, Never; }
Never = (epsilon -> Never | epsilon -> STOP) +{error}.
`

// column is a way to find predicates.
type column struct {
	name    string
	options []string // of seltl conform
}

var columns = []column{
	{"auto", nil},
	{"few", []string{"--predicates=branches"}},
	{"none", []string{"--predicates=branches", "--minimise=none"}},
	{"greedy", []string{"--predicates=branches", "--minimise=greedy"}},
}

// allColumns are the names of all columns, as -columns has them.
func allColumns() string {
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	return strings.Join(names, ",")
}

// task is a program.
type task struct {
	name, path, expect string
	// Of questions with a specification of their own: the command and the specification.
	command, spec string
}

// run decides it.
func (t task) run(b *bench, options []string) decide.Answer {
	if t.command == "" {
		return b.Limits.Specified(b.Seltl, "conform", t.path, b.spec, options...)
	}
	return b.Limits.Specified(b.Seltl, t.command, t.path, t.spec, options...)
}

// row is the row of the thesis's tables that has the same number; they are made from the
// same routines, but say in other words what is to hold.
func (t task) row() string {
	m := regexp.MustCompile(`s3_(srvr|clnt)[._](?:blast\.)?0*(\d+)`).FindStringSubmatch(t.name)
	if m == nil {
		return ""
	}
	return m[1] + "-" + m[2]
}

type bench struct {
	decide.Setup
	columns []column
	tasks   []task
	spec    string
	state   string // file of runs as they are made, to go on with
	known   map[string]decide.Answer
	wrong   []string
}

func main() {
	b := &bench{known: map[string]decide.Answer{}}
	b.Flags("magic", "[folder]     (by default ../shared/oracle/c)", 15*time.Second, "task")
	names := flag.String("columns", allColumns(), "what finds predicates")
	only := flag.String("only", "", "tasks whose names match this regular expression")
	some := flag.String("some", `s3_clnt_1_true|s3_srvr_1_false|s3_srvr_7_true`, "tasks of the sections optimality, traces and trees")
	sections := flag.String("sections", "tables,optimality,traces,trees,levels,kernel,surge,handshake", "what is measured")
	plots := flag.String("plots", "", "draw figures 6.3 and 6.4 into this folder")
	flag.StringVar(&b.state, "state", "", "file to which finished runs are added as JSON; those that it has are not run again")
	flag.Parse()
	if err := b.main(*names, *only, *some, *sections, *plots, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "magic:", err)
		os.Exit(1)
	}
}

func (b *bench) main(names, only, some, sections, plots, folder string) (err error) {
	if folder == "" {
		folder = filepath.Join("..", "shared", "oracle", "c")
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			fmt.Println("SKIPPED:", folder, "is not there")
			return nil
		}
	}
	if err := b.choose(names, only, folder); err != nil {
		return err
	}
	few, err := regexp.Compile(some)
	if err != nil {
		return fmt.Errorf("-some: %w", err)
	}
	if err := b.remember(); err != nil {
		return err
	}
	defer func() { os.RemoveAll(b.Dir) }()
	if err := b.Prepare("magic"); err != nil {
		return err
	}
	b.spec = filepath.Join(b.Dir, "never.spec")
	if err := os.WriteFile(b.spec, []byte(never), 0o666); err != nil {
		return err
	}
	var chosen []task
	for _, t := range b.tasks {
		if few.MatchString(t.name) {
			chosen = append(chosen, t)
		}
	}
	for _, s := range strings.Split(sections, ",") {
		switch s {
		case "tables":
			err = b.tables(os.Stdout)
		case "optimality":
			err = b.optimality(os.Stdout, chosen)
		case "levels":
			err = b.levels(os.Stdout)
		case "kernel":
			err = b.kernel(os.Stdout)
		case "surge":
			err = b.surge(os.Stdout)
		case "handshake":
			err = b.handshake(os.Stdout)
		case "traces":
			err = b.traces(os.Stdout, chosen, plots)
		case "trees":
			err = b.trees(os.Stdout, chosen, plots)
		default:
			err = fmt.Errorf("-sections %s: there is no such section", s)
		}
		if err != nil {
			return err
		}
	}
	if len(b.wrong) > 0 {
		return errors.New("wrong verdicts: " + strings.Join(b.wrong, "; "))
	}
	fmt.Println("\nNo verdict is wrong.")
	return nil
}

// choose finds columns and tasks.
func (b *bench) choose(names, only, folder string) error {
	for _, name := range strings.Split(names, ",") {
		i := slices.IndexFunc(columns, func(c column) bool { return c.name == name })
		if i < 0 {
			return fmt.Errorf("-columns %s: there is no such column", name)
		}
		b.columns = append(b.columns, columns[i])
	}
	wanted, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	for _, category := range []string{"ssh-simplified", "ssh"} {
		files, err := filepath.Glob(filepath.Join(folder, category, "*.c"))
		if err != nil {
			return err
		}
		for _, path := range files {
			t := task{name: category + "/" + filepath.Base(path), path: path}
			if m := inName.FindStringSubmatch(t.name); m != nil {
				t.expect = map[string]string{"true": "safe", "false": "unsafe"}[m[1]]
			}
			if wanted.MatchString(t.name) {
				b.tasks = append(b.tasks, t)
			}
		}
	}
	if len(b.tasks) == 0 {
		return errors.New("no tasks")
	}
	return nil
}

// inName finds what the name of a file says of its verdict.
var inName = regexp.MustCompile(`_(true|false)\.`)

// kept is a run in the state.
type kept struct {
	Task    string
	Options []string
	Answer  decide.Answer
}

func key(t string, options []string) string { return t + " " + strings.Join(options, " ") }

// remember reads the runs of before.
func (b *bench) remember() error {
	if b.state == "" {
		return nil
	}
	f, err := os.Open(b.state)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	for d := json.NewDecoder(f); ; {
		var k kept
		if err := d.Decode(&k); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", b.state, err)
		}
		b.known[key(k.Task, k.Options)] = k.Answer
	}
}

// ask decides a task, or says what came of it before.
func (b *bench) ask(t task, options ...string) (decide.Answer, error) {
	a, done := b.known[key(t.name, options)]
	if !done {
		a = t.run(b, options)
		b.known[key(t.name, options)] = a
		if err := b.keep(kept{t.name, options, a}); err != nil {
			return a, err
		}
	}
	if a.Solved() && t.expect != "" && a.Verdict != t.expect {
		b.wrong = append(b.wrong, fmt.Sprintf("%s is %s, not %s, with %v", t.name, a.Verdict, t.expect, options))
	}
	return a, nil
}

// keep adds a run to the state.
func (b *bench) keep(k kept) error {
	if b.state == "" {
		return nil
	}
	f, err := os.OpenFile(b.state, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(f).Encode(k), f.Close())
}
