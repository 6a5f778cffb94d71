package specification

import (
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/tokens"
)

// Spans are ranges of bytes of the file, of which File.Place makes positions that people read; every node
// of the tree has one.
type (
	Span = tokens.Span
	Node = tokens.Node
)

// Definitions, and names at their places, are those of all small languages.
type (
	Name       = tokens.Name
	Definition = tokens.Definition
	DefHead    = tokens.DefHead
	BadDef     = tokens.BadDef
)

// CExpr is an expression of C, as it is written. Its brackets are balanced, its strings
// and characters closed, and it has no side effects that are seen without its types. Bad:
// no such expression stands here.
type CExpr struct {
	Text string // of the span: with its parentheses, if any, and comments inside
	Bad  bool
	Span
	// Words are the identifiers and dollars ($0, $1, ...) in it, in the order of the text,
	// but names of fields (behind . and ->).
	Words []CWord
}

// CWord is an identifier of a C expression, or $Number if Text is "".
type CWord struct {
	Text   string
	Number int
	Span
}

// ConstDef is const NAME = value.
type ConstDef struct {
	DefHead
	Value *Expr
}

// LKSDef is NAME = body, LOCAL = body, ... +{extension}. Its first state is the initial
// one and has the name of the definition; the names of the others are known in it only.
type LKSDef struct {
	DefHead
	States    []*State
	Extension *LabelSet // actions of the alphabet that it may never perform, or nil
}

// State is one equation of a definition: NAME = body.
type State struct {
	Name Name
	Body *Body
	Span
}

// BodyKind is what a body is.
type BodyKind uint8

const (
	BodyBad    BodyKind = iota // nothing that can be read stands here
	BodyRef                    // Name: a state of the definition, or STOP or END
	BodyChoice                 // (choice | choice)
)

// Body is what follows an equals sign or the last arrow of a choice.
type Body struct {
	Kind    BodyKind
	Name    Name
	Choices []*Choice
	Span
}

// Choice is one alternative: when (Guard) step -> step -> body.
type Choice struct {
	Guard *CExpr // of the first step; nil: true
	Steps []*Step
	Body  *Body
	Span
}

// StepKind is what a step is.
type StepKind uint8

const (
	StepBad    StepKind = iota // no step stands here
	StepAction                 // Label
	StepSilent                 // epsilon
	StepReturn                 // return {Condition}, with $0 in it; return {}: Condition is nil
	StepAssign                 // {Left := Right}
)

var stepKindNames = [...]string{StepBad: "bad", StepAction: "action", StepSilent: "epsilon", StepReturn: "return", StepAssign: "assignment"}

func (k StepKind) String() string { return stepKindNames[k] }

// Step is what a transition does.
type Step struct {
	Kind        StepKind
	Label       *Label
	Condition   *CExpr
	Left, Right *CExpr
	Span
}

// ProcDef is a cproc block: what is said about the procedure Name, or if Scope is not
// empty, about the procedure Name where the procedure Scope calls it. Several blocks about
// one procedure are to be read as one, in any order.
type ProcDef struct {
	DefHead
	Scope      Name
	Statements []Statement
}

// ProgDef is a cprog block: components that run side by side.
type ProgDef struct {
	DefHead
	Components []*ComponentRef
	Statements []Statement
}

// ComponentRef is PROCEDURE or PROCEDURE[i:lo..hi] in a list of components: one component
// or as many as the range has numbers. A procedure may stand in a list more than once.
type ComponentRef struct {
	Procedure Name
	Index     *Index // a range with a variable, or nil
	Span
}

// Statement is a statement of a block: *Abstract, *Property, *Assume, *Predicate, *Inline,
// *Alphabet, *Rename, *Hide or *BadStatement. Those of one kind can stand in a block several times.
type Statement interface{ Node }

// BadStatement is text that is no statement.
type BadStatement struct{ Span }

// Abstract is abstract {NAME, guard, LKS}; in a cproc block, with one guard over the
// arguments $1, $2, ..., and abstract NAME, {guard, ...}, LKS; in a cprog block, with a
// guard for each ComponentRef.
type Abstract struct {
	Name   Name
	Guards []*CExpr
	LKS    Name // of a definition, or STOP or END
	Span
}

