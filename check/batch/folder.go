package batch

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/report"
)

// A folder of results is all that the machines that work at a list have in common: any file
// system will do on which a rename is atomic. It has
//
//	KEY.json          the result of the question with that key
//	plan-HASH.json    a list that was worked at: its units with their keys
//	.batch-*.tmp      what is being written, or was when a process was killed
//
// A file is written under a temporary name, flushed to disk, and renamed: so whatever
// happens, and whoever writes the same at the same time, a name stands for a whole text. Each
// text comes with its SHA-256, which is looked at whenever it is read.

// ResultSchema and PlanSchema identify the forms of what lies in a folder.
const (
	ResultSchema = "seltl.result/1"
	PlanSchema   = "seltl.batch-plan/1"
)

// Result is the answer to a question.
type Result struct {
	Schema   string         `json:"schema"`
	Key      string         `json:"key"`
	Question Question       `json:"question"`
	Report   *report.Report `json:"report"`
}

// Plan says what there is to do: a list, after its units were read.
type Plan struct {
	Schema string    `json:"schema"`
	Build  string    `json:"build"`
	Lists  []string  `json:"lists"` // as they were named
	Units  []Planned `json:"units"`
}

// Planned is a unit of a plan.
type Planned struct {
	Key    string `json:"key"`
	Text   string `json:"text"`            // its command line
	At     string `json:"at,omitempty"`    // FILE:LINE
	Group  string `json:"group,omitempty"` // see Unit
	Expect string `json:"expect,omitempty"`
}

// PlanOf is the plan of tasks.
func PlanOf(build string, lists []string, tasks []*Task) *Plan {
	p := &Plan{Schema: PlanSchema, Build: build, Lists: lists, Units: make([]Planned, len(tasks))}
	for i, t := range tasks {
		p.Units[i] = Planned{Key: t.Key, Text: Quote(t.Unit.Words), At: t.Place(), Group: t.Group, Expect: t.Expect}
	}
	return p
}

// Damaged is why a file of a folder is not taken for what its name says.
type Damaged struct {
	File string
	Why  string
}

func (e *Damaged) Error() string { return e.File + ": " + e.Why }

// Folder is a folder of results.
type Folder struct{ dir string }

// Create opens a folder, and makes it if it is not there.
func Create(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return Open(dir)
}

// Open opens a folder that is there.
func Open(dir string) (*Folder, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: dir, Err: errors.New("is no folder")}
	}
	return &Folder{dir}, nil
}

// Result reads the result with a key. The error is fs.ErrNotExist if there is none, a
// *Damaged if it is no such result, or that of reading.
func (f *Folder) Result(key string) (*Result, error) {
	name := filepath.Join(f.dir, key+".json")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	r, err := readResult(text)
	switch {
	case err != nil:
		return nil, &Damaged{name, err.Error()}
	case r.Key != key:
		return nil, &Damaged{name, "it is the result of another question"}
	}
	return r, nil
}

// readResult reads the text of a result.
func readResult(text []byte) (*Result, error) {
	r := &Result{}
	if err := unseal(text, r); err != nil {
		return nil, err
	}
	switch {
	case r.Schema != ResultSchema:
		return nil, fmt.Errorf("its form is %q; this seltl reads %s", r.Schema, ResultSchema)
	case r.Question.Schema != QuestionSchema:
		return nil, fmt.Errorf("the form of its question is %q; this seltl reads %s", r.Question.Schema, QuestionSchema)
	case r.Report == nil || r.Report.Schema != report.Schema:
		return nil, errors.New("there is no report in it that this seltl reads")
	case r.Question.Key() != r.Key:
		return nil, errors.New("its key is not that of its question")
	case !slices.Contains([]int{report.ExitHolds, report.ExitViolated, report.ExitInput, report.ExitUnknown, report.ExitInternal}, r.Report.Exit):
		return nil, fmt.Errorf("exit status %d is that of no answer", r.Report.Exit)
	}
	r.Report.Table = r.Report.Command == "check"
	return r, nil
}

