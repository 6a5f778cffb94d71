package fsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// A forgotten prefix makes two actions of one: acquire of RESOURCE and a.acquire of
// a:USER happen each alone, and the processes do not wait for each other. That is no
// error, and processes that have nothing to do with each other may use one word. So
// twins are reported only where the names say that they were meant to be one:
//
//   - x and p.x, each of one process alone, and the process of x has no action with
//     the prefix p at all (one that has knows whom it speaks to); or
//   - p.x and q.x, if all actions of the process of q.x are like that: it then shares
//     no action with anybody.
//
// Copies of one process are never twins of each other.

// twinAction is an action that one process of a composition does alone.
type twinAction struct {
	name      string
	part      int // of the composition, -1 if several processes do it, or none can
	component int // of the part
}

// maxTwinActions bounds the actions of compositions that are looked at: the warning is
// for people, who write smaller ones first.
const maxTwinActions = 1 << 16

// twins looks for the twins among the actions of a composite.
type twins struct {
	c     *compiler
	n     *network
	alone map[string]twinAction // by name
	found map[[2]string][][2]twinAction
	order [][2]string // keys of found: the definitions, in the order of discovery
}

// warnTwins warns of actions of a composite that were probably meant to be one.
func (c *compiler) warnTwins(n *network) {
	total := 0
	for _, p := range n.parts {
		total += len(p.Alphabet())
	}
	if n.lookedForTwins || n.def == nil || len(n.parts) < 2 || total > maxTwinActions {
		return
	}
	n.lookedForTwins = true
	t := &twins{c: c, n: n, alone: map[string]twinAction{}, found: map[[2]string][][2]twinAction{}}
	for i, p := range n.parts {
		t.add(i, p)
	}
	for i, p := range n.parts {
		for _, a := range p.Alphabet()[1:] {
			if y := t.alone[a]; y.part == i {
				t.unprefixed(y)
			}
		}
	}
	if len(t.found) == 0 {
		t.otherPrefixes()
	}
	for _, key := range t.order {
		t.warn(t.found[key])
	}
}

// add notes who does the actions of a part, which may have several components.
func (t *twins) add(i int, p *lks.Network) {
	for _, r := range p.Rules() {
		if r.Action == lks.TauID {
			continue
		}
		x := twinAction{p.Alphabet()[r.Action], i, int(r.Parts[0].Component)}
		if other, ok := t.alone[x.name]; ok && other != x || len(r.Parts) > 1 {
			x.part = -1
		}
		t.alone[x.name] = x
	}
	for _, a := range p.Alphabet()[1:] {
		if _, ok := t.alone[a]; !ok {
			t.alone[a] = twinAction{name: a, part: -1}
		}
	}
}

// process is the name of the process that does an action, definition that of the
// process that it is a copy of.
func (t *twins) process(x twinAction) string { return t.n.parts[x.part].ComponentName(x.component) }

func (t *twins) definition(x twinAction) string {
	name := t.process(x)
	name, _, _ = strings.Cut(name[strings.LastIndexByte(name, ':')+1:], "(")
	return name
}

// unprefixed looks for the twins of p.x that are called x.
func (t *twins) unprefixed(y twinAction) {
	for i := range len(y.name) {
		if y.name[i] != '.' {
			continue
		}
		x, ok := t.alone[y.name[i+1:]]
		if !ok || x.part < 0 || x.part == y.part || t.hasPrefix(x.part, y.name[:i]) {
			continue
		}
		t.note(x, y)
	}
}

// hasPrefix reports whether a part has an action that begins with that prefix.
func (t *twins) hasPrefix(part int, prefix string) bool {
	return slices.ContainsFunc(t.n.parts[part].Alphabet()[1:], func(a string) bool { return strings.HasPrefix(a, prefix+".") })
}

// otherPrefixes looks for processes that share nothing, and all of whose actions have
// twins in one other process.
func (t *twins) otherPrefixes() {
	seen := map[string]bool{}
	for i, p := range t.n.parts {
		actions := p.Alphabet()[1:]
		if len(actions) == 0 || slices.ContainsFunc(actions, func(a string) bool { return t.alone[a].part != i }) {
			continue
		}
		definition := t.definition(t.alone[actions[0]])
		if seen[definition] {
			continue
		}
		seen[definition] = true
		for j := range t.n.parts {
			if j != i && t.allTwins(i, j) {
				break
			}
		}
	}
}

