package syntax

import "strings"

// print writes the tokens and comments with the layout that the marks ask for.
func (f *formatter) print() {
	f.broken = map[int]bool{}
	f.fresh = true
	for i := 0; i < len(f.file.Tokens); i++ {
		f.comments(i)
		t := &f.file.Tokens[i]
		if t.Kind == EOF {
			break
		}
		f.separate(i)
		if end := f.marks[i].verbatim; end > 0 {
			f.verbatim(i, end)
			i = end
			continue
		}
		f.write(t.Text)
	}
	if !f.fresh {
		f.newline()
	}
}

func (f *formatter) write(s string) {
	f.out.WriteString(s)
	f.column += len(s)
	f.fresh = false
}

func (f *formatter) newline() {
	f.out.WriteByte('\n')
	f.column, f.fresh = 0, true
}

func (f *formatter) startLine(indent int) {
	if !f.fresh {
		f.newline()
	}
	f.out.WriteString(strings.Repeat(" ", indent*indentWidth))
	f.column = indent * indentWidth
}

// separate writes what stands before token i.
func (f *formatter) separate(i int) {
	m := &f.marks[i]
	if m.opens {
		f.broken[i] = f.mustBreak(i)
	}
	lineBreak := false
	switch m.kind {
	case breakAlways:
		lineBreak = true
	case breakGroup:
		lineBreak = f.broken[m.group]
	case breakFill:
		lineBreak = f.column+f.widthTo(i, f.nextBreak(i)) > lineWidth
	}
	switch {
	case i == 0:
		if m.blank && f.file.Tokens[i].Newlines > 1 && f.out.Len() > 0 {
			f.out.WriteByte('\n')
		} else if !f.fresh {
			f.write(" ") // behind a comment
		}
	case lineBreak:
		blank := m.blank && f.file.Tokens[i].Newlines > 1
		if !f.fresh {
			f.newline()
		}
		if blank && f.out.Len() > 0 {
			f.out.WriteByte('\n')
		}
		f.startLine(m.indent)
		f.indented = m.indent
	case f.fresh: // a comment ended the line
		f.startLine(max(m.indent, f.indented+1))
	case f.space(i):
		f.write(" ")
	}
}

// space reports whether a blank stands between token i and the one before it on
// the same line.
func (f *formatter) space(i int) bool {
	prev, m := &f.marks[i-1], &f.marks[i]
	if prev.opens && prev.wide && f.broken[i-1] {
		return true
	}
	if m.before != spaceDefault {
		return m.before == spaceOne
	}
	if prev.after != spaceDefault {
		return prev.after == spaceOne
	}
	a, b := &f.file.Tokens[i-1], &f.file.Tokens[i]
	if b.Kind == Symbol {
		switch b.Text {
		case ",", ".", ";", ")", "]", "}", ":", "::", "..":
			return false
		case "[":
			return a.symbol(")") || a.Kind == Keyword && a.Text != "forall" && a.Text != "exists" || spaced(a)
		case "(":
			return a.Kind == Keyword || a.symbol("]") || spaced(a)
		}
	}
	if a.Kind == Symbol {
		switch a.Text {
		case "(", "[", "{", ".", ":", "::", "..", ";", "'", "#":
			return false
		case "[]", "<>", "!":
			return false
		}
	}
	return true
}

// spaced reports whether a symbol has a blank behind it, whatever follows.
func spaced(a *Token) bool {
	if a.Kind != Symbol {
		return false
	}
	switch a.Text {
	case "->", "<->", "=", "|", "||", "&&", ",", "==", "!=", "<=", ">=", "<", ">", "<<", ">>":
		return true
	}
	return false
}

// mustBreak decides whether the group that token i opens is broken: if it does
// not fit on the rest of the line, with what follows it up to the next place for
// a break, or if a comment in it needs a line.
func (f *formatter) mustBreak(i int) bool {
	end := f.marks[i].close
	for _, c := range f.file.Comments[f.comment:] {
		if c.Before > end {
			break
		}
		if c.Before > i && (c.Line || c.OwnLine || strings.Contains(c.Text, "\n")) {
			return true
		}
	}
	return f.column+f.widthTo(i, f.nextBreak(end)) > lineWidth
}

// nextBreak returns the first token behind i at which a line break is possible,
// or certain because its group is broken.
func (f *formatter) nextBreak(i int) int {
	for i++; i < len(f.file.Tokens); i++ {
		m := &f.marks[i]
		switch {
		case m.kind == breakAlways, m.kind == breakFill:
			return i
		case m.kind == breakGroup && (m.opens || f.broken[m.group]):
			return i
		}
	}
	return len(f.file.Tokens)
}

// widthTo returns the width of the tokens from one up to another on one line,
// with the blank before the first.
func (f *formatter) widthTo(from, to int) int {
	width := 0
	for i := from; i < to && width <= lineWidth; i++ {
		if f.file.Tokens[i].Kind == EOF {
			break
		}
		if i > 0 && f.space(i) {
			width++
		}
		if end := f.marks[i].verbatim; end > 0 {
			return width
		}
		width += len(f.file.Tokens[i].Text)
	}
	return width
}

// verbatim writes the text from one token to another as it stands in the file.
func (f *formatter) verbatim(from, to int) {
	text := f.file.Source.Text()[f.file.Tokens[from].Start:f.file.Tokens[to].End]
	lines := strings.Split(text, "\n")
	for k, l := range lines {
		if k > 0 {
			f.newline()
		}
		f.write(strings.TrimRight(l, " \t\r"))
	}
	for f.comment < len(f.file.Comments) && f.file.Comments[f.comment].Before <= to {
		f.comment++ // it was part of the text
	}
}

// comments writes the comments in front of token i: those on a line of their own
// on one, others behind the token before them.
func (f *formatter) comments(i int) {
	for f.comment < len(f.file.Comments) && f.file.Comments[f.comment].Before == i {
		c := &f.file.Comments[f.comment]
		m := &f.marks[i]
		switch {
		case c.OwnLine:
			if !f.fresh {
				f.newline()
			}
			if c.Newlines > 1 && f.out.Len() > 0 && (m.blank || f.file.Tokens[i].Kind == EOF) {
				f.out.WriteByte('\n')
			}
			indent := m.indent
			if m.kind == breakNever && !m.blank && f.file.Tokens[i].Kind != EOF {
				indent = f.indented + 1
			}
			f.startLine(indent)
		case !f.fresh:
			f.write(" ")
			if c.Line {
				f.write(" ")
			}
		}
		f.commentText(c.Text)
		f.comment++
		next := f.file.Tokens[i].Newlines
		if f.comment < len(f.file.Comments) && f.file.Comments[f.comment].Before == i {
			next = int32(f.file.Comments[f.comment].Newlines)
		}
		if c.Line || c.OwnLine && next > 0 {
			f.newline()
		}
	}
}

// commentText writes a comment; the lines of a block are only trimmed behind.
func (f *formatter) commentText(text string) {
	for k, l := range strings.Split(text, "\n") {
		if k > 0 {
			f.newline()
		}
		f.write(strings.TrimRight(l, " \t\r"))
	}
}
