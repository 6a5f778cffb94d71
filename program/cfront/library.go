package cfront

// ArrayRoutine is the routine without a body that the simplification calls where an array
// of variable length is declared: it makes the array, which ends with the routine.
const ArrayRoutine = "<array>"

// maxAllocation bounds one allocation of a run, in bytes.
const maxAllocation = 1 << 24

// determined are routines of the C library whose result is no choice, and is not
// computed here either.
var determined = map[string]bool{"strlen": true, "strcmp": true, "strncmp": true, "memcmp": true, "strchr": true, "strrchr": true, "strstr": true,
	"abs": true, "labs": true, "llabs": true, "toupper": true, "tolower": true, "isdigit": true, "isalpha": true, "isspace": true, "isalnum": true,
	"isupper": true, "islower": true, "isprint": true, "isblank": true, "iscntrl": true, "isgraph": true, "ispunct": true, "isxdigit": true, "strnlen": true, "strspn": true, "strcspn": true, "atoi": true, "atol": true, "strtol": true, "strtoul": true, "__builtin_strlen": true,
	"__builtin_strcmp": true, "__builtin_abs": true}

// library does what routines of the C library do that seltl knows.
func (m *Machine) library(c *Call, name string, args []uint64, to *access) (done bool, err error) {
	switch name {
	case "malloc", "alloca", "__builtin_alloca", "__builtin_malloc", "calloc", "__builtin_calloc", ArrayRoutine:
		return true, m.newMemory(c, name, args, to)
	case "free", "__builtin_free":
		if len(args) == 1 && args[0] != 0 {
			if o := m.mem.find(args[0]); o == nil || !o.heap || o.base != args[0] || o.dead {
				return true, m.undefined(c.Span, "memory is freed that was not allocated")
			} else {
				o.dead = true
			}
		}
		return true, nil
	case "memset", "__builtin_memset", "memcpy", "memmove", "__builtin_memcpy":
		return true, m.moveMemory(c, name, args, to)
	}
	return false, nil
}

func (m *Machine) newMemory(c *Call, name string, args []uint64, to *access) error {
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
	o := m.mem.allocate(int64(size))
	m.event++
	o.site, o.nth, o.born = c, m.sites[c], m.event
	m.sites[c]++
	o.heap = name != "alloca" && name != "__builtin_alloca" && name != ArrayRoutine
	if name == "calloc" || name == "__builtin_calloc" {
		o.clear(0, int64(size))
	}
	if to == nil {
		return nil
	}
	return m.write(*to, o.base)
}

// moveMemory is memset, memcpy, memmove.
func (m *Machine) moveMemory(c *Call, name string, args []uint64, to *access) error {
	if len(args) != 3 {
		return m.undefined(c.Span, "%s needs 3 arguments", name)
	}
	n := int64(args[2])
	part := func(at uint64) (*object, int64) {
		o := m.mem.find(at)
		if o == nil || n < 0 || int64(at-o.base)+n > int64(len(o.data)) || o.dead {
			return nil, 0
		}
		return o, int64(at - o.base)
	}
	o, off := part(args[0])
	if o == nil {
		return m.broken(CheckBounds, c.Span, "%s outside of an object", name)
	}
	if name == "memset" || name == "__builtin_memset" {
		o.own()
		o.leftOpen(off, n, false)
		for i := range n {
			o.data[off+i], o.known[off+i] = byte(args[1]), true
		}
	} else {
		from, fromOff := part(args[1])
		if from == nil {
			return m.broken(CheckBounds, c.Span, "%s outside of an object", name)
		}
		o.copyFrom(off, from, fromOff, n)
	}
	if to == nil {
		return nil
	}
	return m.write(*to, args[0])
}
