package search

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// Schema is the version of tasks, payloads and checkpoints. It changes whenever workers of
// the version before could not take part.
const Schema = 1

// Kind is what a question asks.
type Kind int

const (
	// Count explores everything and counts.
	Count Kind = iota
	// Deadlock asks whether there is no state without successors, terminated ones and those
	// in error apart.
	Deadlock
	// Error asks whether no state in error can be reached.
	Error
	// Reach asks whether no state can be reached of which Question.Formula, which has no
	// temporal operators and no events, is true.
	Reach
	// LTL asks whether all runs satisfy Question.Formula, or a property of the model.
	LTL
)

var kinds = names.Of[Kind]("question", "count", "deadlock", "error", "reach", "ltl")

func (k Kind) String() string                   { return kinds.String(k) }
func (k Kind) MarshalText() ([]byte, error)     { return kinds.Marshal(k) }
func (k *Kind) UnmarshalText(text []byte) error { return kinds.Unmarshal(text, k) }

// Names lists the texts of all values.
func (Kind) Names() []string { return kinds.List() }

// Question is what is asked of a model.
type Question struct {
	Kind Kind `json:"kind"`
	// Formula is that of Reach and LTL.
	Formula string `json:"formula,omitempty"`
	// Property names an ltl declaration of the model, in place of a Formula.
	Property string `json:"property,omitempty"`
	// Finite is how LTL reads runs that end.
	Finite product.FiniteRuns `json:"finite"`
	// POR is partial-order reduction for LTL: by default where it is sound and worth it. Runs
	// that violate the formula are then not the shortest.
	POR product.POR `json:"por"`
}

// Task is a question and all that workers need to build the network that it is about, the
// same on each: files by name, not by place. It is encoded as JSON.
type Task struct {
	Schema   int               `json:"schema"`
	Files    map[string][]byte `json:"files"`
	Main     string            `json:"main"` // the model, one of Files
	Process  string            `json:"process,omitempty"`
	Params   map[string]int    `json:"params,omitempty"`
	Question Question          `json:"question"`
}

// Read makes a task of a model and what it imports, which it loads by opts, and a question,
// and compiles it. Errors are those of check.Load and of Compile.
func Read(ctx context.Context, main string, opts check.LoadOptions, q Question) (*Task, error) {
	t := &Task{Schema: Schema, Files: map[string][]byte{}, Main: main, Process: opts.Process, Params: opts.Params, Question: q}
	open := opts.Open
	if open == nil {
		open = check.OpenFile
	}
	opts.Open = func(name string) (io.ReadCloser, error) {
		f, err := open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		text, err := io.ReadAll(io.LimitReader(f, source.MaxSpace+1))
		if err != nil {
			return nil, check.FileError(name, err)
		}
		t.Files[name] = text
		return io.NopCloser(bytes.NewReader(text)), nil
	}
	if _, err := check.Load(ctx, main, opts); err != nil {
		return nil, err
	}
	_, err := t.Compile(ctx, opts.Limits)
	return t, err
}

