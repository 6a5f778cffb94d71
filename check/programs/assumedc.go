package programs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/c/assumptions"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
)

// assumable is something that a verdict about C may rest on.
type assumable struct {
	name string // for --assume and for programs that read reports
	// otherwise is how the pessimistic reading is had, "" if only by not granting it.
	otherwise string
	// of says what is assumed of a program, "" where it makes no difference.
	of func(e *encode.Encoding, how safety.Integers) string
}

// assumables are all of them, in the order in which verdicts list them. How wide integers are is no
// assumption, but part of the question: it is said before them.
var assumables = []assumable{
	{"unbounded", "--integers=machine", func(_ *encode.Encoding, how safety.Integers) string {
		if how != safety.MathIntegers {
			return ""
		}
		return "numbers without bounds instead of machine words, so that nothing overflows (--integers=math)"
	}},
	{"wrap", "--check=overflow,shift", func(e *encode.Encoding, how safety.Integers) string {
		switch overflow := e.Program.Checks(ir.CheckOverflow); {
		case how == safety.MathIntegers || overflow && (e.Program.Checks(ir.CheckShift) || !e.Program.Shifts):
			return ""
		case overflow:
			return "numbers that left shifts make wrap around, as with gcc -fwrapv"
		}
		return "signed overflow wraps around, as with gcc -fwrapv"
	}},
	{"floats", "", func(e *encode.Encoding, _ safety.Integers) string {
		switch {
		case !e.Program.ComputesFloats(e.Entry):
			return ""
		case e.Program.Model == ir.ILP32:
			return "floating-point numbers are computed in their own types, rounded to nearest, as with gcc -ffp-contract=off -msse2 -mfpmath=sse"
		}
		return "floating-point numbers are computed in their own types, rounded to nearest, as with gcc -ffp-contract=off"
	}},
	{"date", "", func(e *encode.Encoding, _ safety.Integers) string {
		if !e.Program.Dated {
			return ""
		}
		return "the program is translated now, which __DATE__ and __TIME__ say"
	}},
	{"types", "", func(e *encode.Encoding, _ safety.Integers) string {
		if !e.Program.Retyped {
			return ""
		}
		return "memory is read through pointers of any type as it was written, as with gcc -fno-strict-aliasing, and restrict says nothing"
	}},
	{"promises", "", func(e *encode.Encoding, _ safety.Integers) string {
		if len(e.Program.Promised) == 0 {
			return ""
		}
		return "what attributes (nonnull, malloc) and [static n] promise of pointers is so, of " + strings.Join(e.Program.Promised, ", ")
	}},
	{"written", "", func(e *encode.Encoding, _ safety.Integers) string {
		if !e.Program.Checks(ir.CheckUninit) {
			return ""
		}
		text := "what is read through pointers has been written before"
		if names := e.Program.NotChecked; len(names) > 0 {
			text += ", and what is read of " + strings.Join(names, ", ")
		}
		return text
	}},
	{"strangers", "", func(e *encode.Encoding, _ safety.Integers) string {
		if !e.Regions {
			return ""
		}
		text := "a pointer that the program never set points to memory that is none of its objects"
		if e.Moved {
			text += "; where it leads to one, it is not moved to a member of another type"
		}
		if e.Program.Checks(ir.CheckBounds) {
			text += ", and that is as large as it is used"
			for _, name := range returnPointers(e) {
				text += separator + name + "() returns no pointer that is used outside of what it points to, where that is the program's"
			}
		}
		return text
	}},
	{"numbers", "", func(e *encode.Encoding, _ safety.Integers) string {
		if !e.Numbered {
			return ""
		}
		return "what lies at addresses that are numbers of the program, as registers of a device, is memory that nothing else uses"
	}},
	{"null", "--check=null", func(e *encode.Encoding, _ safety.Integers) string {
		if !e.Regions || e.Program.Checks(ir.CheckNull) {
			return ""
		}
		return "an access through a null pointer ends the run"
	}},
	{"null", "", func(e *encode.Encoding, _ safety.Integers) string {
		if !e.Regions || !e.Near {
			return ""
		}
		return "an access at another one of the first 4096 addresses than null, or of the last, ends the run"
	}},
	{"malloc", "--malloc=may-fail", func(e *encode.Encoding, _ safety.Integers) string {
		if !e.Program.Allocates || e.Program.MallocFails {
			return ""
		}
		return "malloc() and calloc() never fail (--malloc=succeeds)"
	}},
	{"room", "", func(e *encode.Encoding, _ safety.Integers) string { return strings.Join(e.Limits, separator) }},
	{"scope", "", func(e *encode.Encoding, _ safety.Integers) string {
		if len(e.Ended) == 0 || e.Program.Checks(ir.CheckMemory) {
			return ""
		}
		return "no pointer to " + strings.Join(e.Ended, ", ") + " is used after the block that declares it has ended"
	}},
	{"constants", "", func(e *encode.Encoding, _ safety.Integers) string {
		const most = 3
		names := e.Constants[:min(len(e.Constants), most)]
		if len(names) == 0 {
			return ""
		}
		text := "no pointer is used to change what is constant: " + strings.Join(names, ", ")
		if len(e.Constants) > most {
			text += ", ..."
		}
		return text
	}},
	{"rules", "", func(e *encode.Encoding, _ safety.Integers) string {
		var texts []string
		if e.Program.OpensStreams {
			texts = append(texts, "fopen() and its kind may fail or not, whatever they are given; streams that come from elsewhere are not followed (--rules=stdio)")
		}
		if e.Program.LocksMutexes {
			texts = append(texts, "pthread_mutex_lock() and pthread_mutex_unlock() return 0, and mutexes are used by this thread alone (--rules=pthread-locks)")
		}
		return strings.Join(texts, separator)
	}},
	{"free", "", func(e *encode.Encoding, _ safety.Integers) string {
		if e.Program.Checks(ir.CheckMemory) {
			return endedElsewhere(e)
		}
		if !slices.Contains(e.Externs, "free") {
			return ""
		}
		return "no memory is used after free(), which is given only what malloc() and its kind have returned"
	}},
	{"opaque", "", func(e *encode.Encoding, _ safety.Integers) string {
		names := assumptions.LooksInto(e.Program)
		if len(names) == 0 {
			return ""
		}
		return "routines of the library leave the bytes of their own objects as they are: " + strings.Join(names, ", ")
	}},
	{"order", "", func(e *encode.Encoding, _ safety.Integers) string {
		return leftToRight(assumptions.OpenOrder(e.Program, e.Entry, e.AsksEnds))
	}},
	{"volatile", "--volatile=input", func(e *encode.Encoding, _ safety.Integers) string {
		if !e.Program.Volatile || !e.Program.PlainVolatile {
			return ""
		}
		return "volatile variables are changed by the program alone (--volatile=plain)"
	}},
	{"volatile", "", func(e *encode.Encoding, _ safety.Integers) string {
		spoken := e.Program.VolatileConditions
		if len(spoken) == 0 || e.Program.PlainVolatile {
			return ""
		}
		return "where the specification speaks of " + strings.Join(spoken, ", ") + " it means what the program gave it last, though it is volatile"
	}},
	{"results", "", func(e *encode.Encoding, _ safety.Integers) string {
		var observed []*ir.Func
		if ctx := e.Context(); ctx != nil {
			observed = ctx.Observed
		}
		names := assumptions.ExactResults(e.Program, e.Entry, observed)
		if len(names) == 0 {
			return ""
		}
		return "comparisons of the library return -1, 0 or 1, tests of characters, streams and numbers 0 or 1 (isinf: -1): " + strings.Join(names, ", ")
	}},
	{"arguments", "", func(e *encode.Encoding, _ safety.Integers) string {
		names := append(assumptions.TrustedArguments(e.Program, e.Entry), e.Copies...)
		if len(names) == 0 {
			return ""
		}
		slices.Sort(names)
		return "routines of the library are given what they are for (characters that are EOF or fit unsigned char, pointers to what they need, none that are null, to parts of memory that do not overlap): " + strings.Join(slices.Compact(names), ", ")
	}},
	{"routines", "", func(e *encode.Encoding, _ safety.Integers) string {
		texts := []string{withoutBodies(e)}
		for _, name := range e.Stopping {
			texts = append(texts, name+" has no body: it does not return, as it is declared, and does nothing else")
		}
		return strings.Join(texts, separator)
	}},
}

