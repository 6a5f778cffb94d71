// Package layout prints the tokens and comments of a text in a standard layout. A language
// marks where lines may be broken and how far they are indented; nothing here knows its
// grammar. Only blanks and line breaks change.
package layout

import (
	"sort"
	"strings"

	"github.com/seltl/seltl/internal/tokens"
)

// Width is where lines are broken.
const Width = 80

// indentWidth is the width of one level of indentation.
const indentWidth = 4

// Break says when a line break stands before a token.
type Break uint8

const (
	Never     Break = iota
	Full            // if what follows, up to the next break, does not fit
	WithGroup       // if the group does not fit on a line
	Always
)

// Spacing overrides the rules of space.
type Spacing uint8

const (
	Default Spacing = iota
	None
	One
)

// Mark is what the syntax tree says about the layout of one token.
type Mark struct {
	Break  Break
	Indent int     // levels, if a line break stands before it
	Inside int     // levels more of comments on lines of their own before it
	Group  int     // index of the group's first token, for WithGroup
	Opens  bool    // it is the first token of a group
	Close  int     // of a group's first token: the group's last token
	Before Spacing // between it and the token before it
	After  Spacing
	// Wide: in a broken group a blank stands behind it, as in "( a".
	Wide     bool
	Verbatim int  // it begins a text that is kept as it is, up to this token
	Blank    bool // an empty line before it is kept
}

// Layout is a text that is being laid out.
type Layout struct {
	Source   string
	Tokens   []tokens.Token // the last stands for the end, and has no text
	Comments []tokens.Comment
	Marks    []Mark // by token
	// Space reports whether a blank stands between token i and the one before it, where no
	// mark says so and both stand on one line.
	Space func(i int) bool

	at       map[int32]int // token by start offset
	out      strings.Builder
	column   int
	broken   map[int]bool
	comment  int  // next comment
	fresh    bool // nothing stands on the current line
	indented int  // indentation of the current line
}

// New returns a layout without marks.
func New(source string, all []tokens.Token, comments []tokens.Comment) *Layout {
	l := &Layout{Source: source, Tokens: all, Comments: comments, Marks: make([]Mark, len(all))}
	l.at = make(map[int32]int, len(all))
	for i := range all {
		l.at[all[i].Start] = i
		l.Marks[i].Close = -1
	}
	return l
}

// Token returns the index of the token that starts at an offset.
func (l *Layout) Token(start int32) int { return l.at[start] }

// Last returns the index of the last token of a node that ends at an offset.
func (l *Layout) Last(end int32) int {
	return max(0, sort.Search(len(l.Tokens), func(i int) bool { return l.Tokens[i].Start >= end })-1)
}

// Fill marks a token as a place where a full line may be broken.
func (l *Layout) Fill(i, indent int) {
	if l.Marks[i].Break == Never {
		l.Marks[i].Break, l.Marks[i].Indent = Full, indent
	}
}

// Bracket marks the tokens from one bracket to another as a group: it is laid out on one
// line if it fits.
func (l *Layout) Bracket(from, to, indent int) {
	l.Marks[from].Opens, l.Marks[from].Close = true, to
	l.Marks[from].Group = from
	if l.Marks[from].Break != Always {
		l.Marks[from].Break, l.Marks[from].Indent = WithGroup, indent
	}
	l.Marks[from].Wide = true
	l.Bar(to, from, indent)
	l.Marks[to].Before = None
}

// Bar is a separator or the end of a group.
func (l *Layout) Bar(i, group, indent int) {
	l.Marks[i].Break, l.Marks[i].Group, l.Marks[i].Indent = WithGroup, group, indent
}
