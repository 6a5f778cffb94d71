package syntax

// How the parser goes on behind a mistake. The messages come from one reading, which
// skips to the next place that can only be the beginning of a definition. If there are
// any, the tree comes from a second one, which reports nothing and believes the layout:
// a half-typed definition reaches to the line that looks like the next one, which then
// is what it would be without it.
//
//	P = (a ->
//	Q = (b -> Q).
//
// The first reading takes Q for the process behind the arrow, and stumbles over "=".
// The second ends P before Q.

// parseFile reads all definitions.
func (p *parser) parseFile() {
	if !p.readAll() {
		p.at, p.quiet = 0, true
		p.file.Defs = nil
		p.readTree()
	}
}

// readAll reads the definitions, going on behind each error, until there are too many;
// it reports whether all could be read.
func (p *parser) readAll() bool {
	ok := true
	for p.tok().Kind != EOF && len(p.errs) < maxParseErrors {
		from := p.at
		d := p.definition()
		if !p.stopped {
			p.file.Defs = append(p.file.Defs, d)
			continue
		}
		ok, p.stopped = false, false
		p.recover(from)
	}
	return ok && p.tok().Kind == EOF
}

// definition reads one definition. It stops the parser at a mistake.
func (p *parser) definition() Definition {
	p.depth = 0
	start := p.tok().Span
	d := p.anyDefinition()
	if d == nil {
		d = &BadDef{}
	}
	d.Head().Span = p.since(start)
	return d
}

// recover skips to the next place where a definition seems to begin: behind a
// full stop or at the start of a line.
func (p *parser) recover(from int) {
	if p.at == from {
		p.advance()
	}
	for p.tok().Kind != EOF && !(p.fresh() && p.definitionStarts()) {
		p.advance()
	}
}

// fresh reports whether the current token stands behind a full stop or at the start of
// a line.
func (p *parser) fresh() bool {
	return p.tok().Newlines > 0 || p.at > 0 && p.tokens[p.at-1].symbol(".")
}

// readTree reads all definitions a second time.
func (p *parser) readTree() {
	for p.tok().Kind != EOF {
		from := p.at
		d := p.definition()
		end, stopped := p.at, p.stopped
		p.stopped = false
		if stopped || p.tok().Kind != EOF && !p.definitionStarts() {
			p.toNext(d, from)
			switch {
			case p.at < end: // it took something of what follows
				d = p.bad(p.definitionUpTo(from, p.at))
			case stopped:
				d = p.bad(d)
			default:
				p.at = end
			}
		}
		p.file.Defs = append(p.file.Defs, d)
	}
}

// toNext goes from the first token of a definition to what seems to be the first of
// the next one. In a process a local one stands behind a comma that is in no brackets.
func (p *parser) toNext(d Definition, from int) {
	_, locals := d.(*ProcessDef)
	depth := 0
	for p.at = from; p.tok().Kind != EOF; p.at++ {
		if p.at > from && p.fresh() && p.definitionStarts() && !(locals && depth <= 0 && p.tokens[p.at-1].symbol(",")) {
			return
		}
		if t := p.tok(); t.Kind == Symbol {
			switch t.Text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			}
		}
	}
}

// bad marks a definition with a mistake, which takes the text up to the current token.
func (p *parser) bad(d Definition) Definition {
	head := d.Head()
	head.Bad = true
	head.End = max(head.End, p.prev().End)
	return d
}

// definitionUpTo reads a definition as if the text ended at a token, which is the
// current one then.
func (p *parser) definitionUpTo(from, end int) Definition {
	all, token := p.tokens, p.tokens[end]
	all[end] = Token{Kind: EOF, Span: Span{token.Start, token.Start}, Newlines: token.Newlines}
	p.tokens, p.at = all[:end+1], from
	d := p.definition()
	p.tokens, p.at, p.stopped = all, end, false
	all[end] = token
	return d
}
