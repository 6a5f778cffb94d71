package machine

import (
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// The indicators of a stream are clear at first. That of the end is set only where a read has come to the end, and one
// of both is set where a character was to be read and none was (C11 7.21.3, 7.21.7.1). Of a program that asks for the
// end, it is followed whether a read has come to one, of all streams as of one: it is a variable beside the others.
// A run that was found is asked for more: what it says of each stream (contradicts). Where that does not fit, or nobody
// knows, the failure depends on what is not known.

// told is what a run has told of an indicator.
type told uint8

const (
	isClear told = iota
	isSet
	isEither // either may be true of a run
	isOpen   // which is true is not known
)

// perhaps is what is told where an indicator that is clear may have been set.
func (t told) perhaps() told {
	if t == isClear {
		return isEither
	}
	return t
}

// indicators are those of a stream.
type indicators struct {
	end, fault told
	failed     bool // a character was to be read, and there was none: one of both is set
	one        bool // not both are set
	used       bool // it may have been written to
	mixed      bool // two streams of the run have this address, as in no other run
	only       byte // r: it was opened to be read, w: to be written to; else 0
	also       byte // only of another one that has this address
}

// missed takes down that a character was to be read: there was none, or that is not known. Behind the end, nothing is
// read.
func (s *indicators) missed(known bool) {
	if s.end == isSet {
		return
	}
	s.one = s.end == isClear && s.fault == isClear
	s.end, s.fault, s.failed = s.end.perhaps(), s.fault.perhaps(), known
}

// found takes down that a character was read: then the indicator of the end was clear.
func (s *indicators) found() {
	if s.end == isEither {
		if s.end = isClear; s.failed && s.fault == isEither {
			s.fault = isSet
		}
	}
	s.failed = false
}

// says takes down what is told of an indicator, the other one is beside it; it reports what does not fit.
func (s *indicators) says(asked, other *told, set bool) (bad bool) {
	before := *asked
	if *asked = isClear; set {
		*asked = isSet
	}
	bad = s.mixed || before == isOpen || before != isEither && before != *asked
	switch {
	case set && s.one:
		bad = bad || *other == isSet
		if *other == isEither {
			*other = isClear
		}
	case !set && s.failed:
		bad = bad || *other == isClear
		if *other == isEither {
			*other = isSet
		}
	}
	return bad
}

// streams are those of a run, by where they point to.
type streams struct {
	of     map[uint64]indicators
	others indicators // of those that are not there
	closed map[uint64]bool
}

func (s streams) copy() streams { return streams{maps.Clone(s.of), s.others, maps.Clone(s.closed)} }

func (s *streams) get(at uint64) indicators {
	if is, known := s.of[at]; known {
		return is
	}
	return s.others
}

// blur forgets all that is known.
func (s *streams) blur() {
	s.of, s.others = map[uint64]indicators{}, indicators{end: isOpen, fault: isOpen, used: true}
}

// contradicts takes down what a routine without a body returns, and reports an indicator that does not fit to what was
// told before, or that nothing is known of.
func (m *Machine) contradicts(f *ir.Func, args []uint64, bits uint64) bool {
	name := ir.Indicator(f)
	if name == "" || len(args) == 0 {
		m.streamed(f, args, &bits)
		return false
	}
	s := m.guesses.streams.get(args[0])
	asked, other := &s.end, &s.fault
	if name == ir.AsksError {
		asked, other = other, asked
	}
	bad := s.says(asked, other, bits != 0)
	m.guesses.streams.of[args[0]] = s
	return bad
}

// changesNone are routines that are given a stream and change no indicator of it.
var changesNone = map[string]bool{"feof": true, "ferror": true, "ftell": true, "ftello": true, "fileno": true, "setbuf": true, "setvbuf": true}

// streamed takes down a call of a routine that does not ask for indicators, with its result; nil: nobody has looked.
func (m *Machine) streamed(f *ir.Func, args []uint64, result *uint64) {
	all := &m.guesses.streams
	name := strings.TrimSuffix(ir.PlainName(f.Name), "_unlocked")
	failed := result != nil && int64(*result) < 0
	argument, takes := ir.StreamArguments[name]
	switch {
	case m.Program.Scans[f] != nil:
		all.blur()
	case ir.ReadsCharacter(f):
		at, is := m.readFrom(f, args)
		if !is {
			all.blur()
			return
		}
		s := all.get(at)
		switch {
		case s.only == 'w':
			s.fault = isSet
		case result == nil:
			s.missed(false)
		case !failed:
			s.found()
		default:
			s.missed(true)
		}
		all.of[at] = s
	case result != nil && m.inBody(f, *result):
	case f.Known == nil:
		if len(args) > 0 { // a choice has none
			all.blur()
		}
	case opensStream(name):
		if result != nil {
			delete(all.closed, *result)
			before, known := all.of[*result]
			all.of[*result] = indicators{only: m.onlyFor(f, args)}
			if known || slices.Contains([]uint64{m.standard("stdin"), m.standard("stdout"), m.standard("stderr")}, *result) { // as no run has it
				both := indicators{mixed: true, only: m.onlyFor(f, args), also: before.only}
				if before.end == isSet {
					both.end = isSet
				}
				all.of[*result] = both
			}
		}
	case writesTo(name) != "":
		all.writes(m.standard(writesTo(name)), failed)
	case ir.ClosesStream(name) && len(args) > 0:
		all.closed[args[0]] = true
	case !takes || argument >= len(args) || changesNone[name]:
	case name == "freopen":
		all.of[args[argument]] = indicators{mixed: all.get(args[argument]).mixed, only: m.onlyFor(f, args)}
	case name == "clearerr" || name == "rewind":
		s := all.get(args[argument])
		all.of[args[argument]] = indicators{mixed: s.mixed, used: s.used, only: s.only}
	case name == "ungetc": // which clears that of the end, or does nothing
		s := all.get(args[argument])
		if s.failed = false; s.end == isSet {
			s.end = isEither
		}
		all.of[args[argument]] = s
	case name == "fseek" || name == "fseeko":
		s := all.get(args[argument])
		if result != nil && !failed {
			s.end, s.failed = isClear, false
		} else {
			s.end, s.fault = isOpen, isOpen
		}
		all.of[args[argument]] = s
	default:
		all.writes(args[argument], failed || m.goes(args[argument], 'r') && writesText(name))
	}
}

// inBody takes down what a body of the library does to a stream, beside reading from it, and reports that it did:
// fgets() that fails behind characters has met an error, or the end where it does not fail, and fwrite() of too few.
func (m *Machine) inBody(f *ir.Func, result uint64) bool {
	all, top := &m.guesses.streams, m.top().f
	if !top.Library || f.Name != ir.OwnPrefix+"failed" && f.Name != ir.OwnPrefix+"count" {
		return false
	}
	switch at, is := m.readFrom(f, nil); {
	case !is:
	case f.Name == ir.OwnPrefix+"failed" && strings.HasPrefix(ir.PlainName(top.Name), "fgets"):
		s := all.get(at)
		asked, other := &s.end, &s.fault
		if result != 0 {
			asked, other = other, asked
		}
		s.says(asked, other, true)
		all.of[at] = s
		return true
	case writing(top):
		n, _, _ := m.parameter("n")
		size, _, _ := m.parameter("size")
		all.writes(at, result < n && size > 0)
		return true
	}
	return false
}

// writesTo is the standard stream that a routine writes to which is given none; "" of others.
func writesTo(name string) string {
	switch name {
	case "printf", "puts", "putchar", "vprintf":
		return "stdout"
	case "perror":
		return "stderr"
	}
	return ""
}

// writesText reports a routine that writes to a stream which it is given.
func writesText(name string) bool {
	return slices.Contains([]string{"fputc", "putc", "putw", "fputs", "fprintf", "vfprintf"}, name)
}

// usesClosed reports that a routine uses a stream that was closed: C does not say what that does.
func (m *Machine) usesClosed(f *ir.Func, args []uint64) bool {
	if len(m.guesses.streams.closed) == 0 {
		return false
	}
	at, name := uint64(0), strings.TrimSuffix(ir.PlainName(f.Name), "_unlocked")
	switch argument, takes := ir.StreamArguments[name]; {
	case takes && argument < len(args):
		at = args[argument]
	case ir.ClosesStream(name) && len(args) > 0:
		at = args[0]
	case writesTo(name) != "":
		at = m.standard(writesTo(name))
	case ir.ReadsCharacter(f):
		at, _ = m.readFrom(f, args)
	}
	return m.guesses.streams.closed[at]
}

// opensStream reports a routine that opens a stream.
func opensStream(name string) bool {
	r := ir.RuledAs(name)
	return r != nil && r.Opens
}

// writes takes down that a stream is written to, or used otherwise, and that this has failed.
func (s *streams) writes(at uint64, failed bool) {
	is := s.get(at)
	is.fault, is.used, is.one = is.fault.perhaps(), true, is.one && is.end == isClear
	if failed {
		is.fault = isSet
	}
	s.of[at] = is
}

// readFrom is the stream that a routine reads a character from, or that a body of the library writes to.
func (m *Machine) readFrom(f *ir.Func, args []uint64) (at uint64, is bool) {
	switch {
	case len(args) > 0:
		return args[0], true
	case ir.ReadsCharacter(f) && f.Name != ir.InputRoutine:
		return m.standard("stdin"), true
	}
	stream := "from"
	if writing(m.top().f) {
		stream = "to"
	}
	if bits, t, is := m.parameter(stream); is && t.Kind == ir.Pointer {
		return bits, true
	}
	return 0, len(m.top().f.Params) > 0 && m.top().f.Library // of no stream
}

// writing reports the body of a routine that writes to a stream.
func writing(f *ir.Func) bool { return f.Library && strings.HasPrefix(ir.PlainName(f.Name), "fwrite") }

// parameter is the value of a parameter of the innermost routine.
func (m *Machine) parameter(name string) (bits uint64, t *ir.Type, is bool) {
	top := m.top()
	for _, v := range top.f.Params {
		if o := top.vars[v]; v.Name == name && o != nil {
			return m.word(o, v.Type), v.Type, true
		}
	}
	return 0, nil, false
}

// standard is where a standard stream points to, of a program that names it; 0 of others.
func (m *Machine) standard(name string) uint64 {
	for _, v := range m.Program.Globals {
		if o := m.vars[v]; v.Extern && v.Name == name && v.Type.Kind == ir.Pointer && o != nil {
			return m.word(o, v.Type)
		}
	}
	return 0
}

// word is the value of a scalar that is a whole object, whatever it depends on.
func (m *Machine) word(o *object, t *ir.Type) uint64 {
	before := m.depends()
	bits, err := m.read(access{o: o, t: t}, ir.Span{})
	if m.dep = before; err != nil {
		return 0
	}
	return bits
}
