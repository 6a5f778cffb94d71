package semantics

import "slices"

// CountFeatures adds what is interesting about a model to counts.
func (m *Model) CountFeatures(meaning *Meaning, counts map[string]int) {
	name := m.Default()
	asked, silent, err := meaning.Asked(name)
	if err != nil {
		return
	}
	counts["models"]++
	count := func(what string, is bool) {
		if is {
			counts["with "+what]++
		}
	}
	countStates(asked, count)
	count("ERROR and a fluent", has(asked, Error) && len(m.Fluents) > 0)
	hides := false
	for _, s := range silent {
		hides = hides || s
	}
	count("own hiding", hides)
	c := meaning.composite(name)
	if c == nil {
		return
	}
	units, err := meaning.parts(c.Part)
	if err != nil {
		return
	}
	countParts(asked, slices.Concat(units...), count)
	first := len(c.Low)+len(c.High) > 0
	count("priorities", first)
	count("priorities and silent steps of parts", first && silently(asked))
	count("priorities and END", first && has(asked, End))
	count("priorities and ERROR", first && has(asked, Error))
	for _, d := range m.Composites {
		if d.Name == name {
			continue
		}
		g, err := meaning.Seen(d.Name)
		if err != nil || !uses(c.Part, d.Name) {
			continue
		}
		count("a composite as part", true)
		count("a composite as part that hides and terminates", d.Hide != nil && g.HasEnd)
		count("a composite as part with priorities", len(d.Low)+len(d.High) > 0)
		count("a composite as part that reaches END", has(g, End))
	}
}

func has(g *Graph, k Kind) bool {
	return slices.ContainsFunc(g.States, func(s State) bool { return s.Kind == k })
}

// silently reports whether there is a silent step.
func silently(g *Graph) bool {
	return slices.ContainsFunc(g.States, func(s State) bool {
		return slices.ContainsFunc(s.Edges, func(e Edge) bool { return e.Action == tau })
	})
}

// countStates tells count what the states of a whole model have.
func countStates(asked *Graph, count func(what string, is bool)) {
	steps := 0
	endProps := map[string]bool{}
	for _, s := range asked.States {
		steps += len(s.Edges)
		if s.Kind == End {
			endProps[s.observation()] = true
		}
	}
	count("ERROR", asked.ErrorDistance() >= 0)
	count("a deadlock", asked.Deadlock() >= 0)
	count("END", has(asked, End))
	count("END and silent steps", has(asked, End) && silently(asked))
	count("END and ERROR", has(asked, End) && has(asked, Error))
	count("several END states by propositions", len(endProps) > 1)
	count("END with propositions", slices.ContainsFunc(asked.States, func(s State) bool { return s.Kind == End && len(s.Props) > 0 }))
	count("deadlock with propositions", slices.ContainsFunc(asked.States, func(s State) bool { return s.Kind == Normal && len(s.Edges) == 0 && len(s.Props) > 0 }))
	count("no transition at all", steps == 0)
}

// countParts tells count how the parts of a composite go together.
func countParts(asked *Graph, parts []*Graph, count func(what string, is bool)) {
	count("several parts, one with END", len(parts) > 1 && slices.ContainsFunc(parts, func(g *Graph) bool { return g.HasEnd }))
	count("parts that can terminate", canTerminate(parts))
	shared := map[string]int{}
	for _, g := range parts {
		for a := range g.Alphabet {
			shared[a]++
		}
	}
	count("shared actions", slices.ContainsFunc(parts, func(g *Graph) bool {
		for a := range g.Alphabet {
			if shared[a] > 1 {
				return true
			}
		}
		return false
	}))
	count("all at END, but silent steps left", canTerminate(parts) && endWaits(asked, parts))
}

// endWaits looks for a state in which all parts that can end have ended, while others
// still have silent steps.
func endWaits(asked *Graph, parts []*Graph) bool {
	x := &composition{parts: parts, first: make([]int, len(parts)), number: map[string]int{}, g: &Graph{Alphabet: asked.Alphabet, Props: map[string]bool{}}}
	x.find(make([]int, len(parts)))
	for i := 0; i < len(x.tuples) && i < 500; i++ {
		if x.tuples[i] == nil {
			continue
		}
		atEnd := true
		for j, s := range x.tuples[i] {
			if parts[j].HasEnd && parts[j].States[s].Kind != End {
				atEnd = false
			}
		}
		possible := x.possible(x.tuples[i])
		if atEnd && len(possible) > 0 {
			return true
		}
		for _, e := range possible {
			x.find(e.to)
		}
	}
	return false
}

func uses(p *Part, name string) bool {
	return p.Ref == name || slices.ContainsFunc(p.Group, func(q *Part) bool { return uses(q, name) })
}

// Valid reports whether the questions speak of actions and propositions that the
// default process has, and of fluents that are declared.
func (m *Model) Valid(meaning *Meaning) bool {
	asked, _, err := meaning.Asked(m.Default())
	if err != nil {
		return false
	}
	ok := true
	known := func(names []string) {
		for _, n := range names {
			ok = ok && (asked.Alphabet[n] || n == tau)
		}
	}
	for _, f := range m.Fluents {
		known(f.On)
		known(f.Off)
		ok = ok && len(f.On) > 0 && len(f.Off) > 0
	}
	for _, p := range m.Progress {
		known(p.Actions)
		known(p.If)
		ok = ok && len(p.Actions) > 0
	}
	for _, p := range slices.Concat(m.LTLs, m.Asserts) {
		p.Formula.Atoms(func(f *Formula) {
			switch f.Op {
			case "event", "enabled":
				known(f.Names)
			case "prop":
				ok = ok && asked.Props[f.Names[0]]
			case "fluent":
				ok = ok && slices.ContainsFunc(m.Fluents, func(g *Fluent) bool { return g.Name == f.Names[0] })
			}
		})
	}
	return ok
}
