package syntax

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

// Op is what an expression is.
type Op uint8

// Operators. Java's meaning of them is LTSA's.
const (
	OpBad      Op = iota // no expression stands here
	OpNumber             // Value
	OpVariable           // an index variable: Text
	OpName               // a constant or parameter: Text
	OpLabel              // a label constant 'a.b: Label
	OpCount              // #Label
	OpSelect             // @(Label, Left)
	OpPlus               // unary operators have only Left
	OpNeg
	OpNot
	OpOr // binary from here on
	OpAnd
	OpBitOr
	OpBitXor
	OpBitAnd
	OpEq
	OpNe
	OpLt
	OpLe
	OpGt
	OpGe
	OpShl
	OpShr
	OpAdd
	OpSub
	OpMul
	OpDiv
	OpMod
)

// Expr is an expression over numbers and labels.
type Expr struct {
	Op     Op
	Parens bool // written in parentheses, which the span includes
	Span
	Text        string
	Value       int32
	Label       *Label
	Left, Right *Expr
}

// PartKind is what a part of a label is.
type PartKind uint8

const (
	PartBad   PartKind = iota // no label stands here
	PartName                  // a lower-case name
	PartSet                   // {...} or a set name, perhaps minus another set
	PartIndex                 // [...]
)

// Label is a sequence of parts that expands to one or more dotted names.
type Label struct {
	Parts []LabelPart
	Span
}

// LabelPart is a part of a label.
type LabelPart struct {
	Kind PartKind
	Dot  bool // written with a dot before it
	Span
	Text  string    // of a PartName
	Set   *LabelSet // of a PartSet
	Minus *LabelSet // of a PartSet, or nil
	Index *Index    // of a PartIndex
}

// LabelSet is a set written out or, if Name is not "", the name of one.
type LabelSet struct {
	Name   string
	Labels []*Label
	Bad    bool // the set, or its end, is missing
	Span
}

// Index is what stands in brackets: a range Lo..Hi, a set, or an expression,
// each of the first two perhaps bound to a variable. A lone upper-case name is
// read as Expr with OpName; whether it is a set, a range or a constant depends on
// what is defined.
type Index struct {
	Variable Name // Text is "" if there is none
	Lo, Hi   *Expr
	Set      *LabelSet
	Expr     *Expr
	Span
}

// ConstDef is const NAME = value.
type ConstDef struct {
	DefHead
	Value *Expr
}

// RangeDef is range NAME = lo..hi.
type RangeDef struct {
	DefHead
	Lo, Hi *Expr
}

// SetDef is set NAME = {...}.
type SetDef struct {
	DefHead
	Set *LabelSet
}

// Marks stand before a process or a composite.
type Marks struct {
	Deterministic, Minimal, Compose, Property bool
}

// Param is a parameter with its default value.
type Param struct {
	Name  Name
	Value *Expr
	Span
}

// Hiding is \{...}, or @{...} for all others.
type Hiding struct {
	Expose bool // @ instead of \
	Set    *LabelSet
	Span
}

// ProcessDef is a primitive process. Locals[0] defines the process's own name.
type ProcessDef struct {
	DefHead
	Marks     Marks
	Params    []Param
	Locals    []*LocalDef
	Extension *LabelSet // +{...} or nil
	Relabel   []*Relabel
	Hide      *Hiding // or nil
}

// LocalDef is one definition NAME[index] {labels} = body of a process. The first one
// begins, as a node, behind the name and the parameters, which are the definition's.
type LocalDef struct {
	Name   Name
	Index  *Label // indices of the name, or nil
	Labels []StateLabel
	// Labelled: a (perhaps empty) set of state labels was written, at LabelsSpan.
	Labelled   bool
	LabelsSpan Span
	Accept     bool // written NAME@: LTSA's acceptance mark
	Body       *Body
	HeadSpan   Span // of name, index and labels
	Span
}

// StateLabel is an item of a set of state labels: label, or when (guard) label.
type StateLabel struct {
	Guard *Expr // or nil
	Label *Label
	Span
}

// BodyKind is what a body is.
type BodyKind uint8

const (
	BodyBad    BodyKind = iota // no process stands here
	BodyRef                    // Sequence; Name[Index]...
	BodyIf                     // if Cond then Yes else No
	BodyChoice                 // (choice | choice)
)

