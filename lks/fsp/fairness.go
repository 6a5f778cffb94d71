package fsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// Fairness is one requirement on the runs that count: one in which actions of the
// set are possible at all times from some point on (Strong: again and again) has
// actions of the set again and again.
type Fairness struct {
	Strong  bool
	Actions []string // whole names, sorted, at least one
	Span    source.Span
}

// fairSet is a requirement as it is declared, which is the same for all processes.
type fairSet struct {
	def     *syntax.FairDef
	actions []string
	at      []syntax.Span // by action: the label that stands for it
}

// maxFairSets bounds the requirements of a file.
const maxFairSets = 10_000

// fairSets evaluates all fair declarations. What is wrong with one whatever the
// process is reported.
func (c *compiler) fairSets() {
	for _, d := range c.File.Defs {
		if d, ok := d.(*syntax.FairDef); ok {
			c.guard(func() { c.addFairSets(d) })
		}
	}
	c.warnOfRepeatedSets()
}

func (c *compiler) addFairSets(d *syntax.FairDef) {
	labels := []*syntax.Label{d.Set}
	if p := &d.Set.Parts[0]; len(d.Set.Parts) == 1 && p.Kind == syntax.PartSet && p.Minus == nil && p.Set.Name == "" {
		labels = p.Set.Labels
	}
	s := c.scope(nil)
	useful := make([]bool, len(labels))
	instance := func() {
		f := fairSet{def: d}
		in := map[string]bool{}
		for i, l := range labels {
			for _, a := range s.Labels([]*syntax.Label{l}) {
				if !in[a] {
					in[a], useful[i] = true, true
					f.actions, f.at = append(f.actions, a), append(f.at, l.Span)
				}
			}
		}
		if len(f.actions) == 0 {
			c.Fail(d.Set.Span, "empty-set", "name at least one action: fair strong {a, b}", "the set of this fairness requirement is empty")
		}
		if len(c.fair) >= maxFairSets {
			c.Exceed(d.Span, "too-large", "use smaller ranges", "the file has more than %d fairness requirements", maxFairSets)
		}
		c.fair = append(c.fair, f)
	}
	if len(d.Ranges) == 0 {
		instance()
	} else {
		s.ForRanges(d.Ranges, instance)
	}
	for i, l := range labels {
		if !useful[i] {
			c.Warnf(l.Span, "repeated-action", "", "what stands before it in this set contains it already: %s", c.Text(l.Span))
		}
	}
}

// warnOfRepeatedSets reports requirements that others, of the same set, imply.
func (c *compiler) warnOfRepeatedSets() {
	first := map[string]int{} // by set: a strong requirement if there is one
	keys := make([]string, len(c.fair))
	for i, f := range c.fair {
		keys[i] = strings.Join(f.sorted(), " ")
		if k, ok := first[keys[i]]; !ok || f.def.Strong && !c.fair[k].def.Strong {
			first[keys[i]] = i
		}
	}
	for i, f := range c.fair {
		other := c.fair[first[keys[i]]]
		if first[keys[i]] == i || c.Warned[f.def.Span] {
			continue
		}
		c.Warned[f.def.Span] = true
		what := "this is required already"
		if other.def.Strong && !f.def.Strong {
			what = "strong fairness of the same set implies this"
		}
		w := c.Errs.Warnf(c.File.Place(f.def.Span), "repeated-fairness", "%s: {%s}", what, strings.Join(f.sorted(), ", "))
		w.Related = []source.Related{{Span: c.File.Place(other.def.Span), Message: "required here"}}
	}
}

func (f *fairSet) sorted() []string { return slices.Sorted(slices.Values(f.actions)) }

// Fairness returns the fairness requirements that the file declares, as they apply
// to a network of the process ("": the default process): what Composition or
// Observed returned for it, or Property.Network.
//
// An action that the network does not have is an error if the process is the
// default one. Elsewhere it is a warning, and the set is without it, which is what it
// means: such an action is never possible. A set of which nothing remains is left out.
func (m *Model) Fairness(process string, net *lks.Network) ([]Fairness, error) {
	c := m.c
	if len(c.fair) == 0 {
		return nil, nil
	}
	main := process == "" || process == m.DefaultProcess()
	var all []Fairness
	reported := map[syntax.Span]bool{}
	for _, f := range c.fair {
		r := Fairness{Strong: f.def.Strong, Span: c.File.Place(f.def.Span)}
		for i, a := range f.actions {
			if net.Action(a) >= 0 {
				r.Actions = append(r.Actions, a)
			} else if !reported[f.at[i]] {
				reported[f.at[i]] = true
				c.unknownFairAction(a, f.at[i], net, main)
			}
		}
		if len(r.Actions) > 0 {
			slices.Sort(r.Actions)
			all = append(all, r)
		}
	}
	if err := c.result(); err != nil {
		return nil, err
	}
	return all, nil
}

func (c *compiler) unknownFairAction(action string, at syntax.Span, net *lks.Network, main bool) {
	help := source.DidYouMean(action, net.Alphabet()[1:])
	if main {
		c.Errorf(at, "no-such-action", help, "%s has no action %s, but a fairness requirement names it", net.Name(), action)
	} else {
		c.Warnf(at, "no-such-action", help, "%s", fmt.Sprintf("this has no meaning for %s, which has no action %s", net.Name(), action))
	}
}
