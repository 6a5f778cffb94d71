package layout

import "strings"

// Print returns the tokens and comments with the layout that the marks ask for.
func (l *Layout) Print() string {
	l.broken = map[int]bool{}
	l.fresh = true
	for i := 0; ; i++ {
		l.comments(i)
		if i == l.end() {
			break
		}
		l.separate(i)
		if end := l.Marks[i].Verbatim; end > 0 {
			l.verbatim(i, end)
			i = end
			continue
		}
		l.write(l.Tokens[i].Text)
	}
	if !l.fresh {
		l.newline()
	}
	return l.out.String()
}

// end returns the number of the last token, which has no text.
func (l *Layout) end() int { return len(l.Tokens) - 1 }

func (l *Layout) write(s string) {
	l.out.WriteString(s)
	l.column += len(s)
	l.fresh = false
}

func (l *Layout) newline() {
	l.out.WriteByte('\n')
	l.column, l.fresh = 0, true
}

func (l *Layout) startLine(indent int) {
	if !l.fresh {
		l.newline()
	}
	l.out.WriteString(strings.Repeat(" ", indent*indentWidth))
	l.column = indent * indentWidth
}

// separate writes what stands before token i.
func (l *Layout) separate(i int) {
	m := &l.Marks[i]
	if m.Opens {
		l.broken[i] = l.mustBreak(i)
	}
	lineBreak := false
	switch m.Break {
	case Always:
		lineBreak = true
	case WithGroup:
		lineBreak = l.broken[m.Group]
	case Full:
		lineBreak = l.column+l.widthTo(i, l.nextBreak(i)) > Width
	}
	switch {
	case i == 0:
		if m.Blank && l.Tokens[i].Newlines > 1 && l.out.Len() > 0 {
			l.out.WriteByte('\n')
		} else if !l.fresh {
			l.write(" ") // behind a comment
		}
	case lineBreak:
		blank := m.Blank && l.Tokens[i].Newlines > 1
		if !l.fresh {
			l.newline()
		}
		if blank && l.out.Len() > 0 {
			l.out.WriteByte('\n')
		}
		l.startLine(m.Indent)
		l.indented = m.Indent
	case l.fresh: // a comment ended the line
		l.startLine(max(m.Indent, l.indented+1))
	case l.space(i):
		l.write(" ")
	}
}

// space reports whether a blank stands between token i and the one before it on
// the same line.
func (l *Layout) space(i int) bool {
	prev, m := &l.Marks[i-1], &l.Marks[i]
	if prev.Opens && prev.Wide && l.broken[i-1] {
		return true
	}
	if m.Before != Default {
		return m.Before == One
	}
	if prev.After != Default {
		return prev.After == One
	}
	return l.Space(i)
}

// mustBreak decides whether the group that token i opens is broken: if it does
// not fit on the rest of the line, with what follows it up to the next place for
// a break, or if a comment in it needs a line.
func (l *Layout) mustBreak(i int) bool {
	end := l.Marks[i].Close
	for _, c := range l.Comments[l.comment:] {
		if c.Before > end {
			break
		}
		if c.Before > i && (c.Line || c.OwnLine || strings.Contains(c.Text, "\n")) {
			return true
		}
	}
	return l.column+l.widthTo(i, l.nextBreak(end)) > Width
}

// nextBreak returns the first token behind i at which a line break is possible,
// or certain because its group is broken.
func (l *Layout) nextBreak(i int) int {
	for i++; i < len(l.Tokens); i++ {
		m := &l.Marks[i]
		switch {
		case m.Break == Always, m.Break == Full:
			return i
		case m.Break == WithGroup && (m.Opens || l.broken[m.Group]):
			return i
		}
	}
	return len(l.Tokens)
}

// widthTo returns the width of the tokens from one up to another on one line,
// with the blank before the first.
func (l *Layout) widthTo(from, to int) int {
	width := 0
	for i := from; i < min(to, l.end()) && width <= Width; i++ {
		if i > 0 && l.space(i) {
			width++
		}
		if end := l.Marks[i].Verbatim; end > 0 {
			return width
		}
		width += len(l.Tokens[i].Text)
	}
	return width
}

// verbatim writes the text from one token to another as it stands in the file.
func (l *Layout) verbatim(from, to int) {
	text := l.Source[l.Tokens[from].Start:l.Tokens[to].End]
	lines := strings.Split(text, "\n")
	for k, line := range lines {
		if k > 0 {
			l.newline()
		}
		l.write(strings.TrimRight(line, " \t\r"))
	}
	for l.comment < len(l.Comments) && l.Comments[l.comment].Before <= to {
		l.comment++ // it was part of the text
	}
}

// comments writes the comments in front of token i: those on a line of their own
// on one, others behind the token before them.
func (l *Layout) comments(i int) {
	for l.comment < len(l.Comments) && l.Comments[l.comment].Before == i {
		c := &l.Comments[l.comment]
		m := &l.Marks[i]
		switch {
		case c.OwnLine:
			if !l.fresh {
				l.newline()
			}
			if c.Newlines > 1 && l.out.Len() > 0 && (m.Blank || i == l.end()) {
				l.out.WriteByte('\n')
			}
			indent := m.Indent + m.Inside
			if m.Break == Never && !m.Blank && i != l.end() {
				indent = l.indented + 1
			}
			l.startLine(indent)
		case !l.fresh:
			l.write(" ")
			if c.Line {
				l.write(" ")
			}
		}
		l.commentText(c.Text)
		l.comment++
		next := l.Tokens[i].Newlines
		if l.comment < len(l.Comments) && l.Comments[l.comment].Before == i {
			next = int32(l.Comments[l.comment].Newlines)
		}
		if c.Line || c.OwnLine && next > 0 {
			l.newline()
		}
	}
}

// commentText writes a comment; the lines of a block are only trimmed behind.
func (l *Layout) commentText(text string) {
	for k, line := range strings.Split(text, "\n") {
		if k > 0 {
			l.newline()
		}
		l.write(strings.TrimRight(line, " \t\r"))
	}
}
