package fsp

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// relabelling is FSP's relation of old names to new ones. nil is none.
type relabelling map[string][]string

// relation evaluates /{new/old, ...}: each old name sees the variables that its
// new name binds.
func (s *scope) relation(rs []*syntax.Relabel) relabelling {
	if rs == nil {
		return nil
	}
	r := relabelling{}
	s.addRelabels(rs, r)
	return r
}

func (s *scope) addRelabels(rs []*syntax.Relabel, r relabelling) {
	for _, d := range rs {
		if d.Body != nil {
			s.ForRanges(d.Ranges, func() { s.addRelabels(d.Body, r) })
			continue
		}
		s.Expand(d.New, func(new []byte) {
			n := string(new)
			s.Expand(d.Old, func(old []byte) { r.add(string(old), n) })
		})
	}
}

func (r relabelling) add(old, new string) {
	if slices.Contains(r[old], new) {
		return
	}
	r[old] = append(r[old], new)
}

// apply returns the new names of an action: those of the action itself, or else
// of its longest dotted prefix that is relabelled.
func (r relabelling) apply(action string) []string {
	n := matchesPrefix(action, r)
	if n < 0 {
		return []string{action}
	}
	names := r[action[:n]]
	if n == len(action) {
		return names
	}
	return lists.Map(names, func(name string) string { return name + action[n:] })
}

// matcher returns a predicate for the actions that are in a set or have a dotted
// prefix in it.
func (s *scope) matcher(set *syntax.LabelSet) func(action string) bool {
	in := map[string]bool{}
	for _, l := range s.Set(set) {
		in[l] = true
	}
	return func(action string) bool { return matchesPrefix(action, in) >= 0 }
}

// hiddenActions returns a predicate for the actions that \{...} or @{...} hides,
// or nil if there is neither.
func (s *scope) hiddenActions(h *syntax.Hiding) func(action string) bool {
	if h == nil {
		return nil
	}
	match := s.matcher(h.Set)
	if h.Expose {
		return func(action string) bool { return !match(action) }
	}
	return match
}

// matchesPrefix returns the length of the longest dotted prefix of name (name
// itself included) that is in set, or -1.
func matchesPrefix[V any](name string, set map[string]V) int {
	for n := len(name); n > 0; n = strings.LastIndexByte(name[:n], '.') {
		if _, ok := set[name[:n]]; ok {
			return n
		}
	}
	return -1
}

// alphabet maps provisional actions to final ones.
type alphabet struct {
	names   []string  // final, [0] is tau
	renamed [][]int32 // by provisional action: indices into names
}

// newAlphabet relabels and then hides the actions names[1:]; relation and hidden
// may be nil.
func newAlphabet(names []string, relation relabelling, hidden func(string) bool) *alphabet {
	a := &alphabet{names: []string{lks.TauName}, renamed: make([][]int32, len(names))}
	number := map[string]int32{}
	a.renamed[0] = []int32{0}
	for i, old := range names[1:] {
		targets := []string{old}
		if relation != nil {
			targets = relation.apply(old)
		}
		for _, n := range targets {
			id, ok := number[n]
			if !ok {
				if hidden == nil || !hidden(n) {
					id = int32(len(a.names))
					a.names = append(a.names, n)
				}
				number[n] = id
			}
			if !slices.Contains(a.renamed[i+1], id) {
				a.renamed[i+1] = append(a.renamed[i+1], id)
			}
		}
	}
	return a
}
