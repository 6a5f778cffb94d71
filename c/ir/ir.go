package ir

import (
	"math"
	"slices"

	"github.com/seltl/seltl/internal/source"
)

// Span is where in a text something stands.
type Span = source.Span

// Program is a whole C program.
type Program struct {
	Name  string // of its sources, for people
	Model DataModel
	// Volatile: it reads volatile variables; Allocates: it calls malloc or calloc.
	Volatile, Allocates bool
	// again are the routines of the library that are called by name: of some, others give a value again.
	CalledByName map[string]bool
	// said are the Conditions by the routine that they are about: of one that is abstracted, what it does.
	ConditionsAbout map[string][]*Func
	// VolatileConditions are the volatile objects that conditions of a specification speak of, as they
	// are written there.
	VolatileConditions []string
	// PlainVolatile and MallocFails are those of Options.
	PlainVolatile, MallocFails bool
	// Retyped: a pointer to one type is cast to one to another, or something is restrict.
	Retyped bool
	// CopiesApart: memcpy is asked whether what it copies overlaps with where it goes.
	CopiesApart bool
	// Promised are routines of which attributes, or [static n], say something about pointers, sorted.
	Promised []string
	// Shifts: a signed number is shifted to the left.
	Shifts bool
	// Hosted: it begins in main(), as an environment calls it (C11 5.1.2.2.1).
	Hosted  bool
	Globals []*Var  // static storage: globals, static locals, string literals
	Funcs   []*Func // in the order of their definition, then routines without a body
	Init    *Func   // gives Globals their first values; everything else in them is 0
	Notes   []Note  // what was assumed, such as the type of an undeclared routine
	Checked []Check // mistakes that AddChecks made failures
	// Dated: sources mention when they are translated (__DATE__, __TIME__).
	Dated bool
	// Ending are the handlers of signals that may end the program, or not return.
	Ending []string
	// LocksMutexes: RuleLocks has mutexes to follow. OpensStreams: RuleStdio follows streams that the program
	// opens, and no others.
	LocksMutexes, OpensStreams bool
	// lives: the ends of blocks are instructions.
	BlockEnds bool
	// literals: it has floating-point literals, which compilers may have computed in long double in 32 bits.
	FloatLiterals bool
	// folds: an operation on floating-point constants was computed.
	FloatFolds bool
	Entry      *Func // that runs begin with
	// Unread is what bodies have that is not supported: a run that comes there is not followed.
	Unread []source.Diagnostic
	Rules  []Rule             // Options.Rules
	Scans  map[*Func]*Scanned // routines that stand for what scanf reads
	// Conditions are the routines of Options.Conditions, which nothing calls. Their parameters
	// are $1, $2, ... and, last, $0 where it may be used. They return 1 or 0; those that
	// assign return nothing.
	Conditions []*Func
	// NotChecked names variables that CheckUninit does not follow.
	NotChecked []string
}

// Note is something a user should know about how a program was understood.
type Note struct {
	Span Span
	Text string
}

// Func returns a routine by name, nil if there is none.
func (p *Program) Func(name string) *Func {
	for _, f := range p.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Reached are the routines that are called, or whose address is taken, where a run comes that begins in one of
// some, or what the first values of globals name: those, in their order. Of others no run does anything.
func (p *Program) Reached(from ...*Func) []*Func {
	reached, work := map[*Func]bool{}, append([]*Func{p.Init}, from...)
	for len(work) > 0 {
		f := work[len(work)-1]
		if work = work[:len(work)-1]; reached[f] {
			continue
		}
		reached[f] = true
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if c, ok := i.(*Call); ok && c.Callee != nil {
					work = append(work, c.Callee)
				}
			}
		}
		f.Expressions(func(e Expr) {
			if a, ok := e.(*FuncAddr); ok {
				work = append(work, a.Func)
			}
		})
	}
	return slices.DeleteFunc(slices.Clone(p.Funcs), func(f *Func) bool { return !reached[f] })
}

// Unsized reports a variable of another file of which no source says how long it is (extern int a[];).
func (v *Var) Unsized() bool { return v.Extern && v.Type.Size < 0 }

