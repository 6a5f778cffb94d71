package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/bench/internal/decide"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/program/passes"
)

// selection is a list of passes as an option of seltl reach has it.
type selection string

// selections are no pass, each alone, all, and all but each.
func selections() (all []selection) {
	names := passes.Pass(0).Names()
	all = append(all, "none")
	for _, name := range names {
		all = append(all, selection(name))
	}
	all = append(all, selection(strings.Join(names, ",")))
	for i := range names {
		all = append(all, selection(strings.Join(slices.Delete(slices.Clone(names), i, i+1), ",")))
	}
	return all
}

// list are the passes of a selection.
func (s selection) list() (list []passes.Pass) {
	for i, name := range passes.Pass(0).Names() {
		if slices.Contains(strings.Split(string(s), ","), name) {
			list = append(list, passes.Pass(i))
		}
	}
	return list
}

func (s selection) String() string {
	names := passes.Pass(0).Names()
	switch left := len(s.list()); {
	case left == len(names):
		return "all"
	case left == len(names)-1:
		for i, name := range names {
			if !slices.Contains(s.list(), passes.Pass(i)) {
				return "all but " + name
			}
		}
	}
	return string(s)
}

// measured is what a selection of passes came to, over all tasks.
type measured struct {
	solved, wrong               int
	spent, onSolved, applying   time.Duration
	locations, edges, variables []int
}

// passesTable decides tasks with selections of passes, and prints what each came to. The
// sizes are those of the system of unbounded integers after passes, of the tasks that can
// be encoded.
func (b *bench) passesTable(w io.Writer, tasks []task) error {
	known, err := b.known()
	if err != nil {
		return err
	}
	all := map[selection]*measured{}
	for _, s := range selections() {
		all[s] = &measured{}
	}
	for _, t := range tasks {
		r, done := known[t.Name]
		if !done {
			r = row{Task: t.Name, Answers: map[string]decide.Answer{}}
			for _, s := range selections() {
				r.Answers[string(s)] = b.Limits.Seltl(b.Seltl, t.path, append(b.reading(), "--passes="+string(s))...)
			}
			if err := b.keep(r); err != nil {
				return err
			}
		}
		r.expect = t.expect
		enc, _ := b.encoded(t) // what is refused has no size
		for _, s := range selections() {
			m, a := all[s], r.Answers[string(s)]
			b.shout(r, string(s), a)
			m.spent += a.CPU
			switch {
			case b.counts(r, string(s), a):
				m.solved++
				m.onSolved += a.CPU
			case a.Solved():
				m.wrong++
			}
			if enc != nil {
				m.size(enc, s)
			}
		}
	}
	return report(w, len(tasks), all)
}

// size applies passes, and adds what is left.
func (m *measured) size(enc *encode.Encoding, s selection) {
	began := time.Now()
	p := passes.Apply(context.Background(), enc.Numbers, s.list())
	m.applying += time.Since(began)
	last := p.Sizes[len(p.Sizes)-1]
	m.locations, m.edges, m.variables = append(m.locations, last.Locations), append(m.edges, last.Edges), append(m.variables, last.Variables)
}

// encoded reads a task as seltl does.
func (b *bench) encoded(t task) (*encode.Encoding, error) {
	o := cfront.Options{Model: programs.ModelOf(t.path)}
	if k := slices.Index(o.Model.Names(), b.model); k >= 0 {
		o.Model = ir.DataModel(k)
	}
	p, err := programs.LoadC([]string{t.path}, o, nil)
	if err != nil {
		return nil, err
	}
	return encode.Encode(p, "")
}

func report(w io.Writer, tasks int, all map[selection]*measured) error {
	fmt.Fprintf(w, "| passes | solved of %d | CPU s | CPU s of these | wrong | s of the passes | locations | edges | variables |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n", tasks)
	wrong := 0
	sum := func(sizes []int) (n int) {
		for _, size := range sizes {
			n += size
		}
		return n
	}
	for _, s := range selections() {
		m := all[s]
		wrong += m.wrong
		fmt.Fprintf(w, "| %s | %d | %.1f | %.1f | %d | %.1f | %d | %d | %d |\n", s, m.solved, m.spent.Seconds(), m.onSolved.Seconds(), m.wrong, m.applying.Seconds(), sum(m.locations), sum(m.edges), sum(m.variables))
	}
	if wrong > 0 {
		return errors.New("verdicts are wrong")
	}
	return nil
}
