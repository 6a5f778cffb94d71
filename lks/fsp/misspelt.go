package fsp

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// Processes that spell one action in two ways do not wait for each other, which is no error: USER
// with acquire and relase takes a LOCK for ever. So an action that one process has alone is
// reported if it reads nearly like one that others have, while that process has no such action, and
// shares another one with them, or none with anybody.

// participants are who has which action in a composite.
type participants struct {
	c     *compiler
	n     *network
	net   *lks.Network
	of    map[string][]int32 // components by action
	own   [][]string         // actions by component
	names []string           // of the actions, sorted
}

func (c *compiler) participants(n *network) *participants {
	p := &participants{c: c, n: n, net: c.raw(n), of: map[string][]int32{}}
	p.own = make([][]string, len(p.net.Components()))
	for _, r := range p.net.Rules() {
		if r.Action == lks.TauID {
			continue
		}
		name := p.net.Alphabet()[r.Action]
		for _, part := range r.Parts {
			if !slices.Contains(p.of[name], part.Component) {
				p.of[name] = append(p.of[name], part.Component)
				p.own[part.Component] = append(p.own[part.Component], name)
			}
		}
	}
	p.names = slices.Clone(p.net.Alphabet()[1:])
	return p
}

// definition is the process that a component is a copy of, by its name.
func (p *participants) definition(component int32) string {
	full := p.net.ComponentName(int(component))
	if name, _ := (&Model{p.c}).OfComponent(full); name != "" {
		return name
	}
	return full
}

// warnMisspelt warns of actions of a composite that are spelt in two ways, and of properties that
// share no action with any process.
func (c *compiler) warnMisspelt(n *network) {
	total := 0
	for _, p := range n.parts {
		total += len(p.Alphabet())
	}
	if n.lookedForMisspelt || n.def == nil || total > maxTwinActions {
		return
	}
	n.lookedForMisspelt = true
	p := c.participants(n)
	if len(p.net.Components()) < 2 {
		return
	}
	p.blind()
	p.near()
	p.beyond()
}

// told reports whether something was said already of where a name stands in the composition.
func (p *participants) told(at syntax.Span) bool {
	place := p.c.File.Place(at)
	return slices.ContainsFunc(p.c.Errs, func(d source.Diagnostic) bool { return d.Span == place })
}

func (p *participants) place(definition string) syntax.Span {
	if at, ok := refTo(p.n.def.Body, definition); ok {
		return at
	}
	return p.n.at
}

// blind warns of properties that share no action with any other process.
func (p *participants) blind() {
	done := map[string]bool{}
	for i, actions := range p.own {
		full := p.net.ComponentName(i)
		name, property := (&Model{p.c}).OfComponent(full)
		if !property || done[name] || len(actions) == 0 || slices.ContainsFunc(actions, func(a string) bool { return len(p.of[a]) > 1 }) {
			continue
		}
		done[name] = true
		at := p.place(name)
		if p.told(at) {
			continue
		}
		others := lists.Filter(p.names, func(a string) bool { return !slices.Contains(p.of[a], int32(i)) })
		help := ""
		for _, a := range others {
			if own := actions[0]; help == "" && (strings.HasSuffix(a, "."+own) || source.Distance(lastOf(a), lastOf(own)) <= 1) {
				help = fmt.Sprintf("did you mean %s for %s?", a, own)
			}
		}
		p.c.Warnf(at, "blind-property", help, "in %s, the property %s shares no action with any other process, so it observes nothing: %s",
			p.n.def.Name.Text, full, someOf(actions))
	}
}

// lastOf is the last part of an action's name.
func lastOf(action string) string { return action[strings.LastIndexByte(action, '.')+1:] }

