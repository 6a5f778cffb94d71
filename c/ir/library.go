package ir

import "slices"

// ArrayRoutine is the routine without a body that the simplification calls where an array
// of variable length is declared: it makes the array, which ends with the routine.
const ArrayRoutine = "<array>"

// byMachine are the routines without a body that Machine.library does, by their plain names: whether
// they allocate.
var byMachine = map[string]bool{"malloc": true, "calloc": true, "alloca": true, "free": false, SizeRoutine: false, ApartRoutine: false, leaksRoutine: false, "realloc": false}

// Allocates reports a routine without a body whose result is new memory, and whether that is zero.
func (f *Func) Allocates() (allocates, zeroed bool) {
	if f.Name == ArrayRoutine {
		return true, false
	}
	name := PlainName(f.Name)
	return f.Means(AsOwn) && byMachine[name], name == "calloc"
}

// OnHeap reports a routine that allocates memory which lives until it is freed.
func (f *Func) OnHeap() bool {
	allocates, _ := f.Allocates()
	return allocates && f.Name != ArrayRoutine && PlainName(f.Name) != "alloca"
}

// Frees reports the routine that gives memory back.
func (f *Func) Frees() bool { return f.Means(AsOwn) && PlainName(f.Name) == "free" }

// Question is what a routine of seltl's own asks of memory.
type Question uint8

const (
	NoQuestion Question = iota
	AsksSize            // how many bytes the allocated memory has that an argument is the address of
	AsksApart           // whether the parts of memory that two arguments point to are apart, of so many bytes
	AsksLeaks           // whether all memory has been freed
)

// The names of these routines.
const (
	SizeRoutine  = "__seltl_size"
	ApartRoutine = "__seltl_apart"
	leaksRoutine = "__seltl_leaks"
)

// Asks says what the routine asks of memory, if it is one of these.
func (f *Func) Asks() Question {
	if !f.Means(AsOwn) {
		return NoQuestion
	}
	return map[string]Question{SizeRoutine: AsksSize, ApartRoutine: AsksApart, leaksRoutine: AsksLeaks}[f.Name]
}

// Asking is such a routine, which is a part of the program then.
func (p *Program) Asking(name string, result *Type) *Func {
	if f := p.Func(name); f != nil {
		return f
	}
	f := &Func{Name: name, Known: KnownAs(name), Type: &Type{Kind: Function, Size: -1, Result: result, Variadic: true, Name: result.Name + "(...)"}}
	p.Funcs = append(p.Funcs, f)
	return f
}

// leaving out abort and its kind, the ends of a program where memory has to be freed.
var atExit = []string{"exit()", "quick_exit()", "_exit()", "_Exit()", "err()", "errx()", "verr()", "verrx()", "pthread_exit()"}

// Leaks asks at the ends of the program whether memory is left.
func (p *Program) Leaks() {
	void := &Type{Kind: Void, Size: -1, Name: "void"}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			switch end := b.End.(type) {
			case *Return:
				if f != p.Entry {
					continue
				}
				if end.Value != nil { // which comes first
					b.Instrs = append(b.Instrs, &Use{Value: end.Value, Span: end.Span})
				}
			case *Stop:
				if !slices.Contains(atExit, end.What) {
					continue
				}
			default:
				continue
			}
			b.Instrs = append(b.Instrs, &Call{Callee: p.Asking(leaksRoutine, void), Span: b.End.At()})
		}
	}
}
