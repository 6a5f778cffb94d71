package cfront

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/internal/source"
)

// Site is a part of a source that has a place: what can be said of a run where it comes there, by text that is
// put around it.
type Site struct {
	Kind SiteKind
	// Keyword of a loop or a branching: "while", "do", "for", "if", "switch", "?".
	Keyword string
	// At is where it is said to be: where the statement or the keyword begins, at `?`, at the closing bracket
	// of a call.
	At int
	// From and To are what is around: the statement with its end, the condition, the call. Of a loop without a
	// condition both are where that would be.
	From, To int
	// Item: the statement stands in a block by itself, so that another one can stand before it.
	Item bool
	// Void: the call has no value.
	Void bool
	// Cases are those of a switch; Ranges: some are ranges.
	Cases  []int64
	Ranges bool
	// Names are those that mean another thing in the condition of the loop, which declares them, than before it.
	Names []string
	// Func is the routine that it is in.
	Func string
}

// SiteKind says what is at a site.
type SiteKind uint8

const (
	StatementSite SiteKind = iota // or a declaration in a block
	LoopSite
	BranchSite // conditions of loops, too
	CallSite
)

// Outline is what a source consists of, as far as that has places in its text: what comes from a macro has none.
type Outline struct {
	Sites []Site // in the order of their kinds, each by where it is
	First int    // where the first declaration begins that stands in the text itself
	// Macros are the texts of all macros without parameters that the source and what it includes define, or the
	// command line: of one several, if it is defined several times.
	Macros map[string][]string
}

// OutlineOf reads a source. The error is a source.List, or of the context that has ended.
func OutlineOf(file *source.File, o Options) (*Outline, error) {
	u, err := withHeaders(o, func(o Options) (*unit, error) { return newLinker(o).translate(file) })
	if err != nil {
		return nil, err
	}
	out := &Outline{Macros: map[string][]string{}}
	texts := []string{defines(o.Defines)}
	for _, f := range u.files {
		texts = append(texts, f.Text())
	}
	for _, text := range texts {
		for _, m := range macroTexts().FindAllStringSubmatch(strings.ReplaceAll(text, "\\\n", " "), -1) {
			out.Macros[m[1]] = append(out.Macros[m[1]], m[2])
		}
	}
	s := &sites{file: file, first: len(file.Text()), items: map[*cc.Statement]bool{}, ends: map[*cc.Statement]int{}}
	for n := u.ast.TranslationUnit; n != nil; n = n.TranslationUnit {
		if p := n.ExternalDeclaration.Position(); p.Filename == file.Name() {
			s.first = min(s.first, p.Offset)
		}
		if d := n.ExternalDeclaration.FunctionDefinition; d != nil && d.Position().Filename == file.Name() {
			s.f = d.Declarator.Name()
			walk(reflect.ValueOf(d.CompoundStatement), map[any]bool{}, s.visit)
		}
	}
	slices.SortStableFunc(s.all, func(a, b Site) int {
		if a.Kind != b.Kind {
			return int(a.Kind) - int(b.Kind)
		}
		return a.At - b.At
	})
	out.Sites, out.First = s.all, s.first
	return out, nil
}