// allTwins notes the twins of part i in part j if all its actions have one.
func (t *twins) allTwins(i, j int) bool {
	var pairs [][2]twinAction
	for _, a := range t.n.parts[i].Alphabet()[1:] {
		x := t.alone[a]
		y, ok := t.twinIn(j, x)
		if !ok {
			return false
		}
		pairs = append(pairs, [2]twinAction{x, t.samePrefix(x, y)})
	}
	for _, p := range pairs {
		t.note(p[0], p[1])
	}
	return true
}

// samePrefix returns the twin of x that another copy of the process of its twin y has
// under the prefix of x, or y if there is none.
func (t *twins) samePrefix(x, y twinAction) twinAction {
	prefix := t.prefix(x)
	for k := range t.n.parts {
		if strings.HasPrefix(y.name, prefix) {
			break
		}
		if z, ok := t.twinIn(k, x); ok && k != x.part && t.definition(z) == t.definition(y) && strings.HasPrefix(z.name, prefix) {
			return z
		}
	}
	return y
}

// prefix returns the first part of the prefix of an action, with its full stop.
func (t *twins) prefix(x twinAction) string {
	suffix, _ := t.withoutPrefix(x)
	prefix, _, _ := strings.Cut(strings.TrimSuffix(x.name, suffix), ".")
	return prefix + "."
}

// twinIn returns a twin of an action in a part, under the same prefix if possible.
func (t *twins) twinIn(part int, x twinAction) (y twinAction, ok bool) {
	suffix, ok := t.withoutPrefix(x)
	if !ok {
		return y, false
	}
	prefix := t.prefix(x)
	ok = false
	for _, b := range t.n.parts[part].Alphabet()[1:] {
		z := t.alone[b]
		if z.part != part || !strings.HasSuffix(b, "."+suffix) || t.definition(z) == t.definition(x) {
			continue
		}
		if !ok || !strings.HasPrefix(y.name, prefix) && strings.HasPrefix(b, prefix) {
			y, ok = z, true
		}
	}
	return y, ok
}

// withoutPrefix returns an action as the definition of its process has it, without the
// prefixes of the process ({a,b}::printer:RES), or else without the first part of its
// name. false: it has one part only.
func (t *twins) withoutPrefix(x twinAction) (string, bool) {
	process := t.process(x)
	rest := x.name
	for prefix := range strings.SplitSeq(process[:max(0, strings.LastIndexByte(process, ':'))], ":") {
		for p := range strings.SplitSeq(strings.Trim(prefix, "{}"), ",") {
			if after, ok := strings.CutPrefix(rest, p+"."); ok && p != "" {
				rest = after
				break
			}
		}
	}
	if rest != x.name {
		return rest, true
	}
	_, rest, ok := strings.Cut(x.name, ".")
	return rest, ok
}

// note keeps twins of two definitions, one way round only.
func (t *twins) note(x, y twinAction) {
	key := [2]string{t.definition(x), t.definition(y)}
	if key[0] == key[1] || t.found[[2]string{key[1], key[0]}] != nil {
		return
	}
	if t.found[key] == nil {
		t.order = append(t.order, key)
	}
	t.found[key] = append(t.found[key], [2]twinAction{x, y})
}

// warn reports the twins of two definitions where the first is used.
func (t *twins) warn(pairs [][2]twinAction) {
	x, y := pairs[0][0], pairs[0][1]
	more := ""
	if len(pairs) > 1 {
		more = fmt.Sprintf(" (and %d more such pairs)", len(pairs)-1)
		if len(pairs) == 2 {
			more = " (and another such pair)"
		}
	}
	at, ok := refTo(t.n.def.Body, t.definition(x))
	if !ok {
		at = t.n.at
	}
	t.c.Warnf(at, "never-synchronised", fmt.Sprintf("if they are one action, prefix or relabel one of the processes: /{%s/%s}", y.name, x.name),
		"in %s, %s of %s and %s of %s are different actions, and neither is shared with any process%s",
		t.n.def.Name.Text, x.name, t.process(x), y.name, t.process(y), more)
}

// refTo finds the place in a composition that names a process.
func refTo(comp *syntax.Composition, name string) (at syntax.Span, ok bool) {
	if comp == nil {
		return syntax.Span{}, false
	}
	if comp.Kind == syntax.CompRef && comp.Ref.Name.Text == name {
		return comp.Ref.Name.Span, true
	}
	for _, inner := range append([]*syntax.Composition{comp.Yes, comp.No}, comp.Group...) {
		if at, ok = refTo(inner, name); ok {
			return at, true
		}
	}
	return syntax.Span{}, false
}
