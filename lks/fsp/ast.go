package fsp

import "github.com/seltl/seltl/internal/source"

// pos is a half-open range of bytes of the file. Positions are kept in every
// node, so they are small; File.span makes a source.Span of one.
type pos struct{ start, end int32 }

func (p pos) to(q pos) pos { return pos{p.start, q.end} }

// name is an identifier at its place.
type name struct {
	text string
	pos  pos
}

// Expressions.

type exprOp uint8

const (
	opNumber   exprOp = iota
	opVariable        // index variable: text
	opName            // constant or parameter: text
	opLabel           // label constant 'a.b: label
	opCount           // #label
	opSelect          // @(label, left)
	opPlus            // unary
	opNeg
	opNot
	opOr // binary from here on
	opAnd
	opBitOr
	opBitXor
	opBitAnd
	opEq
	opNe
	opLt
	opLe
	opGt
	opGe
	opShl
	opShr
	opAdd
	opSub
	opMul
	opDiv
	opMod
)

type expr struct {
	op          exprOp
	parens      bool // written in parentheses, for the formatter
	pos         pos
	text        string
	value       int32
	label       *label
	left, right *expr // a unary operator has only left
}

// Labels and sets.

type partKind uint8

const (
	partName  partKind = iota // a lower-case name
	partSet                   // {...} or a set name, perhaps minus another set
	partIndex                 // [...]
)

// label is a sequence of parts that expands to one or more dotted names.
type label struct {
	parts []labelPart
	pos   pos
}

type labelPart struct {
	kind  partKind
	dot   bool // written with a dot before it, for the formatter
	pos   pos
	text  string // partName
	set   *labelSet
	minus *labelSet // partSet: may be nil
	index *index
}

// labelSet is a set written out or, if text is not "", the name of one.
type labelSet struct {
	text   string
	labels []*label
	pos    pos
}

// index is what stands in brackets: a range lo..hi, a set, or an expression,
// each of the first two perhaps bound to a variable. A lone upper-case name is
// read as expr with op opName; whether it is a set, a range or a constant is
// decided when it is evaluated.
type index struct {
	variable string // "" if there is none
	varPos   pos
	lo, hi   *expr // range
	set      *labelSet
	expr     *expr
	pos      pos
}

// Definitions.

// definition is one top-level definition of a file.
type definition interface {
	defName() name
	defPos() pos
}

type defHead struct {
	name name
	pos  pos // of the whole definition
}

func (d *defHead) defName() name { return d.name }
func (d *defHead) defPos() pos   { return d.pos }

type constDef struct {
	defHead
	value *expr
}

type rangeDef struct {
	defHead
	lo, hi *expr
}

type setDef struct {
	defHead
	set *labelSet
}

type marks struct {
	deterministic, minimal, compose, property bool
}

type param struct {
	name  name
	value *expr
}

type hiding struct {
	expose bool // @ instead of \
	set    *labelSet
}

// processDef is a primitive process. locals[0] defines the process's own name.
type processDef struct {
	defHead
	marks     marks
	params    []param
	locals    []*localDef
	extension *labelSet // +{...} or nil
	relabel   []*relabel
	hide      *hiding
}

type localDef struct {
	name   name
	index  *label // indices of the name, or nil
	labels []stateLabel
	// labelled: a (perhaps empty) set of state labels was written.
	labelled  bool
	labelsPos pos
	accept    bool // written NAME@: LTSA's acceptance mark
	body      *body
	pos       pos // of name, index and labels
}

// stateLabel is an item of a set of state labels: label, or when (guard) label.
type stateLabel struct {
	guard *expr // or nil
	label *label
	pos   pos
}

type bodyKind uint8

const (
	bodyRef    bodyKind = iota // sequence; NAME[i]...
	bodyIf                     // if cond then yes else no
	bodyChoice                 // (choice | choice)
)

type body struct {
	kind     bodyKind
	pos      pos
	sequence []processRef // P(3); before the last name
	name     name         // of a local process, STOP, END or ERROR
	index    []*expr
	cond     *expr
	yes, no  *body // no may be nil: STOP
	choices  []*choice
}

// choice is a guarded sequence of actions that leads to a body.
type choice struct {
	guard   *expr // or nil
	actions []*label
	body    *body
	pos     pos
}

type processRef struct {
	name name
	args []*expr // nil if there is no argument list
	pos  pos
}

type compositeDef struct {
	defHead
	marks    marks
	params   []param
	body     *composition
	priority *priority
	hide     *hiding
}

type priority struct {
	high bool // << instead of >>
	set  *labelSet
	pos  pos
}

type compKind uint8

const (
	compGroup  compKind = iota // (P || Q)
	compRef                    // P(3)
	compIf                     // if cond then ... else ...
	compForall                 // forall ranges yes
)

type composition struct {
	kind    compKind
	pos     pos
	cond    *expr
	ranges  []*index
	yes, no *composition // compIf and compForall; no may be nil
	share   *label       // S:: or nil
	prefix  *label       // a: or nil
	group   []*composition
	ref     processRef
	relabel []*relabel // or nil
}

// relabel is new/old, or a forall over a list of them.
type relabel struct {
	new, old *label
	ranges   []*index
	body     []*relabel
	pos      pos
}

type progressDef struct {
	defHead
	ranges    []*index
	condition *label // if condition then set; or nil
	set       *label
}

// fairDef is a fairness requirement, or with ranges one for each binding. It has
// no name.
type fairDef struct {
	defHead
	strong bool
	ranges []*index
	set    *label
}

type menuDef struct {
	defHead
	set *label
}

// animationDef is skipped, with a note.
type animationDef struct{ defHead }

type importDef struct {
	defHead
	path string
}

type fluentDef struct {
	defHead
	ranges     []*index
	begin, end *label
	initially  *expr // or nil
}

type assertDef struct {
	defHead
	constraint bool
	params     []param
	formula    *assertion
	extension  *labelSet
}

// ltlDef is an SE-LTL property; its text is read by package ltl when the model
// is known.
type ltlDef struct {
	defHead
	formula pos
}

// Assertions (FSP's own temporal logic).

type assertOp uint8

const (
	assertNot assertOp = iota
	assertAlways
	assertEventually
	assertNext
	assertAnd
	assertOr
	assertUntil
	assertWeakUntil
	assertImplies
	assertIff
	assertForall
	assertExists
	assertRigid
	assertAction // label: the last action is in this set
	assertName   // fluent or assert with ranges or arguments
)

type assertion struct {
	op          assertOp
	parens      bool // written in parentheses, for the formatter
	pos         pos
	left, right *assertion
	ranges      []*index
	args        []*expr // of an assert; nil if there are none
	expr        *expr   // rigid
	label       *label
	name        name
}

// File is a parsed model file. It is immutable and safe for concurrent use.
type File struct {
	src      *source.File
	tokens   []token
	comments []comment
	defs     []definition
	notes    source.List // warnings of the parser
}

func (f *File) span(p pos) source.Span { return f.src.Span(int(p.start), int(p.end)) }