// Var is a variable: a global, a parameter, a local, or a temporary of the simplification.
type Var struct {
	Name   string // unique among globals and in its routine
	Type   *Type
	Kind   VarKind
	Span   Span
	Extern bool // a global that no source defines
	Const  bool // it is declared const
	// Volatile: it is a scalar that is declared so.
	Volatile bool
	Depth    int // of a local: how many blocks inside of the routine's own declare it
	// Ghost: it is none of the program, keeps what a rule has to know, and is shown to nobody.
	Ghost bool
	// Holds is, of a temporary, the expression whose value it keeps, much as the user wrote
	// it; "" if that is not known.
	Holds string
	// Literal is what the object of a string literal contains, with its last zero; else "".
	Literal string
	// Unnamed: it is the object of a compound literal.
	Unnamed bool
	// Temporary: it is the object of a struct that is a value, and ends with the whole expression (C11 6.2.4, 8).
	Temporary bool
	// First is, of a local whose initialiser is made of constants, what that assigns: *Clear and
	// *Assign of constants, in their order. nil: it has none, or control can jump over it.
	First []Instr
	// unread is why it, or its first value, was refused: so is each use.
	Unread *Refusal
}

// Pooled reports a variable that may be one object with others of the kind: a string literal, or a
// compound literal that is const (C17 6.5.2.5, 7).
func (v *Var) Pooled() bool { return v.Literal != "" || v.Unnamed && v.Const }

// VarKind says where a variable lives.
type VarKind uint8

const (
	Local  VarKind = iota
	Param          // a parameter
	Temp           // made by the simplification
	Global         // static storage
)

// Func is a routine.
type Func struct {
	Name   string
	Type   *Type // of kind Function
	Params []*Var
	Locals []*Var // and temporaries
	Blocks []*Block
	Span   Span
	// Labels are the names of its labels, sorted, also of those that no run comes to.
	Labels []string
	Loops  []Loop // in the order of the text
	// Library: the body is seltl's own, of a routine of the C library. Its spans are places in
	// no source of the program.
	Library bool
	// Known is what a routine without a body is that is the C library's, or a compiler's; nil where
	// it is the program's own.
	Known *Known

	NoReturn       bool
	OldStyle       bool        // its definition declares its parameters behind their names
	Unread         *Refusal    // its address was refused
	Specified      bool        // a specification says what it does
	Telling        *Event      // what it tells: Event.EventRoutine
	HasEvents      bool        // calls of it, or their returns, are told: Options.Events
	MovesElements  bool        // it is such a call of memcpy and its kind: elementTexts
	Sorting        *Sorting    // it is such a call of qsort or bsearch
	ListsArguments bool        // it begins with the list of its further arguments
	StandsIn       bool        // its body calls another one, for pointers
	Unordered      []Unordered // where C leaves open what is evaluated first
}

// Loop is a loop of the source.
type Loop struct {
	Span  Span            // of its keyword
	Test  *Block          // where its condition is evaluated; empty ones may be left out of Func.Blocks
	Names map[string]*Var // of the routine that can be spoken of before it; nil is a routine
}

// Extern reports that no source defines the routine.
func (f *Func) Extern() bool { return len(f.Blocks) == 0 }

// AddBlocks gives a routine more blocks, at the end.
func (f *Func) AddBlocks(blocks ...*Block) {
	for _, b := range blocks {
		b.Index = len(f.Blocks)
		f.Blocks = append(f.Blocks, b)
	}
}

// Block is a straight piece of a routine; Blocks[0] is where it begins.
type Block struct {
	Index  int // in Func.Blocks
	Label  string
	Also   []string // further labels of the same statement
	Instrs []Instr
	End    Terminator
}

// At are the labels that control is at where so many instructions of the block have been done, sorted:
// those of the block, if only declarations have been, or else those that control falls to from there.
// It is no step to fall from one statement to the next, or to come round a loop; jumps of the source
// and to go into a loop are. A routine begins before its labels.
func (b *Block) At(done int) (labels []string) {
	for seen := map[*Block]bool{}; !seen[b] && (b.Index > 0 || done > 0); {
		seen[b] = true
		if b.Label != "" && !slices.ContainsFunc(b.Instrs[:min(done, len(b.Instrs))], func(i Instr) bool { return !declares(i) }) {
			labels = append([]string{b.Label}, b.Also...)
			break
		}
		j, falls := b.End.(*Jump)
		if !falls || j.Loops || j.Span.Valid() || done < len(b.Instrs) {
			break
		}
		b, done = j.To, 0
	}
	slices.Sort(labels)
	return labels
}

