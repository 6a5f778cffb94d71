package passes

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// dead leaves out what nothing depends on: assignments to variables that are not live behind
// them, where a variable that is read only for values of such variables is not live itself
// (faint variables, [Nielson99]); inputs that are left without a use; and variables of which
// nothing remains. Where other assignments to a variable remain, it becomes 0 where it dies,
// so that it has one value where it is not live, which the image knows.
func dead(in subject) *image {
	sys := in.System
	if len(sys.Locations)*len(sys.Vars) > maxCells {
		return nil
	}
	d := &liveness{flow: newFlow(sys)}
	d.solve(in.watched)
	return d.image(in)
}

// liveness is the analysis: backward, a variable is live if it may be read on a way to an
// error, or for what is watched.
type liveness struct {
	*flow
	live   [][]bool // by location and variable
	always []bool   // by variable: of a sort, or in an initial condition, that keeps it as it is
	guards [][]int  // by edge: variables that are read
	values []map[int][]int
}

func (f *flow) numbers(ts ...*logic.Term) (all []int) {
	for _, v := range logic.Vars(ts...) {
		if i, ok := f.index[v]; ok {
			all = append(all, i)
		}
	}
	return all
}

func (d *liveness) solve(watched []program.Region) {
	d.always = make([]bool, len(d.sys.Vars))
	for i, v := range d.sys.Vars {
		d.always[i] = !plain(v)
	}
	for _, r := range d.sys.Init {
		fixed := bindings(r.Where)
		for _, p := range logic.Conjuncts(r.Where) {
			vars := d.numbers(p)
			for _, i := range vars {
				v := d.sys.Vars[i]
				ok, err := logic.Holds(p, logic.Model{v.Name(): first(v, fixed)})
				d.always[i] = d.always[i] || len(vars) > 1 || !ok || err != nil
			}
		}
	}
	d.live = make([][]bool, len(d.sys.Locations))
	for l := range d.live {
		d.live[l] = slices.Clone(d.always)
	}
	for _, r := range slices.Concat(d.sys.Error, watched) {
		for _, i := range d.numbers(r.Where) {
			d.live[r.Location][i] = true
		}
	}
	for _, e := range d.sys.Edges {
		values := map[int][]int{}
		for v, t := range e.Command.Update {
			values[d.index[v]] = d.numbers(t)
		}
		d.guards, d.values = append(d.guards, d.numbers(e.Command.Guard)), append(d.values, values)
	}
	var work []int
	waiting := make([]bool, len(d.live))
	for l := range d.live {
		work, waiting[l] = append(work, l), true
	}
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		waiting[l] = false
		if d.visit(l) {
			for _, e := range d.in[l] {
				if k := d.sys.Edges[e].From; !waiting[k] {
					work, waiting[k] = append(work, k), true
				}
			}
		}
	}
}

// visit adds what is live at a location because of its edges.
func (d *liveness) visit(l int) (changed bool) {
	live := d.live[l]
	add := func(vars []int) {
		for _, i := range vars {
			changed = changed || !live[i]
			live[i] = true
		}
	}
	for _, e := range d.out[l] {
		add(d.guards[e])
		for i, is := range d.live[d.sys.Edges[e].To] {
			switch values, ok := d.values[e][i]; {
			case !is:
			case ok:
				add(values)
			case !live[i]:
				live[i], changed = true, true
			}
		}
	}
	return changed
}

func (d *liveness) image(in subject) *image {
	cut := make([]bool, len(d.sys.Vars))  // by variable: an assignment is left out
	used := make([]bool, len(d.sys.Vars)) // live somewhere
	for e := range d.sys.Edges {
		for i := range d.values[e] {
			cut[i] = cut[i] || !d.live[d.sys.Edges[e].To][i] || d.chooses(e, i)
		}
	}
	for _, live := range d.live {
		for i, is := range live {
			used[i] = used[i] || is
		}
	}
	m := newImage(in)
	same := d.initial(m, cut, used)
	for i, e := range d.sys.Edges {
		c, chosen, changed := d.command(i, cut, used)
		same = same && !changed
		if !changed {
			c = e.Command
		}
		m.keep(i, c)
		m.ways[i].chosen = chosen
	}
	if same {
		return nil
	}
	m.zero = make([]map[*logic.Term]*logic.Term, len(d.live))
	for l, live := range d.live {
		for i, v := range d.sys.Vars {
			if used[i] && cut[i] && !live[i] {
				if m.zero[l] == nil {
					m.zero[l] = map[*logic.Term]*logic.Term{}
				}
				m.zero[l][v] = logic.Zero(v.Sort()).Term()
			}
		}
	}
	return m
}

// chooses reports that an edge gives an input to a variable that is not live before: that it
// is 0 there lets merge join such edges.
func (d *liveness) chooses(e, variable int) bool {
	edge := &d.sys.Edges[e]
	return !d.live[edge.From][variable] && slices.Contains(edge.Command.Inputs, edge.Command.Update[d.sys.Vars[variable]])
}

