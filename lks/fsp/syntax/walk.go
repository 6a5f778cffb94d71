package syntax

// Inspect calls f for a node and, where f returns true, for what it is made of, in the
// order of the text.
func Inspect(n Node, f func(Node) bool) {
	if !f(n) {
		return
	}
	w := walker(f)
	switch n := n.(type) {
	case *File:
		for _, d := range n.Defs {
			Inspect(d, f)
		}
	case Definition:
		w.definition(n)
	case *LocalDef:
		if within(n.Name.Span, n.Span) { // else it is that of the definition
			inspect(w, &n.Name)
		}
		inspect(w, n.Index)
		for i := range n.Labels {
			inspect(w, &n.Labels[i])
		}
		inspect(w, n.Body)
	case *StateLabel:
		inspect(w, n.Guard)
		inspect(w, n.Label)
	case *Param:
		inspect(w, &n.Name)
		inspect(w, n.Value)
	case *Body:
		w.body(n)
	case *Choice:
		inspect(w, n.Guard)
		inspect(w, n.Actions...)
		inspect(w, n.Body)
	case *ProcessRef:
		inspect(w, &n.Name)
		inspect(w, n.Args...)
	case *Composition:
		w.composition(n)
	case *Relabel:
		inspect(w, n.New, n.Old)
		inspect(w, n.Ranges...)
		inspect(w, n.Body...)
	case *Priority:
		inspect(w, n.Set)
	case *Hiding:
		inspect(w, n.Set)
	case *Label:
		for i := range n.Parts {
			inspect(w, &n.Parts[i])
		}
	case *LabelPart:
		inspect(w, n.Set, n.Minus)
		inspect(w, n.Index)
	case *LabelSet:
		inspect(w, n.Labels...)
	case *Index:
		w.name(&n.Variable)
		inspect(w, n.Lo, n.Hi, n.Expr)
		inspect(w, n.Set)
	case *Expr:
		inspect(w, n.Label)
		inspect(w, n.Left, n.Right)
	case *Assertion:
		w.name(&n.Name)
		inspect(w, n.Ranges...)
		inspect(w, n.Args...)
		inspect(w, n.Expr)
		inspect(w, n.Label)
		inspect(w, n.Left, n.Right)
	}
}

type walker func(Node) bool

// inspect walks over those of some nodes that are there.
func inspect[T any, P interface {
	*T
	Node
}](w walker, nodes ...P) {
	for _, n := range nodes {
		if n != nil {
			Inspect(n, w)
		}
	}
}

// name walks over a name, unless there is none.
func (w walker) name(n *Name) {
	if n.Text != "" {
		Inspect(n, w)
	}
}

func (w walker) params(ps []Param) {
	for i := range ps {
		inspect(w, &ps[i])
	}
}

func (w walker) definition(d Definition) {
	w.name(&d.Head().Name)
	switch d := d.(type) {
	case *ConstDef:
		inspect(w, d.Value)
	case *RangeDef:
		inspect(w, d.Lo, d.Hi)
	case *SetDef:
		inspect(w, d.Set)
	case *ProcessDef:
		w.params(d.Params)
		inspect(w, d.Locals...)
		inspect(w, d.Extension)
		inspect(w, d.Relabel...)
		inspect(w, d.Hide)
	case *CompositeDef:
		w.params(d.Params)
		inspect(w, d.Body)
		inspect(w, d.Priority)
		inspect(w, d.Hide)
	case *ProgressDef:
		inspect(w, d.Ranges...)
		inspect(w, d.Condition, d.Set)
	case *FairDef:
		inspect(w, d.Ranges...)
		inspect(w, d.Set)
	case *MenuDef:
		inspect(w, d.Set)
	case *FluentDef:
		inspect(w, d.Ranges...)
		inspect(w, d.Begin, d.End)
		inspect(w, d.Initially)
	case *AssertDef:
		w.params(d.Params)
		inspect(w, d.Formula)
		inspect(w, d.Extension)
	}
}

func (w walker) body(b *Body) {
	inspect(w, b.Cond)
	inspect(w, b.Yes, b.No)
	for i := range b.Sequence {
		inspect(w, &b.Sequence[i])
	}
	w.name(&b.Name)
	inspect(w, b.Index...)
	inspect(w, b.Choices...)
}

func (w walker) composition(c *Composition) {
	inspect(w, c.Cond)
	inspect(w, c.Ranges...)
	inspect(w, c.Share, c.Prefix)
	inspect(w, c.Yes, c.No)
	inspect(w, c.Group...)
	if c.Kind == CompRef {
		inspect(w, &c.Ref)
	}
	inspect(w, c.Relabel...)
}

// Enclosing returns the nodes around an offset of the text, from the definition to the
// innermost one. An offset between two nodes belongs to the first, as what is being
// typed does; one in a gap where something is missing to the bad node there.
func (f *File) Enclosing(offset int) []Node {
	var path []Node
	at := int32(offset)
	Inspect(f, func(n Node) bool {
		s := n.Extent()
		if n == Node(f) {
			return true
		}
		if at < s.Start || at > s.End || len(path) > 0 && !within(s, path[len(path)-1].Extent()) {
			return false
		}
		path = append(path, n)
		return true
	})
	return path
}

func within(inner, outer Span) bool { return outer.Start <= inner.Start && inner.End <= outer.End }