// macroTexts finds definitions of macros without parameters.
var macroTexts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(?:[ \t]+(.*?))?[ \t\r]*$`)
})

type sites struct {
	file  *source.File
	f     string
	first int
	items map[*cc.Statement]bool
	ends  map[*cc.Statement]int // behind which they are; -1: they end in a macro
	all   []Site
}

// at is where a token stands, -1 if that is not in the text: it comes from a macro, or another file.
func (s *sites) at(t cc.Token) int {
	p := t.Position()
	if p.Filename != s.file.Name() || t.SrcStr() == "" || !strings.HasPrefix(s.file.Text()[min(p.Offset, len(s.file.Text())):], t.SrcStr()) {
		return -1
	}
	return p.Offset
}

// begin is where a node begins, which may be with a macro.
func (s *sites) begin(n cc.Node) int {
	if p := n.Position(); p.Filename == s.file.Name() {
		return p.Offset
	}
	return -1
}

func (s *sites) add(x Site) {
	if x.At >= 0 && x.From >= 0 && x.To >= x.From {
		x.Func = s.f
		s.all = append(s.all, x)
	}
}

func (s *sites) visit(n cc.Node) {
	switch n := n.(type) {
	case *cc.BlockItem:
		if n.Case == cc.BlockItemStmt {
			s.items[n.Statement] = true
		}
		if n.Case == cc.BlockItemDecl {
			s.add(Site{Kind: StatementSite, At: s.begin(n), From: s.begin(n), To: s.behind(n.Declaration.Token), Item: true})
		}
	case *cc.Statement:
		if n.Case != cc.StatementLabeled {
			s.add(Site{Kind: StatementSite, At: s.begin(n), From: s.begin(n), To: s.end(n), Item: s.items[n]})
		}
	case *cc.IterationStatement:
		s.loop(n)
	case *cc.SelectionStatement:
		s.selection(n)
	case *cc.ConditionalExpression:
		if n.Case == cc.ConditionalExpressionCond {
			at := s.at(n.Token)
			s.add(Site{Kind: BranchSite, Keyword: "?", At: at, From: s.begin(n.LogicalOrExpression), To: at})
		}
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionCall {
			at := s.at(n.Token2)
			t := n.Type()
			s.add(Site{Kind: CallSite, At: at, From: s.begin(n), To: at + 1, Void: t == nil || t.Kind() == cc.Void})
		}
	}
}

func (s *sites) behind(t cc.Token) int {
	if at := s.at(t); at >= 0 {
		return at + len(t.SrcStr())
	}
	return -1
}

// end is where a statement has ended.
func (s *sites) end(n *cc.Statement) int {
	if end, known := s.ends[n]; known {
		return end
	}
	end := -1
	switch n.Case {
	case cc.StatementLabeled:
		if n.LabeledStatement.Statement != nil {
			end = s.end(n.LabeledStatement.Statement)
		}
	case cc.StatementCompound:
		end = s.behind(n.CompoundStatement.Token2)
	case cc.StatementExpr:
		end = s.behind(n.ExpressionStatement.Token)
	case cc.StatementSelection:
		if end = s.end(n.SelectionStatement.Statement); n.SelectionStatement.Statement2 != nil {
			end = s.end(n.SelectionStatement.Statement2)
		}
	case cc.StatementIteration:
		if i := n.IterationStatement; i.Case == cc.IterationStatementDo {
			end = s.behind(i.Token5)
		} else {
			end = s.end(i.Statement)
		}
	case cc.StatementJump:
		if j := n.JumpStatement; j.Case == cc.JumpStatementGoto || j.Case == cc.JumpStatementGotoExpr {
			end = s.behind(j.Token3)
		} else {
			end = s.behind(j.Token2)
		}
	}
	s.ends[n] = end
	return end
}

func (s *sites) loop(n *cc.IterationStatement) {
	x := Site{Kind: LoopSite, At: s.at(n.Token), Keyword: n.Token.SrcStr()}
	open, shut := n.Token2, n.Token3 // of while
	switch n.Case {
	case cc.IterationStatementDo:
		open, shut = n.Token3, n.Token4
	case cc.IterationStatementFor:
		open, shut = n.Token3, n.Token4
	case cc.IterationStatementForDecl:
		open, shut = n.Declaration.Token, n.Token3
		for _, d := range initDeclarators(n.Declaration) {
			if hides(d.Declarator, n.LexicalScope()) {
				x.Names = append(x.Names, d.Declarator.Name())
			}
		}
	}
	x.From, x.To = s.behind(open), s.at(shut)
	s.add(x)
	x.Kind = BranchSite
	s.add(x)
}

// hides reports a declaration of a name that another one has around it, or behind it in a block around it.
func hides(d *cc.Declarator, scope *cc.Scope) bool {
	for ; scope != nil; scope = scope.Parent {
		for _, n := range scope.Nodes[d.Name()] {
			if other, is := n.(*cc.Declarator); !is || other != d {
				return true
			}
		}
	}
	return false
}

func (s *sites) selection(n *cc.SelectionStatement) {
	x := Site{Kind: BranchSite, At: s.at(n.Token), Keyword: n.Token.SrcStr(), From: s.behind(n.Token2), To: s.at(n.Token3)}
	if n.Case == cc.SelectionStatementSwitch {
		for _, c := range n.LabeledStatements() {
			switch c.Case {
			case cc.LabeledStatementRange:
				x.Ranges = true
			case cc.LabeledStatementCaseLabel:
				switch v := c.ConstantExpression.Value().(type) {
				case cc.Int64Value:
					x.Cases = append(x.Cases, int64(v))
				case cc.UInt64Value:
					x.Cases = append(x.Cases, int64(v))
				default:
					x.Ranges = true
				}
			}
		}
	}
	s.add(x)
}
