package specification

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/expectation"
)

// What an author expects stands in a comment behind what it is about, on the line where
// that ends:
//
//	cprog my_prog = my_proc {
//	    abstract abs_5, {($1 == 0)}, S1; // expect: holds
//	    ltl CALLED = F call_foo;         // expect: fails
//	} // expect: no deadlock
//
// Whatever follows is for people.

// Expected returns what is expected of a node: "holds" or "fails" of an abstraction or a
// property in a cprog block, "deadlock" or "no deadlock" of the block, "" if nothing is.
func (f *File) Expected(n Node) string { return f.expected[n] }

// expectations reads the comments of the file. What cannot be read is a warning: it would
// be ignored in silence otherwise.
func (p *parser) expectations() {
	byEnd := map[int32]Node{} // by the end of the line's last token
	for _, d := range p.file.Defs {
		byEnd[d.Extent().End] = d
		if d, ok := d.(*ProgDef); ok {
			for _, s := range d.Statements {
				byEnd[s.Extent().End] = s
			}
		}
	}
	p.file.expected = map[Node]string{}
	for _, c := range p.file.Comments {
		words, near, ok := expectation.Words(c.Text)
		if !ok {
			if near != "" {
				code := expectation.Like
				if !c.OwnLine {
					code = expectation.Unknown
				}
				p.warn(c.Span, code, fmt.Sprintf("write // %s", near), "this looks like an expectation, and is ignored")
			}
			continue
		}
		var n Node
		if !c.OwnLine && c.Before > 0 {
			n = byEnd[p.Tokens[c.Before-1].End]
		}
		allowed := []string{expectation.Holds, expectation.Fails}
		switch n.(type) {
		case *Abstract, *Property:
		case *ProgDef:
			allowed = []string{expectation.Deadlock, expectation.DeadlockFree}
		default:
			p.warn(c.Span, expectation.Stray, "it stands behind an abstract or ltl statement of a cprog block, or behind the block, on the line where that ends", "this expectation belongs to nothing")
			continue
		}
		p.expectation(n, words, allowed, c.Span)
	}
}

func (p *parser) expectation(n Node, words, allowed []string, at Span) {
	if len(words) == 0 {
		p.warn(at, expectation.Unknown, expectation.Help("", allowed), "nothing is expected here")
		return
	}
	word, _ := expectation.Next(words)
	if !slices.Contains(allowed, word) {
		p.warn(at, expectation.Unknown, expectation.Help(word, allowed), "%q cannot be expected here, and is ignored", word)
		return
	}
	p.file.expected[n] = word
}

func (p *parser) warn(at Span, code, help, format string, args ...any) {
	p.Errs.Warnf(p.file.Place(at), code, format, args...).Help = help
}