// Store writes the result of a task. The error is a *Damaged if nobody could read it, as
// one that is nested too deep, or that of writing.
func (f *Folder) Store(t *Task, r *report.Report) error {
	text, err := sealResult(t, r)
	if err == nil {
		_, err = readResult(text)
	}
	if err != nil {
		return &Damaged{t.Key + ".json", err.Error()}
	}
	return f.write(t.Key+".json", text)
}

// sealResult is the text of a task's result.
func sealResult(t *Task, r *report.Report) ([]byte, error) {
	if r.Results == nil {
		r.Results = []report.Result{}
	}
	r.Schema = report.Schema
	return seal(&Result{Schema: ResultSchema, Key: t.Key, Question: t.Question, Report: r})
}

// sealed is a text with its SHA-256.
type sealed struct {
	SHA256 string          `json:"sha256"`
	Text   json.RawMessage `json:"text"`
}

func seal(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "{\"sha256\":%q,\"text\":%s}\n", Digest(text), text), nil
}

// unseal reads what seal wrote, byte for byte.
func unseal(text []byte, value any) error {
	var s sealed
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("it cannot be read: %w", err)
	}
	if Digest(s.Text) != s.SHA256 {
		return errors.New("its text is not the one that was written: the SHA-256 differs")
	}
	decoder := json.NewDecoder(bytes.NewReader(s.Text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		return fmt.Errorf("it cannot be read: %w", err)
	}
	return nil
}

const planPrefix, planEnding = "plan-", ".json"

// AddPlan writes a plan, or notes that it is the last one that was worked at.
func (f *Folder) AddPlan(p *Plan) error {
	text, err := seal(p)
	if err != nil {
		return err
	}
	name := planPrefix + Digest(text)[:16] + planEnding
	now := time.Now()
	if old, err := os.ReadFile(filepath.Join(f.dir, name)); err == nil && bytes.Equal(old, text) && os.Chtimes(filepath.Join(f.dir, name), now, now) == nil {
		return nil
	}
	return f.write(name, text)
}

// LastPlan reads the plan that was worked at last; others is how many others there are. The
// error is fs.ErrNotExist if there is none.
func (f *Folder) LastPlan() (p *Plan, others int, err error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, 0, err
	}
	last, at, plans := "", time.Time{}, 0
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), planPrefix) || !strings.HasSuffix(e.Name(), planEnding) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // it was removed meanwhile
		}
		if plans++; last == "" || info.ModTime().After(at) {
			last, at = e.Name(), info.ModTime()
		}
	}
	if last == "" {
		return nil, 0, fs.ErrNotExist
	}
	name := filepath.Join(f.dir, last)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, 0, err
	}
	if p, err = readPlan(text); err != nil {
		return nil, 0, &Damaged{name, err.Error()}
	}
	return p, plans - 1, nil
}

// readPlan reads the text of a plan.
func readPlan(text []byte) (*Plan, error) {
	p := &Plan{}
	if err := unseal(text, p); err != nil {
		return nil, err
	}
	if p.Schema != PlanSchema {
		return nil, fmt.Errorf("its form is %q; this seltl reads %s", p.Schema, PlanSchema)
	}
	for _, u := range p.Units {
		if digits, err := hex.DecodeString(u.Key); err != nil || len(digits) != 32 {
			return nil, fmt.Errorf("%q is no key", u.Key)
		}
	}
	return p, nil
}

const tempPrefix, tempEnding = ".batch-", ".tmp"

// write writes a file whole or not at all.
func (f *Folder) write(name string, text []byte) (err error) {
	tmp, err := os.CreateTemp(f.dir, tempPrefix+"*"+tempEnding)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	_, err = tmp.Write(text)
	if err == nil {
		err = tmp.Chmod(0o644)
	}
	if err == nil {
		err = tmp.Sync()
	}
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	// A machine that fails now may lose the name, and then does the unit again.
	return os.Rename(tmp.Name(), filepath.Join(f.dir, name))
}

// leftover is how old a temporary file is that nobody is writing any longer.
const leftover = time.Hour

// Clean removes temporary files of processes that were killed.
func (f *Folder) Clean() error {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tempPrefix) || !strings.HasSuffix(e.Name(), tempEnding) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > leftover {
			_ = os.Remove(filepath.Join(f.dir, e.Name())) // another process may be faster
		}
	}
	return nil
}
