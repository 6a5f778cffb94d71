package machine

import (
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// What a routine returns that works on files is a choice of the run. POSIX says where it shall fail, whatever is
// there: given a descriptor that is negative or was closed, a path without a character, a place before the beginning
// of a file, or a stream that was not opened for what it is asked to do. A run in which it succeeds is none, and what
// depends on that is not known.

// standardModes are the ways that the streams are opened which a program begins with.
var standardModes = map[string]byte{"stdin": 'r', "stdout": 'w', "stderr": 'w'}

// descriptor is one that the run has, and what it depends on, since what open() returns is not known.
type descriptor struct {
	number int32
	of     label
}

// descriptors are those of a run: how many there are of those that were opened or closed, and which of them a stream
// was made of. A run may have two of one number: what they depend on tells apart those of different lines.
type descriptors struct {
	left map[descriptor]int
	of   map[uint64]descriptor
	only map[descriptor]byte // opened only to be read (r), or only to be written to (w)
}

func newDescriptors() descriptors {
	return descriptors{map[descriptor]int{}, map[uint64]descriptor{}, map[descriptor]byte{}}
}

func (d descriptors) copy() descriptors {
	return descriptors{maps.Clone(d.left), maps.Clone(d.of), maps.Clone(d.only)}
}

// Openers are the routines that open something, of which a process has so many only.
var Openers = []string{"open", "open64", "openat", "creat", "socket", "accept", "accept4", "dup", "pipe", "pipe2", "socketpair", "mkstemp", "shm_open", "posix_openpt", "popen", "timerfd_create", "signalfd",
	"eventfd", "epoll_create", "epoll_create1", "inotify_init", "inotify_init1", "memfd_create", "fopen", "fopen64", "tmpfile", "tmpfile64", "opendir"}

// shallFail reports a success that there cannot be, of a routine without a body; of is what its arguments depend on.
func (m *Machine) shallFail(f *ir.Func, args []uint64, of []label, bits uint64) bool {
	if f.Name == ir.OwnPrefix+"failed" && bits == 0 {
		d, way, is := m.bodyDescriptor()
		return m.ofNone(d, is) || is && d.of > 0 && m.guesses.descriptors.only[d] == way
	}
	k := f.Known
	if !succeeds(f, bits) {
		return m.cannotFail(f, args)
	}
	if m.wrongWay(f, args, bits) {
		return true
	}
	if k == nil {
		return false
	}
	bad := slices.ContainsFunc(k.Demands.Descriptors, func(n int) bool { return n < len(args) && m.ofNone(descriptor{int32(args[n]), of[n]}, true) })
	bad = bad || slices.ContainsFunc(k.Demands.Paths, func(n int) bool {
		text, is := m.literal(args, n)
		null := n < len(args) && args[n] == 0 && !strings.HasPrefix(f.Name, "freopen") && f.Name != "utimensat"
		return is && text == "" || null
	})
	if mode, is := m.literal(args, k.Demands.Mode); is && k.Demands.Mode > 0 {
		bad = bad || mode == "" || !strings.Contains("rwa", mode[:1])
	}
	if n := k.Demands.Whence; n > 0 && n < len(args) && of[n] == 0 && of[n-1] == 0 {
		const begin, here, data, hole = 0, 1, 3, 4 // and 2: SEEK_END. How far here is from the beginning is not known.
		w := int32(args[n])
		bad = bad || w < begin || w > hole || (w == begin || w == here) && int64(args[n-1]) < 0 || w >= data && strings.HasPrefix(f.Name, "f")
	}
	return bad
}

// succeeds reports a result that is no failure: isatty() returns 0 for that, others -1, or null.
func succeeds(f *ir.Func, bits uint64) bool {
	switch t := f.Type.Result; {
	case t.Kind == ir.Pointer || ir.PlainName(f.Name) == "isatty":
		return bits != 0
	default:
		return int64(ir.Extend(t, bits)) >= 0
	}
}

// ofNone reports a descriptor that is not open.
func (m *Machine) ofNone(d descriptor, is bool) bool {
	left, known := m.guesses.descriptors.left[d]
	return is && (d.of == 0 && d.number < 0 || known && left <= 0)
}

// bodyDescriptor is the descriptor that a body of the library was given which reads or writes, and how it may not have been
// opened.
func (m *Machine) bodyDescriptor() (d descriptor, way byte, is bool) {
	top := m.top()
	if !top.f.Library || len(top.f.Params) == 0 {
		return d, 0, false
	}
	p := top.f.Params[0]
	o := top.vars[p]
	if o == nil || p.Type.Kind != ir.Integer || p.Name != "to" && p.Name != "from" {
		return d, 0, false
	}
	before := m.depends()
	bits, err := m.read(access{o: o, t: p.Type}, ir.Span{})
	d.number, d.of = int32(bits), m.depends()
	m.dep = before
	return d, map[string]byte{"from": 'w', "to": 'r'}[p.Name], err == nil
}

// cannotFail reports a failure that there cannot be: nothing is there to be written.
func (m *Machine) cannotFail(f *ir.Func, args []uint64) bool {
	switch name := strings.TrimSuffix(ir.PlainName(f.Name), "_unlocked"); {
	case f.Known == nil || len(args) == 0:
		return false
	case name == "fputs":
		text, is := m.literal(args, 0)
		return is && text == ""
	default:
		return name == "fflush" && args[0] != 0 && !m.guesses.streams.get(args[0]).used
	}
}

// wrongWay reports that a character is read from a stream which is only written to, or behind its end, or the other way
// round.
func (m *Machine) wrongWay(f *ir.Func, args []uint64, bits uint64) bool {
	if ir.ReadsCharacter(f) {
		at, is := m.readFrom(f, args)
		return is && (m.goes(at, 'w') || m.guesses.streams.get(at).end == isSet)
	}
	switch name := strings.TrimSuffix(ir.PlainName(f.Name), "_unlocked"); {
	case m.Program.Scans[f] != nil && strings.HasPrefix(f.Name, ir.ResultOf) && !strings.Contains(f.Name, "fscanf"):
		return bits > 0 && m.guesses.streams.get(m.standard("stdin")).end == isSet
	case m.Program.Scans[f] != nil && strings.HasPrefix(f.Name, ir.ResultOf): // of which stream is not told
		return m.someGoes('w')
	case f.Name == ir.OwnPrefix+"count" && writing(m.top().f):
		at, is := m.readFrom(f, args)
		return is && bits > 0 && m.goes(at, 'r')
	case writesText(name):
		at := ir.StreamArguments[name]
		return at < len(args) && m.goes(args[at], 'r')
	}
	return false
}

// goes reports a stream that was opened only to be read (r), or only to be written to (w); or one of two with its
// address, which no run has.
func (m *Machine) goes(at uint64, way byte) bool {
	for name, only := range standardModes {
		if at == m.standard(name) && at != 0 {
			return only == way
		}
	}
	s := m.guesses.streams.get(at)
	return s.only == way || s.also == way
}

// someGoes reports that there is such a stream.
func (m *Machine) someGoes(way byte) bool {
	for at := range m.guesses.streams.of {
		if m.goes(at, way) {
			return true
		}
	}
	return false
}

// onlyFor is what a routine opens a stream for.
func (m *Machine) onlyFor(f *ir.Func, args []uint64) byte {
	if f.Known == nil {
		return 0
	}
	mode, is := m.literal(args, f.Known.Demands.Mode)
	switch {
	case !is || f.Known.Demands.Mode == 0 || mode == "" || strings.Contains(mode, "+"):
		return 0
	case mode[0] == 'r':
		return 'r'
	}
	return 'w'
}

// literal is the text of an argument that is a string literal.
func (m *Machine) literal(args []uint64, n int) (text string, is bool) {
	if n < 0 || n >= len(args) {
		return "", false
	}
	o := m.mem.find(args[n])
	if o == nil || o.v == nil || o.v.Literal == "" {
		return "", false
	}
	text, _, _ = strings.Cut(o.v.Literal[args[n]-o.base:], "\x00")
	return text, true
}

// descriptor takes down what a call does to descriptors: that it closes one, or makes a stream of one, and what others
// do is not known.
func (m *Machine) descriptor(f *ir.Func, args []uint64, of []label, result *uint64) {
	ds := &m.guesses.descriptors
	name := ir.PlainName(f.Name)
	switch {
	case strings.HasPrefix(f.Name, ir.OwnPrefix), strings.Contains(f.Name, " "), result != nil && !succeeds(f, *result):
	case f.Known == nil && !f.Library, slices.Contains(Openers, name) && len(f.Known.Outputs) > 0:
		clear(ds.left)
	case name == "close":
		ds.closes(descriptor{int32(args[0]), of[0]})
	case name == "fclose" && len(args) > 0:
		if d, known := ds.of[args[0]]; known {
			ds.closes(d)
		}
	case result != nil && name == "fdopen" && len(args) > 0:
		ds.of[*result] = descriptor{int32(args[0]), of[0]}
	case (name == "dup2" || name == "dup3") && len(args) > 1:
		ds.left[descriptor{int32(args[1]), of[1]}] = 1
	}
}

// closes takes one away: of what the run did not open, the one that there was.
func (d *descriptors) closes(one descriptor) {
	if left, known := d.left[one]; known {
		d.left[one] = left - 1
	} else {
		d.left[one] = 0
	}
}

// opened takes down a descriptor that a routine returns, of its label: one that it has opened, or that of a stream.
func (m *Machine) opened(f *ir.Func, args []uint64, bits uint64, l label) label {
	if strings.TrimSuffix(ir.PlainName(f.Name), "_unlocked") == "fileno" && len(args) > 0 {
		m.guesses.descriptors.of[args[0]] = descriptor{int32(bits), l}
	}
	if slices.Contains(Openers, ir.PlainName(f.Name)) || strings.HasPrefix(ir.PlainName(f.Name), "dup") {
		d := descriptor{int32(bits), l}
		m.guesses.descriptors.left[d]++
		m.guesses.descriptors.only[d] = onlyWay(f, args)
	}
	return l
}

// onlyWay is what a routine opens a file for, by its flags, if that is not both.
func onlyWay(f *ir.Func, args []uint64) byte {
	const modes, reads, writes = 3, 0, 1 // O_ACCMODE, O_RDONLY and O_WRONLY
	name := strings.TrimSuffix(ir.PlainName(f.Name), "64")
	at, opens := map[string]int{"open": 1, "openat": 2}[name]
	switch {
	case name == "creat", opens && at < len(args) && args[at]&modes == writes:
		return 'w'
	case opens && at < len(args) && args[at]&modes == reads:
		return 'r'
	}
	return 0
}

// unseen takes down a call whose result nobody looks at.
func (m *Machine) unseen(f *ir.Func, args []uint64, given []label) {
	if m.guesses.failing = ""; f.Known != nil && f.Type.Result.Scalar() && m.shallFail(f, args, given, 1) && !quiet[ir.PlainName(f.Name)] {
		m.guesses.failing = ir.PlainName(f.Name)
	}
	m.excluded(f, ^uint64(0)) // something is read
	m.streamed(f, args, nil)
	m.descriptor(f, args, given, nil)
}

// quiet are routines that return -1, or null, where nothing has failed, or do not say in errno what has.
var quiet = map[string]bool{"fgetc": true, "fgetc_unlocked": true, "getc": true, "getc_unlocked": true, "getchar": true, "getchar_unlocked": true, "getenv": true, "secure_getenv": true,
	"popen": true, "pclose": true, "lrand48": true, "mrand48": true, "nice": true, "time": true, "clock": true}

// untold takes down that a routine failed, and did not say why: what errno is then is not known. It is the label of
// the number that the run has as what a routine leaves there: one that is computed, and has not failed, leaves it.
func (m *Machine) untold(f *ir.Func, bits uint64, span ir.Span) label {
	if of, is := strings.CutPrefix(f.Name, ir.MemoryFor); is && bits == 0 {
		m.guesses.failing = strings.TrimSuffix(of, "()")
	}
	name, is := strings.CutPrefix(f.Name, ir.ErrnoAfter)
	v := m.Program.Errno()
	if !is || v == nil {
		return 0
	}
	name = strings.TrimSuffix(name, "()")
	failed, sets := m.guesses.failing, int64(bits) > 0
	switch of := m.Program.Func(name); {
	case !sets && failed == name:
		m.vars[v].labelled(access{o: m.vars[v], t: v.Type}, m.guesses.label(guess{why: "what " + failed + "() leaves in errno where it fails" + placeIn(span)}), m.guesses)
	case sets && failed != name && leavesErrno(of):
		return m.guesses.label(guess{why: "what " + name + "() leaves in errno, which it need not change" + placeIn(span)})
	}
	return 0
}

// leavesErrno reports a routine that has no reason to change errno where it does not fail.
func leavesErrno(f *ir.Func) bool {
	return f != nil && f.Known != nil && (f.Known.Meaning == ir.AsMath ||
		f.Known.Meaning == ir.AsOwn && slices.Contains([]string{"malloc", "calloc", "realloc", "alloca", "free"}, ir.PlainName(f.Name)))
}
