package cfront

import (
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// The ends of blocks are instructions: variables and arrays of variable
// length whose address is taken end there (C11 6.2.4, 5 to 8). Where CheckMemory is asked for, using them then is a
// failure; else only package machine looks at ends, so that no run rests on such a use. What a routine declares outermost ends with
// it, as parameters do.

// block is one of the source, of a routine that is lowered, with what ends with it.
type block struct{ vars []*ir.Var }

// departure is the place in a routine where blocks are left: by a jump to a label, or into an outer block, or
// at their end.
type departure struct {
	at    *ir.Block
	from  spot
	to    []*block // where label is ""
	label string
	end   *ir.End // that was emitted; nil: it comes before the jump at the end of at
}

// spot is a place in a routine: the blocks that are open there, innermost last, and how many variables each has so far.
type spot struct {
	blocks []*block
	had    []int
}

func (r *routine) spot() (s spot) {
	s.blocks = slices.Clone(r.lives.open)
	for _, b := range s.blocks {
		s.had = append(s.had, len(b.vars))
	}
	return s
}

// lives is what is known of blocks while a routine is lowered.
type lives struct {
	open   []*block
	left   []departure
	labels map[string]spot
}

// exit is where break or continue lead, and how many blocks are open there.
type exit struct {
	block *ir.Block
	open  int
}

func (r *routine) exit(to *ir.Block) exit { return exit{to, len(r.lives.open)} }

// belongs notes that a variable ends with the innermost block.
func (r *routine) belongs(v *ir.Var) {
	if n := len(r.lives.open); n > 0 {
		r.lives.open[n-1].vars = append(r.lives.open[n-1].vars, v)
	}
}

// open begins a block.
func (r *routine) open() {
	r.scopes = append(r.scopes, map[string]*ir.Var{})
	r.lives.open = append(r.lives.open, &block{})
}

// close ends one. The outermost two, of parameters and of the body, end with the routine.
func (r *routine) close() {
	if n := len(r.lives.open); n > 2 && r.now.End == nil && len(r.lives.open[n-1].vars) > 0 {
		e := &ir.End{}
		r.now.Instrs = append(r.now.Instrs, e)
		r.lives.left = append(r.lives.left, departure{at: r.now, from: r.spot(), to: r.lives.open[:n-1], end: e})
	}
	r.scopes, r.lives.open = r.scopes[:len(r.scopes)-1], slices.Clone(r.lives.open[:len(r.lives.open)-1])
}

// leaves notes that the block which is being made ends with a jump out of blocks: to a label, or to where so
// many are open.
func (r *routine) leaves(label string, depth int) {
	r.lives.left = append(r.lives.left, departure{at: r.now, from: r.spot(), to: slices.Clone(r.lives.open[:depth]), label: label})
}

// labelledHere notes which blocks a label stands in.
func (r *routine) labelledHere(name string) {
	if r.lives.labels == nil {
		r.lives.labels = map[string]spot{}
	}
	r.lives.labels[name] = r.spot()
}

// endings gives the ends of blocks what ends there, now that all is known: of a jump that is not made any
// more, nothing.
func (r *routine) endings() {
	taken := r.f.AddressTaken()
	for _, d := range r.lives.left {
		from, to, at := d.from.blocks, d.to, spot{}
		if d.label != "" {
			at = r.lives.labels[d.label]
			to = at.blocks
		}
		n := 0
		for n < len(from) && n < len(to) && from[n] == to[n] {
			n++
		}
		e := d.end
		if j, jumps := d.at.End.(*ir.Jump); e == nil && jumps {
			e = &ir.End{Span: j.Span}
		}
		if e == nil {
			continue
		}
		for k := range min(n, len(at.had)) { // arrays of variable length that are declared behind the label
			for _, v := range from[k].vars[min(at.had[k], d.from.had[k]):d.from.had[k]] {
				if r.lengths[v] != nil {
					e.Vars = append(e.Vars, v)
				}
			}
		}
		for _, left := range from[min(max(n, 2), len(from)):] {
			for _, v := range left.vars {
				if taken[v] || r.lengths[v] != nil {
					e.Vars = append(e.Vars, v)
				}
			}
		}
		if d.end == nil && len(e.Vars) > 0 {
			d.at.Instrs = append(d.at.Instrs, e)
		}
	}
	for _, b := range r.f.Blocks {
		b.Instrs = slices.DeleteFunc(b.Instrs, func(i ir.Instr) bool { e, ok := i.(*ir.End); return ok && len(e.Vars) == 0 })
	}
}

// passing is the depth of temporaries that hold a value from one instruction to the next only, wherever they are
// made: no address in them outlives anything.
const passing = 1 << 20

// outliving keeps a value behind the innermost block: of a variable that ends there, say, or its address.
func (r *routine) outliving(e ir.Expr, span ir.Span) ir.Expr {
	e = r.promoteField(e, span)
	t := r.temp(e.Type())
	t.Holds, t.Depth = ir.ShownText(e), max(t.Depth-1, 0)
	r.emit(&ir.Assign{To: ir.Whole(t), Value: e, Span: span})
	return &ir.Load{From: ir.Whole(t)}
}