func someOf(names []string) string {
	const most = 4
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// maxAlike bounds the words that are compared with each other in one place of a name: more than that
// are not written by hand.
const maxAlike = 300

// near warns of actions that one process has alone, and that differ from one that others have in one
// part of the name by a typing mistake.
func (p *participants) near() {
	like := map[string][]string{} // actions by their name without one part
	each := func(name string, do func(part, rest string)) {
		parts := strings.Split(name, ".")
		for i := range parts {
			if strings.Trim(parts[i], "0123456789") != "" {
				do(parts[i], strings.Join(parts[:i], ".")+".*."+strings.Join(parts[i+1:], "."))
			}
		}
	}
	for _, name := range p.names {
		each(name, func(_, rest string) { like[rest] = append(like[rest], name) })
	}
	maps.DeleteFunc(like, func(_ string, names []string) bool { return len(names) > maxAlike })
	done := map[[2]string]bool{} // definitions, one way round
	for _, x := range p.names {
		if len(p.of[x]) != 1 {
			continue
		}
		each(x, func(part, rest string) {
			for _, y := range like[rest] {
				other := partOf(y, rest)
				if x == y || !mistyped(part, other) || !p.meant(x, y) {
					continue
				}
				key := [2]string{p.definition(p.of[x][0]) + "." + part, p.definition(p.of[y][0]) + "." + other}
				if done[key] || done[[2]string{key[1], key[0]}] {
					continue
				}
				if done[key] = true; len(p.of[y]) == 1 && p.asksFor(p.of[y][0]) && !p.asksFor(p.of[x][0]) {
					p.say(y, x, other, part)
				} else {
					p.say(x, y, part, other)
				}
			}
		})
	}
}

// partOf is what stands for the star of rest in a name.
func partOf(name, rest string) string {
	before, after, _ := strings.Cut(rest, ".*.")
	if before != "" {
		name = name[len(before)+1:]
	}
	if after != "" {
		name = name[:len(name)-len(after)-1]
	}
	return name
}

// mistyped reports whether two words are one with a typing mistake. A first or last letter, a word of
// one or two, or a number tells names apart on purpose: sendA and sendB, c_begin and s_begin, fork1
// and fork2.
func mistyped(x, y string) bool {
	letters := func(s string) string { return strings.TrimRight(s, "0123456789") }
	if strings.EqualFold(x, y) {
		return true
	}
	if letters(x) == letters(y) {
		return false
	}
	xs, ys := strings.Split(x, "_"), strings.Split(y, "_")
	if len(xs) != len(ys) {
		return min(len(x), len(y)) >= 6 && source.Distance(x, y) <= 1
	}
	if len(xs) == 1 {
		return mistypedWord(x, y)
	}
	differ := -1
	for i := range xs {
		if xs[i] != ys[i] {
			if differ >= 0 {
				return false
			}
			differ = i
		}
	}
	a, b := xs[differ], ys[differ]
	return max(len(a), len(b)) >= 3 && (len(a) != len(b) || len(a) >= 4 || swapped(a, b)) && source.Distance(a, b) <= 1 || mistypedWord(a, b)
}

// swapped reports whether words have the same letters.
func swapped(x, y string) bool {
	a, b := []byte(x), []byte(y)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

func mistypedWord(x, y string) bool {
	short := min(len(x), len(y))
	if short < 4 || len(x) == len(y) && (x[1:] == y[1:] || x[:short-1] == y[:short-1]) {
		return false
	}
	most := 1
	if short >= 8 {
		most = 2
	}
	return source.Distance(x, y) <= most
}

// meant reports whether y is what x, of one process alone, should have been called.
func (p *participants) meant(x, y string) bool {
	own := p.of[x][0]
	if slices.Contains(p.of[y], own) || slices.ContainsFunc(p.own[own], func(a string) bool { return strings.HasPrefix(a, y+".") }) {
		return false
	}
	if slices.ContainsFunc(p.of[y], func(i int32) bool { return p.definition(i) == p.definition(own) }) {
		return false
	}
	// They have to do with each other, or it has to do with nobody.
	return !slices.ContainsFunc(p.own[own], func(a string) bool { return len(p.of[a]) > 1 }) || slices.ContainsFunc(p.own[own], func(a string) bool {
		return slices.ContainsFunc(p.of[y], func(i int32) bool { return slices.Contains(p.of[a], i) })
	})
}

// asksFor reports whether a process is one of several that have to do with another: a user, rather than
// what is used.
func (p *participants) asksFor(component int32) bool {
	return strings.Contains(p.net.ComponentName(int(component)), ":") && !strings.Contains(p.net.ComponentName(int(component)), "::")
}

// say warns that x, which one process has alone, is y with another word for one of its parts.
func (p *participants) say(x, y, word, instead string) {
	who := p.net.ComponentName(int(p.of[x][0]))
	have := lists.Append(nil, p.of[y], func(i int32) string { return p.net.ComponentName(int(i)) })
	at := p.place(p.definition(p.of[x][0]))
	p.c.Warnf(at, "misspelt-action", fmt.Sprintf("if they are one action, write %s for %s in %s", instead, word, p.definition(p.of[x][0])),
		"in %s, %s of %s is shared with no process, and reads like %s of %s", p.n.def.Name.Text, x, who, y, someOf(have))
}

// beyond warns of an action that one process has alone, and whose index is the next one to those that
// it shares with another process: take.3 of a process with take.0 to take.3, where the others have
// take.0 to take.2. Nobody waits for it.
func (p *participants) beyond() {
	byRest := map[string][]indexed{} // by their name without one number
	var order []string
	for _, name := range p.names {
		parts := strings.Split(name, ".")
		for i, part := range parts {
			k, err := strconv.Atoi(part)
			if err != nil {
				continue
			}
			rest := strings.Join(parts[:i], ".") + ".*." + strings.Join(parts[i+1:], ".")
			if byRest[rest] == nil {
				order = append(order, rest)
			}
			byRest[rest] = append(byRest[rest], indexed{k, name})
		}
	}
	done := map[string]bool{} // by definition and index: copies are told once
	for _, rest := range order {
		all := byRest[rest]
		slices.SortFunc(all, func(x, y indexed) int { return cmp.Compare(x.index, y.index) })
		if n := len(all); n >= 3 && n <= maxAlike && all[n-1].index-all[0].index == n-1 {
			p.alone(all[n-1], all[:n-1], done)
			p.alone(all[0], all[1:], done)
		}
	}
}

// indexed is an action with one of its indices.
type indexed struct {
	index int
	name  string
}

// alone warns of an action that one process has alone, if all of the others are shared by that process
// and the same other ones.
func (p *participants) alone(x indexed, others []indexed, done map[string]bool) {
	if len(p.of[x.name]) != 1 || len(p.of[others[0].name]) < 2 || !slices.Contains(p.of[others[0].name], p.of[x.name][0]) {
		return
	}
	for _, y := range others[1:] {
		if !slices.Equal(p.of[y.name], p.of[others[0].name]) {
			return
		}
	}
	own := p.of[x.name][0]
	key := fmt.Sprint(p.definition(own), " ", x.index)
	if done[key] {
		return
	}
	done[key] = true
	var have []string
	for _, i := range p.of[others[0].name] {
		if i != own {
			have = append(have, p.net.ComponentName(int(i)))
		}
	}
	p.c.Warnf(p.place(p.definition(own)), "index-alone", fmt.Sprintf("if nobody should do it, let %s have no more indices; otherwise give %s one more", p.net.ComponentName(int(own)), someOf(have)),
		"in %s, %s of %s is shared with no process, while %s to %s are shared with %s", p.n.def.Name.Text, x.name, p.net.ComponentName(int(own)), others[0].name, others[len(others)-1].name, someOf(have))
}