// Of components, beside these.
const (
	assumedAbstractions = "abstractions"
	assumedObjects      = "objects"
	assumedGlobals      = "globals"
	assumedCalls        = "calls"
)

// Assumables are the names of what verdicts about C may rest on, as Options.Assume has them.
func Assumables() (all []string) {
	for _, a := range assumables {
		if !slices.Contains(all, a.name) {
			all = append(all, a.name)
		}
	}
	return append(all, assumedAbstractions, assumedObjects, assumedGlobals, assumedCalls)
}

// endedElsewhere says what is not followed of the ends of objects with --check=memory.
func endedElsewhere(e *encode.Encoding) string {
	var texts []string
	if e.GivesStrange {
		texts = append(texts, "memory to which a pointer points that the program never set is not used after it is given to free(), nor freed again")
	}
	for _, name := range returnPointers(e) {
		texts = append(texts, name+"() returns no pointer that is used behind the end, or free(), of what it points to")
	}
	return strings.Join(texts, separator)
}

// returnPointers names the routines without a body that return pointers.
func returnPointers(e *encode.Encoding) (names []string) {
	for _, f := range e.Program.Funcs {
		if f.Extern() && f.Known == nil && f.Type.Result.Kind == ir.Pointer && slices.Contains(e.Externs, f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}

// separator keeps several sentences of one assumption apart.
const separator = "\x00"

// withoutBodies says what is assumed of routines without a body. Names with blanks are of what is
// read, which is not the program's to know.
func withoutBodies(e *encode.Encoding) string {
	var open []string
	for _, name := range e.Externs {
		switch {
		case name == "free", strings.Contains(name, " ") && !strings.HasPrefix(name, "the routine called"):
		case strings.Contains(name, " "):
			open = append(open, name)
		default:
			open = append(open, name+"()")
		}
	}
	switch len(open) {
	case 0:
		return ""
	case 1:
		return open[0] + " has no body: it returns any value, and changes nothing else"
	}
	return strings.Join(open[:len(open)-1], ", ") + " and " + open[len(open)-1] + " have no body: each returns any value, and changes nothing else"
}

// leftToRight says that operands are evaluated from left to right, with the first places where another
// order may make a difference; "" if there is none.
func leftToRight(at []ir.Span) string {
	const most = 3
	var places []string
	for _, s := range at[:min(len(at), most)] {
		places = append(places, fmt.Sprintf("%s:%d", s.File.Name(), s.Pos().Line))
	}
	if places = slices.Compact(places); len(at) > most {
		places = append(places, "...")
	}
	if len(places) == 0 {
		return ""
	}
	return "operands are evaluated from left to right where C leaves it open (" + strings.Join(places, ", ") + ")"
}

// modelOf says how wide the integers of a program are.
func modelOf(p *ir.Program) string {
	widths := map[ir.DataModel]string{ir.LP64: "int has 32 bits, long and pointers have 64", ir.ILP32: "int, long and pointers have 32 bits"}
	return fmt.Sprintf("data model %s: %s", p.Model, widths[p.Model])
}

// modelled are about how memory is encoded: graphs of memory follow only pointers that the program set, to memory that
// lives and is not constant, however much is allocated.
var modelled = []string{"strangers", "numbers", "room", "scope", "free", "constants"}

// byGraphs are what a proof by graphs of memory rests on, of what others do.
func byGraphs(all []report.Assumption) []report.Assumption {
	return slices.DeleteFunc(all, func(a report.Assumption) bool { return slices.Contains(modelled, a.Name) })
}

// assumed are what a verdict about a program rests on.
func assumed(e *encode.Encoding, how safety.Integers) (all []report.Assumption) {
	all = append(all, report.Assumption{Text: modelOf(e.Program)})
	for _, a := range assumables {
		for text := range strings.SplitSeq(a.of(e, how), separator) {
			if text != "" {
				all = append(all, report.Assumption{Name: a.name, Text: text, Otherwise: a.otherwise})
			}
		}
	}
	return all
}

// RestsOn adds to the decided result of a report about a program, as over machine words, what it rests
// on. Where something is not granted, it is not decided.
func RestsOn(r *report.Report, e *encode.Encoding, opts check.Options) {
	result := &r.Results[0]
	if result.Verdict == report.Holds && !rests(&opts, result, assumed(e, safety.MachineIntegers)) {
		r.Exit = report.ExitUnknown
	}
}

// assumedOf are what an answer about components rests on.
func assumedOf(q *bind.Question) (all []report.Assumption) {
	for i, assumed := 0, q.Assumed; i < len(assumed); {
		names := []string{assumed[i].Name}
		routine, says := assumed[i].Routine, "says"
		for i++; i < len(assumed) && assumed[i].Routine == routine; i++ {
			names, says = append(names, assumed[i].Name), "say"
		}
		all = append(all, report.Assumption{Name: assumedAbstractions, Text: fmt.Sprintf("%s() does what %s %s", routine, strings.Join(names, " and "), says), Otherwise: "--check-assumptions"})
	}
	for _, k := range q.Components {
		for _, a := range assumed(k.Encoding, safety.MachineIntegers) {
			if !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	if len(q.Objects) > 0 {
		all = append(all, report.Assumption{Name: assumedObjects, Text: "pointers that components are given point to objects of their own: " + strings.Join(q.Objects, ", ")})
	}
	if names := blocking(q); len(names) > 0 {
		all = append(all, report.Assumption{Name: assumedCalls, Text: "calls come back, though they may wait: of " + strings.Join(names, ", ")})
	}
	if names := q.Program.Ending; len(names) > 0 {
		all = append(all, report.Assumption{Name: assumedCalls, Text: "no signal comes of which the handler ends the program, or does not return: " + strings.Join(names, "(), ") + "()"})
	}
	if n := len(q.Begins); n > 0 {
		have := map[bool]string{true: " has", false: " have"}[n == 1]
		all = append(all, report.Assumption{Name: assumedCalls, Text: q.Components[0].Procedure + "() is called with what " + strings.Join(q.Begins, ", ") + have + " when the program begins"})
	}
	if q.Endless {
		all = append(all, report.Assumption{Name: assumedCalls, Text: q.Components[0].Procedure + "() comes to its end: it neither waits nor goes on for ever"})
	}
	for _, g := range q.Private {
		all = append(all, report.Assumption{Name: assumedGlobals, Text: "each component has a " + g + " of its own (--globals=private)", Otherwise: "--globals=shared"})
	}
	return all
}

// blocking are the routines of the library that components call and that may wait for ever.
func blocking(q *bind.Question) (names []string) {
	for _, k := range q.Components {
		for _, f := range q.Program.Reached(k.Encoding.Entry) {
			name, waits := f.MayWait()
			if name += "()"; waits && k.Context.Routines[f.Name] == nil && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// rests adds to a decided result what it rests on. Where something is not granted, it is not decided.
func rests(o *check.Options, result *report.Result, on []report.Assumption) (granted bool) {
	for _, a := range on {
		result.Assumptions = append(result.Assumptions, a.Text)
	}
	result.Assumed = on
	if o.Assume == nil {
		return true
	}
	names, missing := slices.Clone(o.Assume), []report.Assumption{}
	for _, a := range on {
		if a.Name != "" && !slices.Contains(names, a.Name) {
			names, missing = append(names, a.Name), append(missing, a)
		}
	}
	if len(missing) == 0 {
		return true
	}
	var advice []string
	for _, a := range missing {
		if a.Otherwise != "" {
			advice = append(advice, a.Otherwise)
		}
	}
	o.Unknown(result, fmt.Errorf("the verdict rests on what is not granted: %s", strings.Join(textsOf(missing), "; ")))
	result.Advice = strings.Join(append(advice, "--assume="+strings.Join(names, ",")), ", or ")
	result.Counterexample, result.Note, result.Invariant, result.NoRun = nil, "", nil, false
	return false
}

// textsOf are the sentences of assumptions.
func textsOf(all []report.Assumption) (texts []string) {
	return lists.Append(nil, all, func(a report.Assumption) string { return a.Text })
}
