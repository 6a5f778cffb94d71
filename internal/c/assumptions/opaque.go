package assumptions

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// Objects of the library's own types (pthread_mutex_t, sem_t) stay as they are when routines of the library are given
// them: that is assumed where the program looks into such objects.

// LooksInto names the types of the library's objects whose bytes the program reads, or may read by a pointer of
// another type, though routines that are called change them. Sorted.
func LooksInto(p *ir.Program) []string {
	own := map[*ir.Type]string{}
	for _, f := range append([]*ir.Func{p.Init}, p.Funcs...) {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if c, ok := i.(*ir.Call); ok && c.Callee != nil && c.Callee.Extern() && c.Callee.Known != nil {
					changes(c.Callee.Known, c, own)
				}
			}
		}
	}
	if len(own) == 0 {
		return nil
	}
	var names []string
	note := func(t *ir.Type) {
		if name := own[t]; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	reads := func(e ir.Expr) {
		switch e := e.(type) {
		case *ir.Load:
			for t := range own {
				if q := e.From; !holds(q.Type, t) && insideOf(q, t) {
					note(t)
				}
			}
		case *ir.Convert:
			if from, to := e.X.Type(), e.T; from.Kind == ir.Pointer && to.Kind == ir.Pointer {
				for t := range own {
					if holds(from.Elem, t) != holds(to.Elem, t) {
						note(t)
					}
				}
			}
		}
	}
	for _, f := range p.Funcs {
		if f.Library {
			continue
		}
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if a, ok := i.(*ir.Assign); ok {
					ir.EachExpr(a.Value, reads)
					ir.Operands(&ir.Load{From: a.To}, func(e ir.Expr) { ir.EachExpr(e, reads) })
					continue
				}
				ir.EachOperand(i, func(e ir.Expr) { ir.EachExpr(e, reads) })
			}
			switch t := b.End.(type) {
			case *ir.Branch:
				ir.EachExpr(t.Cond, reads)
			case *ir.Return:
				if t.Value != nil {
					ir.EachExpr(t.Value, reads)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// changes notes the types of the library's own objects that a call may change, which the list says nothing of.
func changes(k *ir.Known, c *ir.Call, own map[*ir.Type]string) {
	if k.Meaning == ir.AsOwn || k.Meaning == ir.AsBody || k.Meaning == ir.AsFormat || k.Meaning == ir.AsRefused {
		return
	}
	list := strings.Split(strings.TrimSuffix(k.Declaration[strings.Index(k.Declaration, "(")+1:], ")"), ", ")
	for i, a := range c.Args {
		if i >= len(list) || !strings.HasPrefix(list[i], "struct ") || !strings.HasSuffix(list[i], "*") || k.Null >= 0 && i >= k.Null || slices.ContainsFunc(k.Outputs, func(o ir.Output) bool { return o.Arg == i }) {
			continue
		}
		for {
			if t := a.Type(); t.Kind == ir.Pointer && t.Elem.Size > 0 && len(t.Elem.Fields) > 0 {
				own[t.Elem] = strings.TrimSuffix(strings.TrimPrefix(list[i], "struct "), " *")
			}
			conv, ok := a.(*ir.Convert)
			if !ok {
				break
			}
			a = conv.X
		}
	}
}

// holds reports that a type is another one, or has a part that is.
func holds(t, part *ir.Type) bool {
	switch {
	case t == nil:
		return false
	case t == part:
		return true
	case t.Kind == ir.Array:
		return holds(t.Elem, part)
	}
	return slices.ContainsFunc(t.Fields, func(f ir.Field) bool { return holds(f.Type, part) })
}

// insideOf reports a place that may be inside of an object of a type.
func insideOf(q ir.Place, t *ir.Type) bool {
	whole := q.Type
	switch {
	case q.Var != nil:
		whole = q.Var.Type
	case q.Ptr.Type().Kind == ir.Pointer:
		whole = q.Ptr.Type().Elem
	}
	return overlaps(whole, q.Off, t)
}

// overlaps reports that a part of a type, which begins at an offset, may be in a part of another type.
func overlaps(whole *ir.Type, off int64, t *ir.Type) bool {
	switch {
	case whole == nil:
		return false
	case whole == t:
		return true
	case whole.Kind == ir.Array && whole.Elem.Size > 0:
		return holds(whole.Elem, t) && overlaps(whole.Elem, off%whole.Elem.Size, t)
	}
	return slices.ContainsFunc(whole.Fields, func(f ir.Field) bool {
		return f.Off <= off && off < f.Off+max(f.Type.Size, 1) && overlaps(f.Type, off-f.Off, t)
	})
}
