package syntax

// Composites, and relabelling, which processes have too.

func (p *parser) composite(m Marks) Definition {
	d := &CompositeDef{Marks: m}
	p.expect("||", "")
	d.Name = p.upper("the name of a composite")
	d.Params = p.params("a composite")
	p.expect("=", "a composite is defined by ||NAME = (P || Q)")
	d.Body = p.composition()
	if p.is(">>") || p.is("<<") {
		start := p.tok().Span
		d.Priority = &Priority{High: p.advance().Text == "<<", Set: p.labelSet()}
		d.Priority.Span = p.since(start)
	}
	d.Hide = p.hiding()
	p.endOfProcess()
	return d
}

func (p *parser) composition() *Composition {
	p.enter()
	defer p.leave()
	c := &Composition{}
	start := p.tok().Span
	switch {
	case p.accept("if"):
		c.Kind = CompIf
		c.Cond = p.expr()
		p.expect("then", "")
		c.Yes = p.composition()
		if p.accept("else") {
			c.No = p.composition()
		}
	case p.accept("forall"):
		c.Kind = CompForall
		c.Ranges = p.ranges()
		c.Yes = p.composition()
	default:
		p.component(c)
	}
	c.Span = p.since(start)
	return c
}

// component reads [S::][a:] ( "(" ... ")" | P(args) ) [/{...}].
func (p *parser) component(c *Composition) {
	if p.prefixFollows() {
		l := p.label()
		if p.accept("::") {
			c.Share = l
			if p.prefixFollows() {
				c.Prefix = p.label()
				p.expect(":", "")
			}
		} else {
			p.expect(":", p.noPrefix(l))
			c.Prefix = l
		}
	}
	switch {
	case p.is("("):
		c.Kind = CompGroup
		open := p.advance().Span
		for !p.is(")") || len(c.Group) > 0 { // () is an empty composition
			c.Group = append(c.Group, p.composition())
			if !p.accept("||") {
				break
			}
		}
		p.closeBracket(")", open, inGroup)
	case p.tok().Kind == Upper:
		c.Kind = CompRef
		start := p.tok().Span
		c.Ref = ProcessRef{Name: p.upper("a process name")}
		c.Ref.Args = p.args()
		c.Ref.Span = p.since(start)
	case p.at > 0 && p.tokens[p.at-1].symbol("||"):
		p.unexpected("a process", `write a process behind "||", or remove it`)
	default:
		p.unexpected(`a process name or "("`, "")
	}
	if p.is("/") {
		c.Relabel = p.relabelling()
	}
}

// prefixFollows reports whether a label with ":" or "::" follows. Only an
// upper-case name leaves a doubt.
func (p *parser) prefixFollows() bool {
	switch t := p.tok(); {
	case t.Kind == Lower, t.symbol("{"), t.symbol("["):
		return true
	case t.Kind == Upper:
		return p.try(func() bool {
			p.label()
			return p.is(":") || p.is("::")
		})
	}
	return false
}

func (p *parser) relabelling() []*Relabel {
	p.expect("/", "")
	return p.relabelList()
}

func (p *parser) relabelList() []*Relabel {
	p.enter()
	defer p.leave()
	if !p.is("{") {
		p.unexpected(`"{"`, "a relabelling is written /{new/old}")
	}
	open := p.advance().Span
	var rs []*Relabel
	for {
		r := &Relabel{}
		start := p.tok().Span
		if p.accept("forall") {
			r.Ranges = p.ranges()
			if p.is("forall") {
				p.unexpected(`"{"`, "one forall has all the ranges: forall [i:0..1][j:0..1] {new[i][j]/old[i][j]}")
			}
			r.Body = p.relabelList()
		} else {
			r.New = p.label()
			p.expect("/", "a relabelling is written new/old")
			r.Old = p.label()
		}
		r.Span = p.since(start)
		rs = append(rs, r)
		if !p.accept(",") {
			break
		}
	}
	p.closeBracket("}", open, inRelabel)
	return rs
}