// initial leaves variables out, and what is said of others that are not live at first.
func (d *liveness) initial(m *image, cut, used []bool) (same bool) {
	same = true
	m.to.Vars = nil
	for i, v := range d.sys.Vars {
		if used[i] {
			m.to.Vars = append(m.to.Vars, v)
		} else {
			same = false
		}
	}
	for k, r := range m.to.Init {
		var where []*logic.Term
		for _, p := range logic.Conjuncts(r.Where) {
			if vars := d.numbers(p); len(vars) == 1 && (!used[vars[0]] || cut[vars[0]] && !d.live[r.Location][vars[0]]) {
				continue
			}
			where = append(where, p)
		}
		for i, v := range d.sys.Vars {
			if used[i] && cut[i] && !d.live[r.Location][i] {
				where = append(where, logic.Eq(v, logic.Zero(v.Sort()).Term()))
			}
		}
		m.to.Init[k].Where = logic.And(where...)
	}
	return same
}

// command is an edge without what is not needed.
func (d *liveness) command(e int, cut, used []bool) (c *program.Command, chosen logic.Model, changed bool) {
	edge := &d.sys.Edges[e]
	from, to := d.live[edge.From], d.live[edge.To]
	c = &program.Command{Update: map[*logic.Term]*logic.Term{}}
	var values []*logic.Term
	for v, t := range edge.Command.Update {
		if to[d.index[v]] {
			c.Update[v] = t
			values = append(values, t)
		}
	}
	for i, v := range d.sys.Vars {
		_, assigned := d.values[e][i]
		if used[i] && cut[i] && !to[i] && from[i] {
			zero := logic.Zero(v.Sort()).Term()
			changed = changed || edge.Command.Update[v] != zero
			c.Update[v] = zero
		} else if assigned && !to[i] {
			changed = true
		}
	}
	c.Inputs, c.Guard, chosen = needed(edge.Command, values)
	return c, chosen, changed || chosen != nil
}

// needed are the inputs that are read, and the guard without conditions of others: of one
// input alone, and such that some value satisfies, which is returned for image.follow.
func needed(c *program.Command, values []*logic.Term) (inputs []*logic.Term, guard *logic.Term, chosen logic.Model) {
	if len(c.Inputs) == 0 {
		return nil, c.Guard, nil
	}
	read := map[*logic.Term]bool{}
	for _, v := range logic.Vars(values...) {
		read[v] = true
	}
	alone := map[*logic.Term][]*logic.Term{}
	for _, p := range logic.Conjuncts(c.Guard) {
		vars := logic.Vars(p)
		if len(vars) == 1 {
			alone[vars[0]] = append(alone[vars[0]], p)
			continue
		}
		for _, v := range vars {
			read[v] = true
		}
	}
	chosen = logic.Model{}
	left := map[*logic.Term]bool{}
	for _, in := range c.Inputs {
		value, ok := satisfying(in, alone[in])
		if read[in] || !ok {
			inputs = append(inputs, in)
			continue
		}
		chosen[in.Name()] = value
		for _, p := range alone[in] {
			left[p] = true
		}
	}
	if len(chosen) == 0 {
		return c.Inputs, c.Guard, nil
	}
	return inputs, logic.And(slices.DeleteFunc(slices.Clone(logic.Conjuncts(c.Guard)), func(p *logic.Term) bool { return left[p] })...), chosen
}

// satisfying looks for a value of a variable with some properties: 0, or a number next to
// one that they mention.
func satisfying(v *logic.Term, all []*logic.Term) (logic.Value, bool) {
	try := []logic.Value{logic.Zero(v.Sort())}
	if !plain(v) {
		return try[0], len(all) == 0
	}
	if v.Sort() == logic.Bool {
		try = append(try, logic.BoolValue(true))
	}
	for t := range logic.Subterms(all...) {
		if t.Op() == logic.OpNumber && t.Sort() == v.Sort() {
			for d := range int64(3) {
				try = append(try, logic.NumValue(wrapped(new(big.Rat).Add(t.Num(), big.NewRat(d-1, 1)), v.Sort()), v.Sort()))
			}
		}
	}
	for _, value := range try {
		if !slices.ContainsFunc(all, func(p *logic.Term) bool {
			ok, err := logic.Holds(p, logic.Model{v.Name(): value})
			return !ok || err != nil
		}) {
			return value, true
		}
	}
	return try[0], false
}

// wrapped is a number as a word, if that is what is asked for.
func wrapped(n *big.Rat, s *logic.Sort) *big.Rat {
	if s.Kind() != logic.BitVecKind {
		return n
	}
	return new(big.Rat).SetInt(new(big.Int).Mod(n.Num(), new(big.Int).Lsh(big.NewInt(1), uint(s.Width()))))
}
