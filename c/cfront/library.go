package cfront

import (
	"fmt"
	"slices"
)

// ArrayRoutine is the routine without a body that the simplification calls where an array
// of variable length is declared: it makes the array, which ends with the routine.
const ArrayRoutine = "<array>"

// maxAllocation bounds one allocation of a run, in bytes.
const maxAllocation = 1 << 24

// byMachine are the routines without a body that Machine.library does, by their plain names: whether
// they allocate.
var byMachine = map[string]bool{"malloc": true, "calloc": true, "alloca": true, "free": false, sizeRoutine: false, apartRoutine: false, leaksRoutine: false, "realloc": false}

// Allocates reports a routine without a body whose result is new memory, and whether that is zero.
func (f *Func) Allocates() (allocates, zeroed bool) {
	if f.Name == ArrayRoutine {
		return true, false
	}
	name := plainName(f.Name)
	return f.means(AsOwn) && byMachine[name], name == "calloc"
}

// OnHeap reports a routine that allocates memory which lives until it is freed.
func (f *Func) OnHeap() bool {
	allocates, _ := f.Allocates()
	return allocates && f.Name != ArrayRoutine && plainName(f.Name) != "alloca"
}

// Frees reports the routine that gives memory back.
func (f *Func) Frees() bool { return f.means(AsOwn) && plainName(f.Name) == "free" }

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
	sizeRoutine  = "__seltl_size"
	apartRoutine = "__seltl_apart"
	leaksRoutine = "__seltl_leaks"
)

// Asks says what the routine asks of memory, if it is one of these.
func (f *Func) Asks() Question {
	if !f.means(AsOwn) {
		return NoQuestion
	}
	return map[string]Question{sizeRoutine: AsksSize, apartRoutine: AsksApart, leaksRoutine: AsksLeaks}[f.Name]
}

// asking is such a routine, which is a part of the program then.
func (p *Program) asking(name string, result *Type) *Func {
	if f := p.Func(name); f != nil {
		return f
	}
	f := &Func{Name: name, Known: KnownAs(name), Type: &Type{Kind: Function, Size: -1, Result: result, Variadic: true, Name: result.Name + "(...)"}}
	p.Funcs = append(p.Funcs, f)
	return f
}

// library does what routines of the C library do that seltl knows.
func (m *Machine) library(c *Call, f *Func, args []uint64, to *access) (done bool, err error) {
	if news, _ := f.Allocates(); news {
		return true, m.newMemory(c, f, args, to)
	}
	switch f.Asks() {
	case AsksSize:
		return true, m.sizeOf(c, args[0], to)
	case AsksApart:
		return true, m.areApart(c, args[0], args[1], args[2])
	case AsksLeaks:
		return true, m.leaks(c)
	}
	if !f.Frees() {
		return false, nil
	}
	if len(args) == 1 && args[0] != 0 {
		o, err := m.allocated(c, args[0])
		if o != nil && m.mem.lives {
			m.mem.end(o)
		} else if o != nil {
			o.dead = true
		}
		return true, err
	}
	return true, nil
}

// allocated is the memory that an address is given back of, or measured; nil if it is none of the program.
func (m *Machine) allocated(c *Call, at uint64) (*object, error) {
	o := m.mem.find(at)
	_, number := bare0(c.Args[0]).(*Const)
	switch {
	case o == nil && m.Regions && m.mem.foreign(at) && !Nobodys(at, m.Program.Model.PointerSize()) && !number && m.Program.Checks(CheckMemory):
		return nil, nil
	case o == nil || !o.heap || o.base != at:
		return nil, m.broken(CheckMemory, c.Span, "memory is freed that was not allocated")
	case o.dead:
		return nil, m.broken(CheckMemory, c.Span, "memory is freed that has been freed before")
	}
	return o, nil
}

// bare0 is an expression without conversions around it.
func bare0(e Expr) Expr {
	for {
		c, converted := e.(*Convert)
		if !converted {
			return e
		}
		e = c.X
	}
}

func (m *Machine) sizeOf(c *Call, at uint64, to *access) error {
	o, err := m.allocated(c, at)
	switch {
	case err != nil:
		return err
	case o == nil:
		return m.undefined(c.Span, "the size of memory is asked for that the program has not allocated")
	case to == nil:
		return nil
	}
	return m.put(*to, uint64(len(o.data)), 0)
}

// areApart ends a run that copies by memcpy between parts of one object that overlap (C11 7.24.2.1, 2).
func (m *Machine) areApart(c *Call, x, y, n uint64) error {
	if o := m.mem.find(x); n > 0 && x != 0 && y != 0 && o == m.mem.find(y) && (x < y+n && y < x+n) {
		return m.broken(CheckMemory, c.Span, "memory is copied to where it overlaps with itself")
	}
	return nil
}

// leaks ends a run at whose end some memory has not been freed.
func (m *Machine) leaks(c *Call) error {
	if len(m.stack) > 1 && !m.exits() {
		return nil // the routine that the program begins with is called again
	}
	for _, o := range m.mem.objects {
		if o.heap && !o.dead {
			return m.broken(CheckLeaks, c.Span, "memory is not freed that was allocated%s", placeIn(o.site.Span))
		}
	}
	return nil
}

// exits reports that the block which is being done ends the program.
func (m *Machine) exits() bool {
	_, stops := m.top().b.End.(*Stop)
	return stops
}

// leaving out abort and its kind, the ends of a program where memory has to be freed.
var atExit = []string{"exit()", "quick_exit()", "_exit()", "_Exit()", "err()", "errx()", "verr()", "verrx()", "pthread_exit()"}

// leaks asks at the ends of the program whether memory is left.
func (p *Program) leaks() {
	void := &Type{Kind: Void, Size: -1, Name: "void"}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			switch end := b.End.(type) {
			case *Return:
				if f != p.entry {
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
			b.Instrs = append(b.Instrs, &Call{Callee: p.asking(leaksRoutine, void), Span: b.End.At()})
		}
	}
}

func (m *Machine) newMemory(c *Call, f *Func, args []uint64, to *access) error {
	size := uint64(1)
	for _, a := range args {
		if a > maxAllocation {
			return m.large(c, a)
		}
		size *= a
	}
	if f.Name == ArrayRoutine && m.mem.lives && c.To != nil && c.To.Var != nil { // it is made again
		m.endArray(c.To.Var)
	}
	if size > maxAllocation || len(args) == 0 {
		return m.large(c, size)
	}
	_, zeroed := f.Allocates()
	o, err := m.mem.allocate(int64(size), zeroed)
	if err != nil {
		return err
	}
	m.event++
	o.site, o.nth, o.born = c, m.sites[c], m.event
	m.sites[c]++
	o.heap, o.outlived = f.OnHeap(), f.Name == ArrayRoutine
	if to == nil {
		return nil
	}
	return m.put(*to, o.base, m.guesses.address())
}

// large ends a run that allocates too much.
func (m *Machine) large(c *Call, size uint64) error {
	return &halt{Outcome{Ending: Undefined, What: fmt.Sprintf("%d bytes are allocated", size), Span: c.Span, Large: true}}
}