// Digest identifies content and question, whatever else the files may be called by: two
// tasks with the same digest have the same answer. Only files that the task has count.
func (t *Task) Digest() string {
	h := sha256.New()
	put := func(text string) { fmt.Fprintf(h, "%d:%s", len(text), text) }
	put(fmt.Sprintf("seltl-cluster task %d", t.Schema))
	put(t.Main)
	put(t.Process)
	for _, name := range slices.Sorted(maps.Keys(t.Files)) {
		put(name)
		put(string(t.Files[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(t.Params)) {
		put(fmt.Sprintf("%s=%d", name, t.Params[name]))
	}
	question, err := json.Marshal(t.Question)
	if err != nil { // it has no such value: workers will refuse it
		question = fmt.Appendf(nil, "%+v", t.Question)
	}
	put(string(question))
	return hex.EncodeToString(h.Sum(nil))
}

// Compiled is a task with the network that it is about.
type Compiled struct {
	Task  *Task
	Model *check.Model
	Net   *lks.Network
	// Formula is that of the question, nil without one.
	Formula *ltl.Formula
	// Expect is what the model's author expects of a property, "" for nothing.
	Expect report.Verdict
}

// Compile builds the network of a task, from its files alone. Errors are those of the tool:
// diagnostics with positions, or a *check.InputError; a question that a distributed search
// cannot answer is one, too.
func (t *Task) Compile(ctx context.Context, limits budget.Limits) (*Compiled, error) {
	if t.Schema != Schema {
		return nil, fmt.Errorf("the task has schema %d, and this seltl-cluster reads %d: use one build for all", t.Schema, Schema)
	}
	if err := t.Question.check(); err != nil {
		return nil, err
	}
	m, err := check.Load(ctx, t.Main, check.LoadOptions{Process: t.Process, Params: t.Params, Open: t.open, Limits: limits})
	if err != nil {
		return nil, err
	}
	c := &Compiled{Task: t, Model: m}
	switch t.Question.Kind {
	case Count:
		c.Net = m.Net
	case Deadlock, Error:
		c.Net, err = m.Composition()
	case Reach, LTL:
		err = c.ask()
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// open opens a file of the task.
func (t *Task) open(name string) (io.ReadCloser, error) {
	text, ok := t.Files[name]
	if !ok {
		return nil, &check.InputError{Code: "no-such-file", File: name, Text: name + ": the task has no such file", Err: fs.ErrNotExist}
	}
	return io.NopCloser(bytes.NewReader(text)), nil
}

// check says what is wrong with a question, whatever the model.
func (q *Question) check() error {
	wrong := func(text string) error { return &check.InputError{Code: "question", Text: text} }
	if _, err := q.Kind.MarshalText(); err != nil {
		return wrong(err.Error())
	}
	if _, err := q.Finite.MarshalText(); err != nil {
		return wrong(err.Error())
	}
	if _, err := q.POR.MarshalText(); err != nil {
		return wrong(err.Error())
	}
	text := strings.TrimSpace(q.Formula) != ""
	switch {
	case q.Kind == Reach && (!text || q.Property != ""):
		return wrong("the question reach needs a formula about states")
	case q.Kind == LTL && text == (q.Property != ""):
		return wrong("the question ltl needs a formula, or the name of a property of the model")
	case q.Kind != Reach && q.Kind != LTL && (q.Formula != "" || q.Property != ""):
		return wrong(fmt.Sprintf("the question %v has no formula", q.Kind))
	}
	return nil
}

// ask reads the formula of the question.
func (c *Compiled) ask() error {
	var asked check.Question
	if name := c.Task.Question.Property; name != "" {
		declared, err := c.Model.Declared(name)
		if err != nil {
			return err
		}
		asked = declared[0]
	} else {
		var err error
		if asked, err = c.Model.Ask(c.Task.Question.Formula); err != nil {
			return err
		}
	}
	c.Net, c.Formula, c.Expect = asked.Network(), asked.Formula, asked.Expect
	if c.Task.Question.Kind == Reach {
		return aboutStates(c.Formula)
	}
	if asked.Kind == "assert" {
		return &check.InputError{Code: "fair-choice", Text: fmt.Sprintf("%s: assert is about fair choice, which a distributed search does not decide", asked.Name),
			Help: "an ltl property, or a formula, which is about all runs"}
	}
	return c.refuseFairness()
}

// refuseFairness refuses models that declare which runs count.
func (c *Compiled) refuseFairness() error {
	if c.Model.FSP == nil {
		return nil
	}
	declared, err := c.Model.FSP.Fairness(c.Model.Process, c.Net)
	if err == nil && len(declared) > 0 {
		err = &check.InputError{Code: "fairness", File: c.Model.File, Text: c.Model.File + ": the model declares fairness, which a distributed search does not decide",
			Help: "seltl verify, or a model without fair declarations"}
	}
	return err
}

// aboutStates refuses formulas that are not about one state.
func aboutStates(f *ltl.Formula) error {
	wrong := &check.InputError{Code: "not-a-state-formula", Text: "a state is to be reached, but the formula is about more than one state: it has temporal operators or events",
		Help: `propositions, deadlock and enabled(a), joined by ! & | -> <->; the question ltl for G, F, X, U and events`}
	for _, a := range ltl.Atoms(f) {
		if a.Kind == ltl.Event {
			return wrong
		}
	}
	if f.HasPast() || f.HasFuture() || f.HasRegexp() {
		return wrong
	}
	return nil
}
