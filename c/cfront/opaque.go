package cfront

import (
	"slices"
	"strings"
)

// Objects of the library's own types (pthread_mutex_t, sem_t) stay as they are when routines of the library are given
// them: that is assumed where the program looks into such objects.

// LooksInto names the types of the library's objects whose bytes the program reads, or may read by a pointer of
// another type, though routines that are called change them. Sorted.
func (p *Program) LooksInto() []string {
	own := map[*Type]string{}
	for _, f := range append([]*Func{p.Init}, p.Funcs...) {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if c, ok := i.(*Call); ok && c.Callee != nil && c.Callee.Extern() && c.Callee.Known != nil {
					c.Callee.Known.changes(c, own)
				}
			}
		}
	}
	if len(own) == 0 {
		return nil
	}
	var names []string
	note := func(t *Type) {
		if name := own[t]; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	reads := func(e Expr) {
		switch e := e.(type) {
		case *Load:
			for t := range own {
				if q := e.From; !holds(q.Type, t) && insideOf(q, t) {
					note(t)
				}
			}
		case *Convert:
			if from, to := e.X.Type(), e.T; from.Kind == Pointer && to.Kind == Pointer {
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
				if a, ok := i.(*Assign); ok {
					eachExpr(a.Value, reads)
					operands(&Load{a.To}, func(e Expr) { eachExpr(e, reads) })
					continue
				}
				eachOperand(i, func(e Expr) { eachExpr(e, reads) })
			}
			switch t := b.End.(type) {
			case *Branch:
				eachExpr(t.Cond, reads)
			case *Return:
				if t.Value != nil {
					eachExpr(t.Value, reads)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// changes notes the types of the library's own objects that a call may change, which the list says nothing of.
func (k *Known) changes(c *Call, own map[*Type]string) {
	if k.Meaning == AsOwn || k.Meaning == AsBody || k.Meaning == AsFormat || k.Meaning == AsRefused {
		return
	}
	list := strings.Split(strings.TrimSuffix(k.typ[strings.Index(k.typ, "(")+1:], ")"), ", ")
	for i, a := range c.Args {
		if i >= len(list) || !strings.HasPrefix(list[i], "struct ") || !strings.HasSuffix(list[i], "*") || k.Null >= 0 && i >= k.Null || slices.ContainsFunc(k.outputs, func(o output) bool { return o.arg == i }) {
			continue
		}
		for {
			if t := a.Type(); t.Kind == Pointer && t.Elem.Size > 0 && len(t.Elem.Fields) > 0 {
				own[t.Elem] = strings.TrimSuffix(strings.TrimPrefix(list[i], "struct "), " *")
			}
			conv, ok := a.(*Convert)
			if !ok {
				break
			}
			a = conv.X
		}
	}
}

// holds reports that a type is another one, or has a part that is.
func holds(t, part *Type) bool {
	switch {
	case t == nil:
		return false
	case t == part:
		return true
	case t.Kind == Array:
		return holds(t.Elem, part)
	}
	return slices.ContainsFunc(t.Fields, func(f Field) bool { return holds(f.Type, part) })
}

// insideOf reports a place that may be inside of an object of a type.
func insideOf(q Place, t *Type) bool {
	whole := q.Type
	switch {
	case q.Var != nil:
		whole = q.Var.Type
	case q.Ptr.Type().Kind == Pointer:
		whole = q.Ptr.Type().Elem
	}
	return overlaps(whole, q.Off, t)
}

// overlaps reports that a part of a type, which begins at an offset, may be in a part of another type.
func overlaps(whole *Type, off int64, t *Type) bool {
	switch {
	case whole == nil:
		return false
	case whole == t:
		return true
	case whole.Kind == Array && whole.Elem.Size > 0:
		return holds(whole.Elem, t) && overlaps(whole.Elem, off%whole.Elem.Size, t)
	}
	return slices.ContainsFunc(whole.Fields, func(f Field) bool {
		return f.Off <= off && off < f.Off+max(f.Type.Size, 1) && overlaps(f.Type, off-f.Off, t)
	})
}