// Property is ltl NAME = FORMULA; in a cprog block.
type Property struct {
	Name    Name
	Formula Formula
	Span
}

// Formula is a formula of SE-LTL, which package ltl reads: ltl.ParseSpan of File.Place of
// its span. Propositions over the program are C expressions in quotes. Bad: no formula
// stands here. Otherwise its syntax is right; what its names mean is not known.
type Formula struct {
	Text string // of the span
	Bad  bool
	Span
}

// Assume is assume {guard, ...}; in a cprog block, with a guard for each ComponentRef: on the
// arguments that the components begin with, whatever is asked of the program.
type Assume struct {
	Guards []*CExpr
	Span
}

// Predicate is predicate (e), ...; in a cproc block.
type Predicate struct {
	Exprs []*CExpr
	Span
}

// Inline is inline f, ...; in a cproc block.
type Inline struct {
	Routines []Name
	Span
}

// Alphabet is alphabet {a, ...}; in a cproc block: actions that the procedure takes part
// in besides those of the routines that it calls.
type Alphabet struct {
	Set *LabelSet
	Span
}

// Rename is rename {old/new, ...}; in a cprog block, or rename PROCEDURE {old/new, ...};
// where it is about the components of that procedure only (Component is empty for all).
// The variables of copies are known in it.
type Rename struct {
	Component Name
	Pairs     []*RenamePair
	Span
}

// RenamePair is old/new.
type RenamePair struct {
	Old, New *Label
	Span
}

// Hide is hide {a, ...}; or hide PROCEDURE {a, ...}; in a cprog block: actions that become
// silent in the components before they are composed.
type Hide struct {
	Component Name
	Set       *LabelSet
	Span
}

// LabelSet is {a, b[0..2]}.
type LabelSet struct {
	Labels []*Label
	Span
}

// Label is the name of an action, or of several: names with dots between them, and
// indices. fork[1].get has the full name fork.1.get.
type Label struct {
	Parts []LabelPart
	Span
}

// LabelPart is a name, or an index in brackets.
type LabelPart struct {
	Text  string // "" if it is an index
	Index *Index
	Span
}

// Index is what stands in brackets: an expression (Hi is nil), or a range lo..hi that may
// be bound to a variable.
type Index struct {
	Variable Name // Text is "" if there is none
	Lo, Hi   *Expr
	Span
}

// Op is what an expression over numbers is.
type Op uint8

const (
	OpBad    Op = iota // no expression stands here
	OpNumber           // Value
	OpName             // a constant, or the variable of an index: Text
	OpNeg              // -Left
	OpAdd
	OpSub
	OpMul
	OpDiv
	OpMod
)

// Expr is an expression over numbers, in constants and indices.
type Expr struct {
	Op          Op
	Text        string
	Value       int32
	Left, Right *Expr
	Span
}

// Diagnostics is the error of texts that cannot be read: messages with positions, which
// Render prints with the lines they are about.
type Diagnostics = source.List

// File is a specification file that was read. It is immutable and safe for concurrent use.
type File struct {
	Source   *source.File
	Tokens   []Token // the last is EOF
	Comments []Comment
	Defs     []Definition // in the order of the text
	// Diagnostics is everything that was found wrong; without an error, warnings.
	Diagnostics Diagnostics
	expected    map[Node]string
}

// Place returns a span as a place of the text, with its line and column.
func (f *File) Place(s Span) source.Span { return f.Source.Span(int(s.Start), int(s.End)) }

// Extent is the whole text.
func (f *File) Extent() Span { return Span{End: int32(len(f.Source.Text()))} }

// bodies calls f for all bodies of a definition.
func (d *LKSDef) bodies(f func(*Body)) {
	var visit func(*Body)
	visit = func(b *Body) {
		if b == nil {
			return
		}
		f(b)
		for _, c := range b.Choices {
			visit(c.Body)
		}
	}
	for _, s := range d.States {
		visit(s.Body)
	}
}
