package syntax

// Composites, and relabelling, which processes have too.

func (p *parser) composite(m Marks) Definition {
	d := &CompositeDef{Marks: m}
	p.Expect("||", "")
	d.Name = p.upper("the name of a composite")
	d.Params = p.params("a composite")
	p.Expect("=", "a composite is defined by ||NAME = (P || Q)")
	d.Body = p.composition()
	if p.Is(">>") || p.Is("<<") {
		start := p.Tok().Span
		d.Priority = &Priority{High: p.Advance().Text == "<<", Set: p.labelSet()}
		d.Priority.Span = p.Since(start)
	}
	d.Hide = p.hiding()
	p.endOfProcess()
	return d
}

func (p *parser) composition() *Composition {
	p.Enter()
	defer p.Leave()
	c := &Composition{}
	start := p.Tok().Span
	switch {
	case p.Accept("if"):
		c.Kind = CompIf
		c.Cond = p.expr()
		p.Expect("then", "")
		c.Yes = p.composition()
		if p.Accept("else") {
			c.No = p.composition()
		}
	case p.Accept("forall"):
		c.Kind = CompForall
		c.Ranges = p.ranges()
		c.Yes = p.composition()
	default:
		p.component(c)
	}
	c.Span = p.Since(start)
	return c
}

// component reads [S::][a:] ( "(" ... ")" | P(args) ) [/{...}].
func (p *parser) component(c *Composition) {
	if p.prefixFollows() {
		l := p.label()
		if p.Accept("::") {
			c.Share = l
			if p.prefixFollows() {
				c.Prefix = p.label()
				p.Expect(":", "")
			}
		} else {
			p.Expect(":", p.noPrefix(l))
			c.Prefix = l
		}
	}
	switch {
	case p.Is("("):
		c.Kind = CompGroup
		open := p.Advance().Span
		for !p.Is(")") || len(c.Group) > 0 { // () is an empty composition
			c.Group = append(c.Group, p.composition())
			if !p.Accept("||") {
				break
			}
		}
		p.closeBracket(")", open, inGroup)
	case p.Tok().Kind == Upper:
		c.Kind = CompRef
		start := p.Tok().Span
		c.Ref = ProcessRef{Name: p.upper("a process name")}
		c.Ref.Args = p.args()
		c.Ref.Span = p.Since(start)
	case p.At > 0 && p.Tokens[p.At-1].Is("||"):
		p.Unexpected("a process", `write a process behind "||", or remove it`)
	default:
		p.Unexpected(`a process name or "("`, "")
	}
	if p.Is("/") {
		c.Relabel = p.relabelling()
	}
}

// prefixFollows reports whether a label with ":" or "::" follows. Only an
// upper-case name leaves a doubt.
func (p *parser) prefixFollows() bool {
	switch t := p.Tok(); {
	case t.Kind == Lower, t.Is("{"), t.Is("["):
		return true
	case t.Kind == Upper:
		return p.try(func() bool {
			p.label()
			return p.Is(":") || p.Is("::")
		})
	}
	return false
}

func (p *parser) relabelling() []*Relabel {
	p.Expect("/", "")
	return p.relabelList()
}

func (p *parser) relabelList() []*Relabel {
	p.Enter()
	defer p.Leave()
	if !p.Is("{") {
		p.Unexpected(`"{"`, "a relabelling is written /{new/old}")
	}
	open := p.Advance().Span
	var rs []*Relabel
	for {
		r := &Relabel{}
		start := p.Tok().Span
		if p.Accept("forall") {
			r.Ranges = p.ranges()
			if p.Is("forall") {
				p.Unexpected(`"{"`, "one forall has all the ranges: forall [i:0..1][j:0..1] {new[i][j]/old[i][j]}")
			}
			r.Body = p.relabelList()
		} else {
			r.New = p.label()
			p.Expect("/", "a relabelling is written new/old")
			r.Old = p.label()
		}
		r.Span = p.Since(start)
		rs = append(rs, r)
		if !p.Accept(",") {
			break
		}
	}
	p.closeBracket("}", open, inRelabel)
	return rs
}