// declares reports the instruction of a declaration without an initialiser.
func declares(i Instr) bool {
	h, ok := i.(*Havoc)
	return ok && h.Why == Uninitialised
}

// Instr is one of *Assign, *Havoc, *Clear, *Call, *Assume, *Use, *End.
type Instr interface{ At() Span }

// Assign stores a value, of the type of the place. Aggregates are copied: their value
// is a *Load.
type Assign struct {
	To    Place
	Value Expr
	Span  Span
	Apart bool // it is memcpy's: what is read does not overlap with what is written
}

// Havoc stores any value. Early ones are of what no statement of the program declares
// before: they come where a routine begins.
type Havoc struct {
	To    Place
	Why   Unknown
	Span  Span
	Early bool
}

// Unknown is why a value may be any.
type Unknown uint8

const (
	Uninitialised Unknown = iota // reading it is legal or not: any value of the type
	Floating                     // depends on floating point that is not computed
	Padding                      // between the members of a struct
	Leftover                     // what routines of the library leave in errno that need not
	Told                         // what a routine of the library writes that is not computed
)

// Clear stores zero bytes.
type Clear struct {
	To   Place
	Span Span
}

// Call calls a routine; the result is stored if To is given. Arguments have the types of
// the parameters as far as these are declared.
type Call struct {
	To     *Place
	Callee *Func // or nil: through Ptr
	Ptr    Expr
	Args   []Expr
	Span   Span
	Kept   bool // of a routine of AsText: the program reads what it returns
	Sure   bool // of a routine that allocates: it does
	Told   bool // that it may set errno is said behind it
	Filled bool // what it writes is said before it
	// Moves: what it allocates may lie where memory lies that lives until then: of realloc.
	Moves bool
	// Unread is, of a call that leaves what is modelled, why: what stands there is not supported.
	Unread string
}

// Assume ends the run, which then does not exist, if the condition is 0.
type Assume struct {
	Cond Expr
	Span Span
}

// Use evaluates a value that nothing else uses, since what it does may be a mistake. It may
// be of a floating type or an aggregate: then only its place is looked for.
type Use struct {
	Value Expr
	Span  Span
}

// End ends the lives of locals, and of arrays of variable length, which these point to: a block is left.
// There are some only where CheckMemory was asked for.
type End struct {
	Vars []*Var
	Span Span
}

func (i *Assign) At() Span { return i.Span }

func (i *End) At() Span { return i.Span }

func (i *Havoc) At() Span { return i.Span }

func (i *Clear) At() Span { return i.Span }

func (i *Call) At() Span { return i.Span }

func (i *Assume) At() Span { return i.Span }

func (i *Use) At() Span { return i.Span }

// Terminator is one of *Jump, *Branch, *Return, *Fail, *Stop.
type Terminator interface{ At() Span }

// Jump goes on in another block. Its span is that of break, continue or goto; others are not
// written in the source, and have none.
type Jump struct {
	To    *Block
	Span  Span
	Loops bool // it goes into a loop, which labels before it are not a part of
}

// Branch goes to Then if the condition, of an integer or pointer type, is not 0.
type Branch struct {
	Cond       Expr
	Then, Else *Block
	Span       Span
}

// Return ends the routine; Value is nil if there is none.
type Return struct {
	Value Expr
	Span  Span
}

// Fail is the failure that one asks about.
type Fail struct {
	What string // "label ERROR is reached"
	Span Span
	// By is the routine whose call it is, "__assert_fail" of an assertion, "ERROR:" of a label, "" of a check.
	By     string
	Misuse Misuse // of a check
}

// Stop ends the program: exit, abort.
type Stop struct {
	What string
	Span Span
	// Declared: the program says of a routine of its own, without a body, that it does not return.
	Declared bool
}

func (t *Jump) At() Span { return t.Span }

func (t *Branch) At() Span { return t.Span }

func (t *Return) At() Span { return t.Span }

func (t *Fail) At() Span { return t.Span }

func (t *Stop) At() Span { return t.Span }

