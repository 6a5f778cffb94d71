// Command c decides folders of C programs by `seltl reach` and, on the Horn clauses that
// seltl exports, by Z3's Spacer, one run after the other, each a process of its own. It
// compiles and runs the harness of every failure and has every certificate checked again.
// It prints Markdown, and fails if a verdict is wrong, a harness does not fail, or a
// certificate is refused.
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
	"strings"
	"time"

	"github.com/seltl/seltl/bench/internal/decide"
)

// column is a way to decide a task.
type column struct {
	name    string
	options []string // of seltl reach
}

var columns = []column{
	{"auto", nil},
	{"math", []string{"--integers=math"}},
	{"without-spacer", []string{"--without=spacer"}},
	{"spacer", nil}, // Z3 on the clauses
}

type bench struct {
	decide.Setup
	columns  []column
	model    string
	state    string // rows as they are made, to go on with
	rows     []row
	complain io.Writer
}

// row is what came of a task.
type row struct {
	Task     string
	Answers  map[string]decide.Answer // by column
	Harness  string                   // of a failure: "fails", or what is wrong
	Checked  string                   // of a proof: "accepted", or what is wrong
	expect   string
	recorded float64
}

func main() {
	b := &bench{complain: os.Stderr}
	b.Flags("c", "[folder ...]     (by default ../shared/oracle/c)", 60*time.Second, "task")
	names := flag.String("columns", "auto,math,without-spacer,spacer", "what decides")
	only := flag.String("only", "", "tasks whose names (category/file) match this regular expression")
	flag.StringVar(&b.model, "data-model", "ilp32", "of all tasks: ilp32, lp64, or \"\" for what the names of files say")
	flag.StringVar(&b.state, "state", "", "file to which finished tasks are added as JSON; those that it has are not run again")
	flag.Parse()
	if err := b.main(*names, *only, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "c:", err)
		os.Exit(1)
	}
}

func (b *bench) main(names, only string, folders []string) (err error) {
	if len(folders) == 0 {
		folders = []string{filepath.Join("..", "shared", "oracle", "c")}
		if _, err := os.Stat(folders[0]); errors.Is(err, fs.ErrNotExist) {
			fmt.Println("SKIPPED:", folders[0], "is not there")
			return nil
		}
	}
	tasks, err := b.choose(names, only, folders)
	if err != nil {
		return err
	}
	defer func() { os.RemoveAll(b.Dir) }()
	if err := b.Prepare("c"); err != nil {
		return err
	}
	known, err := b.known()
	if err != nil {
		return err
	}
	b.header(os.Stdout)
	for _, t := range tasks {
		r, done := known[t.Name]
		if !done {
			r = b.decide(t)
			if err := b.keep(r); err != nil {
				return err
			}
		}
		r.expect, r.recorded = t.expect, t.recorded
		b.rows = append(b.rows, r)
		b.print(os.Stdout, r)
	}
	b.summary(os.Stdout)
	return b.verdict(os.Stdout)
}

// choose finds columns and tasks.
func (b *bench) choose(names, only string, folders []string) (tasks []task, err error) {
next:
	for _, name := range strings.Split(names, ",") {
		for _, c := range columns {
			if c.name == name {
				b.columns = append(b.columns, c)
				continue next
			}
		}
		return nil, fmt.Errorf("-columns %s: there is no such column", name)
	}
	wanted, err := regexp.Compile(only)
	if err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	for _, folder := range folders {
		some, err := tasksIn(folder)
		if err != nil {
			return nil, err
		}
		for _, t := range some {
			if wanted.MatchString(t.Name) {
				tasks = append(tasks, t)
			}
		}
	}
	if len(tasks) == 0 {
		return nil, errors.New("no tasks")
	}
	return tasks, nil
}

// known reads the rows of an earlier run.
func (b *bench) known() (map[string]row, error) {
	rows := map[string]row{}
	if b.state == "" {
		return rows, nil
	}
	f, err := os.Open(b.state)
	if errors.Is(err, fs.ErrNotExist) {
		return rows, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for d := json.NewDecoder(f); ; {
		var r row
		if err := d.Decode(&r); err == io.EOF {
			return rows, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", b.state, err)
		}
		rows[r.Task] = r
	}
}

// keep adds a row to the state.
func (b *bench) keep(r row) error {
	if b.state == "" {
		return nil
	}
	f, err := os.OpenFile(b.state, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(f).Encode(r); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
