package fsp

// Composites, and relabelling, which processes have too.

func (p *parser) composite(m marks) definition {
	d := &compositeDef{marks: m}
	p.expect("||", "")
	d.name = p.upper("the name of a composite")
	d.params = p.params("a composite")
	p.expect("=", "a composite is defined by ||NAME = (P || Q)")
	d.body = p.composition()
	if p.is(">>") || p.is("<<") {
		start := p.tok().pos()
		d.priority = &priority{high: p.advance().text == "<<", set: p.labelSet()}
		d.priority.pos = start.to(p.prev())
	}
	d.hide = p.hiding()
	p.endOfProcess()
	return d
}

func (p *parser) composition() *composition {
	p.enter()
	defer p.leave()
	c := &composition{}
	start := p.tok().pos()
	switch {
	case p.accept("if"):
		c.kind = compIf
		c.cond = p.expr()
		p.expect("then", "")
		c.yes = p.composition()
		if p.accept("else") {
			c.no = p.composition()
		}
	case p.accept("forall"):
		c.kind = compForall
		c.ranges = p.ranges()
		c.yes = p.composition()
	default:
		p.component(c)
	}
	c.pos = start.to(p.prev())
	return c
}

// component reads [S::][a:] ( "(" ... ")" | P(args) ) [/{...}].
func (p *parser) component(c *composition) {
	if p.prefixFollows() {
		l := p.label()
		if p.accept("::") {
			c.share = l
			if p.prefixFollows() {
				c.prefix = p.label()
				p.expect(":", "")
			}
		} else {
			p.expect(":", p.noPrefix(l))
			c.prefix = l
		}
	}
	switch {
	case p.is("("):
		c.kind = compGroup
		open := p.advance().pos()
		for !p.is(")") || len(c.group) > 0 { // () is an empty composition
			c.group = append(c.group, p.composition())
			if !p.accept("||") {
				break
			}
		}
		p.closeBracket(")", open, inGroup)
	case p.tok().kind == tUpper:
		c.kind = compRef
		start := p.tok().pos()
		c.ref = processRef{name: p.upper("a process name")}
		c.ref.args = p.args()
		c.ref.pos = start.to(p.prev())
	case p.at > 0 && p.tokens[p.at-1].symbol("||"):
		p.unexpected("a process", `write a process behind "||", or remove it`)
	default:
		p.unexpected(`a process name or "("`, "")
	}
	if p.is("/") {
		c.relabel = p.relabelling()
	}
}

// prefixFollows reports whether a label with ":" or "::" follows. Only an
// upper-case name leaves a doubt.
func (p *parser) prefixFollows() bool {
	switch t := p.tok(); {
	case t.kind == tLower, t.symbol("{"), t.symbol("["):
		return true
	case t.kind == tUpper:
		return p.try(func() bool {
			p.label()
			return p.is(":") || p.is("::")
		})
	}
	return false
}

func (p *parser) relabelling() []*relabel {
	p.expect("/", "")
	return p.relabelList()
}

func (p *parser) relabelList() []*relabel {
	p.enter()
	defer p.leave()
	if !p.is("{") {
		p.unexpected(`"{"`, "a relabelling is written /{new/old}")
	}
	open := p.advance().pos()
	var rs []*relabel
	for {
		r := &relabel{}
		start := p.tok().pos()
		if p.accept("forall") {
			r.ranges = p.ranges()
			if p.is("forall") {
				p.unexpected(`"{"`, "one forall has all the ranges: forall [i:0..1][j:0..1] {new[i][j]/old[i][j]}")
			}
			r.body = p.relabelList()
		} else {
			r.new = p.label()
			p.expect("/", "a relabelling is written new/old")
			r.old = p.label()
		}
		r.pos = start.to(p.prev())
		rs = append(rs, r)
		if !p.accept(",") {
			break
		}
	}
	p.closeBracket("}", open, inRelabel)
	return rs
}
