package cfront

// ArrayRoutine is the routine without a body that the simplification calls where an array
// of variable length is declared: it makes the array, which ends with the routine.
const ArrayRoutine = "<array>"

// maxAllocation bounds one allocation of a run, in bytes.
const maxAllocation = 1 << 24

// byMachine are the routines without a body that Machine.library does, by their plain names: whether
// they allocate.
var byMachine = map[string]bool{"malloc": true, "calloc": true, "alloca": true, "free": false}

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

// library does what routines of the C library do that seltl knows.
func (m *Machine) library(c *Call, f *Func, args []uint64, to *access) (done bool, err error) {
	if news, _ := f.Allocates(); news {
		return true, m.newMemory(c, f, args, to)
	}
	if !f.Frees() {
		return false, nil
	}
	if len(args) == 1 && args[0] != 0 {
		o := m.mem.find(args[0])
		if o == nil || !o.heap || o.base != args[0] || o.dead {
			return true, m.undefined(c.Span, "memory is freed that was not allocated")
		}
		o.dead = true
	}
	return true, nil
}

func (m *Machine) newMemory(c *Call, f *Func, args []uint64, to *access) error {
	size := uint64(1)
	for _, a := range args {
		if a > maxAllocation {
			return m.undefined(c.Span, "%d bytes are allocated", a)
		}
		size *= a
	}
	if size > maxAllocation || len(args) == 0 {
		return m.undefined(c.Span, "%d bytes are allocated", size)
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