// Body is how a process behaves.
type Body struct {
	Kind BodyKind
	Span
	Sequence []ProcessRef // P(3); before the last name
	Name     Name         // of a local process, STOP, END or ERROR
	Index    []*Expr
	Cond     *Expr
	Yes, No  *Body // No may be nil: STOP
	Choices  []*Choice
}

// Choice is a guarded sequence of actions that leads to a body.
type Choice struct {
	Guard   *Expr // or nil
	Actions []*Label
	Body    *Body
	Span
}

// ProcessRef is the use of a process, perhaps with arguments.
type ProcessRef struct {
	Name Name
	Args []*Expr // nil if there is no argument list
	Span
}

// CompositeDef is a parallel composition.
type CompositeDef struct {
	DefHead
	Marks    Marks
	Params   []Param
	Body     *Composition
	Priority *Priority // or nil
	Hide     *Hiding   // or nil
}

// Priority is >>{...} or <<{...}.
type Priority struct {
	High bool // << instead of >>
	Set  *LabelSet
	Span
}

// CompositionKind is what a composition is.
type CompositionKind uint8

const (
	CompBad    CompositionKind = iota // no process stands here
	CompGroup                         // (P || Q)
	CompRef                           // P(3)
	CompIf                            // if Cond then Yes else No
	CompForall                        // forall Ranges Yes
)

// Composition is a part of a composite.
type Composition struct {
	Kind CompositionKind
	Span
	Cond    *Expr
	Ranges  []*Index
	Yes, No *Composition // of CompIf and CompForall; No may be nil
	Share   *Label       // S:: or nil
	Prefix  *Label       // a: or nil
	Group   []*Composition
	Ref     ProcessRef
	Relabel []*Relabel // or nil
}

// Relabel is New/Old, or a forall over a list of them.
type Relabel struct {
	New, Old *Label
	Ranges   []*Index
	Body     []*Relabel
	Span
}

// ProgressDef is progress NAME = if Condition then Set.
type ProgressDef struct {
	DefHead
	Ranges    []*Index
	Condition *Label // or nil
	Set       *Label
}

// FairDef is a fairness requirement, or with ranges one for each binding. It has
// no name.
type FairDef struct {
	DefHead
	Strong bool
	Ranges []*Index
	Set    *Label
}

// MenuDef is menu NAME = set.
type MenuDef struct {
	DefHead
	Set *Label
}

// AnimationDef is skipped, with a note.
type AnimationDef struct{ DefHead }

// ImportDef is import NAME = "path".
type ImportDef struct {
	DefHead
	Path string
}

// FluentDef is fluent NAME = <begin, end> initially value.
type FluentDef struct {
	DefHead
	Ranges     []*Index
	Begin, End *Label
	Initially  *Expr // or nil
}

// AssertDef is an assertion or constraint in FSP's own temporal logic.
type AssertDef struct {
	DefHead
	Constraint bool
	Params     []Param
	Formula    *Assertion
	Extension  *LabelSet // or nil
}

// LTLDef is an SE-LTL property; its text is read by package ltl when the model
// is known.
type LTLDef struct {
	DefHead
	Formula Span
}

// AssertOp is what a formula of an assertion is.
type AssertOp uint8

const (
	AssertBad AssertOp = iota // no formula stands here
	AssertNot
	AssertAlways
	AssertEventually
	AssertNext
	AssertAnd
	AssertOr
	AssertUntil
	AssertWeakUntil
	AssertImplies
	AssertIff
	AssertForall
	AssertExists
	AssertRigid  // Expr
	AssertAction // Label: the last action is in this set
	AssertName   // fluent or assert with ranges or arguments
)

// Assertion is a formula of an assertion.
type Assertion struct {
	Op     AssertOp
	Parens bool // written in parentheses, which the span includes
	Span
	Left, Right *Assertion
	Ranges      []*Index
	Args        []*Expr // of an assert; nil if there are none
	Expr        *Expr   // of AssertRigid
	Label       *Label
	Name        Name
}

// File is a model file that was read. It is immutable and safe for concurrent use.
type File struct {
	Source   *source.File
	Tokens   []Token // the last is EOF
	Comments []Comment
	Defs     []Definition // in the order of the text
	// Diagnostics is everything that was found wrong; without an error, warnings.
	Diagnostics Diagnostics
}

// Place returns a span as a place of the text, with its line and column.
func (f *File) Place(s Span) source.Span { return f.Source.Span(int(s.Start), int(s.End)) }

// Extent is the whole text.
func (f *File) Extent() Span { return Span{End: int32(len(f.Source.Text()))} }
