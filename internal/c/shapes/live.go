package shapes

import (
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// live are, by blocks, the variables of a routine that may be read from there on, by their indices; those whose address is
// taken are not looked at: they are everywhere. What is not read again would keep graphs apart that are one.
func live(f *ir.Func, indices map[*ir.Var]int) map[*ir.Block][]bool {
	n := len(f.Params) + len(f.Locals)
	taken := make([]bool, n)
	for v := range f.AddressTaken() {
		if v.Kind != ir.Global {
			taken[indices[v]] = true
		}
	}
	all := map[*ir.Block][]bool{}
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(f.Blocks) {
			in := slices.Clone(taken)
			for _, next := range ir.Following(b) {
				for i, is := range all[next] {
					in[i] = in[i] || is
				}
			}
			reads := func(e ir.Expr) {
				ir.EachExpr(e, func(e ir.Expr) {
					if load, ok := e.(*ir.Load); ok && load.From.Var != nil && load.From.Var.Kind != ir.Global {
						in[indices[load.From.Var]] = true
					}
				})
			}
			switch t := b.End.(type) {
			case *ir.Branch:
				reads(t.Cond)
			case *ir.Return:
				if t.Value != nil {
					reads(t.Value)
				}
			}
			for _, i := range slices.Backward(b.Instrs) {
				if to := ir.Destination(i); to != nil && to.Var != nil && to.Var.Kind != ir.Global && len(to.Index) == 0 && to.Bits == 0 && to.Type.Size == to.Var.Type.Size {
					in[indices[to.Var]] = taken[indices[to.Var]]
				}
				read(i, reads)
				if end, ok := i.(*ir.End); ok { // an array of variable length ends by what points to it
					for _, v := range end.Vars {
						in[indices[v]] = true
					}
				}
			}
			if !slices.Equal(in, all[b]) {
				all[b], changed = in, true
			}
		}
	}
	return all
}

// read visits what an instruction reads, and where it stores only what the place is found by.
func read(i ir.Instr, visit func(ir.Expr)) {
	switch i := i.(type) {
	case *ir.Assign:
		visit(i.Value)
	case *ir.Assume:
		visit(i.Cond)
	case *ir.Use:
		visit(i.Value)
	case *ir.Call:
		if i.Ptr != nil {
			visit(i.Ptr)
		}
		for _, a := range i.Args {
			visit(a)
		}
	}
	if to := ir.Destination(i); to != nil {
		to.Operands(visit)
	}
}

// forgets leaves out what is not read again in a block that begins.
func (s *state) forgets(live []bool) {
	for i, o := range s.top().vars {
		if x := s.objects[o]; !live[i] && len(x.fields) > 0 {
			x = s.own(o)
			x.fields, x.zeroed = nil, false
		}
	}
}
