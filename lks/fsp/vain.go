package fsp

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// Relabelling or hiding an action that a process does not have means nothing and
// is most often a typing mistake. LTSA allows it, and one text may stand for many
// processes (forall, parameters), so a label is reported only if it was in vain
// in all of them.

// SwappedRelabelling is the code of the warning about a relabelling that changes nothing
// and would change something the other way round: the model is then hardly the one that
// was meant.
const SwappedRelabelling = "swapped-relabelling"

// vain is what is known of one label of a relabelling or hiding.
type vain struct {
	used    bool
	message string
	help    string
	swapped bool // a relabelling that would change something the other way round
}

// prefixes are the names of actions and their dotted prefixes.
type prefixes map[string]bool

func prefixesOf(actions []string) prefixes {
	ps := prefixes{}
	for _, a := range actions {
		for end := len(a); end > 0 && !ps[a[:end]]; end = strings.LastIndexByte(a[:end], '.') {
			ps[a[:end]] = true
		}
	}
	return ps
}

// actionsOf returns the visible actions of networks, sorted.
func actionsOf(nets []*lks.Network) []string {
	var all []string
	for _, n := range nets {
		all = append(all, n.Alphabet()[1:]...)
	}
	sort.Strings(all)
	return slices.Compact(all)
}

// tried notes that a label was, or was not, of use for a process.
func (c *compiler) tried(at syntax.Span, used bool, process, name string, actions []string) *vain {
	v := c.vain[at]
	if v == nil {
		v = &vain{}
		c.vain[at] = v
	}
	v.used = v.used || used
	if !v.used && v.message == "" {
		v.message = fmt.Sprintf("this changes nothing: there is no action %s in %s", name, process)
		if s := source.Suggest(name, actions); s != "" && s != lks.TauName {
			v.help = fmt.Sprintf("did you mean %q?", s)
		}
	}
	return v
}

// checkRelabels notes which old names are actions of a process.
func (s *scope) checkRelabels(rs []*syntax.Relabel, process string, actions []string) {
	if len(rs) > 0 {
		s.tryRelabels(rs, process, actions, prefixesOf(actions))
	}
}

func (s *scope) tryRelabels(rs []*syntax.Relabel, process string, actions []string, known prefixes) {
	for _, r := range rs {
		if r.Body != nil {
			s.ForRanges(r.Ranges, func() { s.tryRelabels(r.Body, process, actions, known) })
			continue
		}
		s.Expand(r.New, func(new []byte) {
			s.Expand(r.Old, func(old []byte) {
				v := s.c.tried(r.Old.Span, known[string(old)], process, string(old), actions)
				if !v.used && !v.swapped && known[string(new)] {
					v.swapped = true
					v.message = fmt.Sprintf("this relabelling changes nothing: there is no action %s in %s, but there is %s", old, process, new)
					v.help = "the new name stands first: " + s.c.swapped(r)
				}
			})
		})
	}
}

// swapped is the text of a relabelling the other way round: variables are bound by what
// stands first.
func (c *compiler) swapped(r *syntax.Relabel) string {
	first, second := c.Text(r.Old.Span), c.Text(r.New.Span)
	for _, part := range r.New.Parts {
		if part.Index == nil || part.Index.Variable.Text == "" {
			continue
		}
		bound, bare := c.Text(part.Index.Span), "["+part.Index.Variable.Text+"]"
		first = strings.Replace(first, bare, bound, 1)
		second = strings.Replace(second, bound, bare, 1)
	}
	return fmt.Sprintf("/{%s/%s}", first, second)
}

// checkHiding notes which labels of a hiding are actions of a process.
func (s *scope) checkHiding(h *syntax.Hiding, process string, actions []string) {
	if h == nil || h.Set == nil {
		return
	}
	known := prefixesOf(actions)
	if h.Set.Name != "" {
		used := slices.ContainsFunc(s.Set(h.Set), func(l string) bool { return known[l] })
		s.c.tried(h.Set.Span, used, process, "of the set "+h.Set.Name, nil)
		return
	}
	for _, l := range h.Set.Labels {
		for _, name := range s.Labels([]*syntax.Label{l}) {
			s.c.tried(l.Span, known[name], process, name, actions)
		}
	}
}

// vainWarnings adds what was in vain wherever it was tried.
func (c *compiler) vainWarnings(ws *source.List) {
	places := make([]syntax.Span, 0, len(c.vain))
	for at, v := range c.vain {
		if !v.used {
			places = append(places, at)
		}
	}
	slices.SortFunc(places, func(a, b syntax.Span) int { return cmp.Compare(a.Start, b.Start) })
	for _, at := range places {
		code := "no-such-action"
		if c.vain[at].swapped {
			code = SwappedRelabelling
		}
		ws.Warnf(c.File.Place(at), code, "%s", c.vain[at].message).Help = c.vain[at].help
	}
}
