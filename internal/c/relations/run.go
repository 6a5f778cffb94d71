package relations

import (
	"fmt"

	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
)

// Run is a derivation as a run of the program: the values that it asks for, in the order in
// which it does.
type Run struct {
	Choices []uint64
	End     int // location of the failure, or where the run leaves what is modelled
	in      *encode.Encoding
}

// maxRun bounds the edges of a run.
const maxRun = 5_000_000

// Run reads a derivation of one of the two problems. The error says that the run is too long
// to be done.
func (r *Relations) Run(p *horn.Problem, d *clp.Derivation) (*Run, error) {
	w := &walk{of: r, words: p == r.Words, d: d, run: &Run{End: -1, in: r.Encoding}}
	if err := w.node(0, true); err != nil {
		return nil, err
	}
	return w.run, nil
}

// walk goes through a derivation in the order of the run.
type walk struct {
	of    *Relations
	words bool
	d     *clp.Derivation
	run   *Run
	edges int
}

// node does the path of a node, after what comes before it in its activation; used is that
// the result of the activation is used.
func (w *walk) node(n int, used bool) error {
	c := &w.of.clauses[w.d.Nodes[n].Clause]
	calls := w.d.Nodes[n].Calls
	body := w.of.Words.Clauses[w.d.Nodes[n].Clause].Body
	if len(body) > 0 && w.of.Kinds[body[0].Pred].What == Place {
		if err := w.node(calls[0], used); err != nil {
			return err
		}
		calls = calls[1:]
	}
	for k, edge := range c.edges {
		if w.edges++; w.edges > maxRun {
			return fmt.Errorf("the run is longer than %d steps", maxRun)
		}
		w.choose(n, c, k, edge, used)
		if w.of.Encoding.CallOf(edge) >= 0 {
			if err := w.node(calls[0], w.of.Encoding.UsesResult(edge)); err != nil {
				return err
			}
			calls = calls[1:]
		}
		if to := w.of.Encoding.Words.Edges[edge].To; k == len(c.edges)-1 && c.to == to && w.run.End < 0 {
			if _, is := w.of.Encoding.Failures[to]; is {
				w.run.End = to
			} else if _, is := w.of.Encoding.Lost[to]; is {
				w.run.End = to
			}
		}
	}
	return nil
}

// choose adds what an edge asks for.
func (w *walk) choose(n int, c *clause, k, edge int, used bool) {
	names, silent := w.of.Encoding.Chosen(w.words, edge)
	if silent && !used {
		return // nobody asks for a result that is not there
	}
	called := c.numbers[k]
	if w.words {
		called = c.words[k]
	}
	for _, name := range names {
		var v logic.Value
		if at, ok := called[name]; ok {
			v = w.d.Values[n][at]
		}
		w.run.Choices = append(w.run.Choices, encode.Bits(v))
	}
}

// Replay does the run on package machine, which knows nothing of relations: nil if it fails.
// watch, if not nil, gets the machine first.
func (r *Run) Replay(watch func(*machine.Machine)) (*machine.Recording, error) {
	return r.in.ReplayChoices(r.Choices, watch)
}
