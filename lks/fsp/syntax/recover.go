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
		p.At, p.Quiet = 0, true
		p.file.Defs = nil
		p.readTree()
	}
}

// readAll reads the definitions, going on behind each error, until there are too many;
// it reports whether all could be read.
func (p *parser) readAll() bool {
	ok := true
	for p.Tok().Kind != EOF && len(p.Errs) < maxParseErrors {
		from := p.At
		d := p.definition()
		if !p.Stopped {
			p.file.Defs = append(p.file.Defs, d)
			continue
		}
		ok, p.Stopped = false, false
		p.recover(from)
	}
	return ok && p.Tok().Kind == EOF
}

// definition reads one definition. It stops the parser at a mistake.
func (p *parser) definition() Definition {
	p.Depth = 0
	start := p.Tok().Span
	d := p.anyDefinition()
	if d == nil {
		d = &BadDef{}
	}
	d.Head().Span = p.Since(start)
	return d
}

// recover skips to the next place where a definition seems to begin: behind a
// full stop or at the start of a line.
func (p *parser) recover(from int) {
	if p.At == from {
		p.Advance()
	}
	for p.Tok().Kind != EOF && !(p.fresh() && p.definitionStarts()) {
		p.Advance()
	}
}

// fresh reports whether the current token stands behind a full stop or at the start of
// a line.
func (p *parser) fresh() bool {
	return p.Tok().Newlines > 0 || p.At > 0 && p.Tokens[p.At-1].Is(".")
}

// readTree reads all definitions a second time.
func (p *parser) readTree() {
	for p.Tok().Kind != EOF {
		from := p.At
		d := p.definition()
		end, stopped := p.At, p.Stopped
		p.Stopped = false
		if stopped || p.Tok().Kind != EOF && !p.definitionStarts() {
			p.toNext(d, from)
			switch {
			case p.At < end: // it took something of what follows
				d = p.bad(p.definitionUpTo(from, p.At))
			case stopped:
				d = p.bad(d)
			default:
				p.At = end
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
	for p.At = from; p.Tok().Kind != EOF; p.At++ {
		if p.At > from && p.fresh() && p.definitionStarts() && !(locals && depth <= 0 && p.Tokens[p.At-1].Is(",")) {
			return
		}
		if t := p.Tok(); t.Kind == Symbol {
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
	head.End = max(head.End, p.Prev().End)
	return d
}

// definitionUpTo reads a definition as if the text ended at a token, which is the
// current one then.
func (p *parser) definitionUpTo(from, end int) Definition {
	all, token := p.Tokens, p.Tokens[end]
	all[end] = Token{Kind: EOF, Span: Span{Start: token.Start, End: token.Start}, Newlines: token.Newlines}
	p.Tokens, p.At = all[:end+1], from
	d := p.definition()
	p.Tokens, p.At, p.Stopped = all, end, false
	all[end] = token
	return d
}