// Place is where a value is stored: bytes of a variable, or at an address. The offset is
// Off plus the sum of Index.
type Place struct {
	Var   *Var // nil: at the address Ptr
	Ptr   Expr
	Off   int64 // bytes
	Index []Index
	Type  *Type // of the value there
	// A bit-field: Bits bits from BitOff on, of a unit of the size of Type at the offset.
	BitOff, Bits int
}

// Index is a part of an offset: By*Stride bytes. Len is the number of elements of the
// array that is indexed, -1 if it is not known.
type Index struct {
	By     Expr // an integer as wide as a pointer, signed
	Stride int64
	Len    int64
}

// Endless is the length of an array that goes on as far as its object does.
const Endless = math.MaxInt32

// Expr is an expression without side effects: *Const, *Load, *Addr, *FuncAddr, *Unary,
// *Binary, *Convert, *Move, *Distance.
type Expr interface{ Type() *Type }

// Const is a number; of a signed type extended by its sign to 64 bits, else by zeros.
type Const struct {
	T    *Type
	Bits uint64
}

// Load is the value at a place.
type Load struct{ From Place }

// Addr is the address of a place. Len is how many elements of that type stand there, if
// it is that of an array, or else -1.
type Addr struct {
	Of  Place
	Len int64
	T   *Type
}

// FuncAddr is the address of a routine.
type FuncAddr struct {
	Func *Func
	T    *Type
}

// Op is an operator of Unary or Binary.
type Op uint8

const (
	Neg    Op = iota // unary
	BitNot           // unary
	Add
	Sub
	Mul
	Div
	Rem
	Shl
	Shr
	BitAnd
	BitOr
	BitXor
	Abs // unary, as what follows: of floating-point numbers
	Sqrt
	Floor
	Ceil
	Trunc
	Round
	Rint
	Remainder // of floating-point numbers, of which Rem is fmod
	CopySign
	FMin
	FMax
	Eq // comparisons: operands of one type, signed or not; the result is an int
	Ne
	Lt
	Le
)

// Unary is an operation on a value of the same type.
type Unary struct {
	Op Op
	X  Expr
}

// Binary is an operation on values of one type; the right operand of a shift may have
// another. Comparisons are of T int.
type Binary struct {
	Op   Op
	X, Y Expr
	T    *Type
}

// Convert changes the type: between integers and pointers by truncating, or by extending
// as the type of X says; from and to floating-point numbers by rounding. A number that does not fit an
// integer type becomes any value.
type Convert struct {
	X Expr
	T *Type
}

// Move is pointer arithmetic: P + By*Stride bytes.
type Move struct {
	P      Expr
	By     Expr // an integer as wide as a pointer, signed
	Stride int64
	T      *Type
}

// Distance is (P - Q) / Stride.
type Distance struct {
	P, Q   Expr
	Stride int64
	T      *Type
}

func (e *Const) Type() *Type { return e.T }

func (e *Load) Type() *Type { return e.From.Type }

func (e *Addr) Type() *Type { return e.T }

func (e *FuncAddr) Type() *Type { return e.T }

func (e *Unary) Type() *Type { return e.X.Type() }

func (e *Binary) Type() *Type { return e.T }

func (e *Convert) Type() *Type { return e.T }

func (e *Move) Type() *Type { return e.T }

func (e *Distance) Type() *Type { return e.T }

// Operands calls do with each expression that one is directly made of, in the order of
// their values; nil has none.
func Operands(e Expr, do func(Expr)) {
	switch e := e.(type) {
	case *Load:
		e.From.Operands(do)
	case *Addr:
		e.Of.Operands(do)
	case *Unary:
		do(e.X)
	case *Binary:
		do(e.X)
		do(e.Y)
	case *Convert:
		do(e.X)
	case *Move:
		do(e.P)
		do(e.By)
	case *Distance:
		do(e.P)
		do(e.Q)
	}
}

// Operands calls do with the pointer and the indices that a place is found by.
func (p Place) Operands(do func(Expr)) {
	if p.Ptr != nil {
		do(p.Ptr)
	}
	for _, i := range p.Index {
		do(i.By)
	}
}

// Stored is a place that is assigned to when both sides are known: routines that are called have come
// to their end then.
type Stored Place

// Sorting is such a kind.
type Sorting struct {
	Elem *Type
	By   *Func // nil: a parameter
}
