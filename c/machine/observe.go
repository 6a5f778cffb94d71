package machine

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/seltl/seltl/c/ir"
)

// Do runs a routine, where the run is, or after it: what it returns, which decides how the run goes on.
// Machine.Step is not told of it.
func (m *Machine) Do(f *ir.Func, args []uint64) (uint64, error) {
	quiet := m.quiet
	m.quiet = true
	defer func() { m.quiet = quiet }()
	bits, err := m.begin(f, args)
	m.decided(m.resultOf)
	return bits, err
}

// Decides evaluates a condition without any effect, but that the run depends on what the condition does.
func (m *Machine) Decides(f *ir.Func, args []uint64) {
	n := m.Fork()
	if _, err := n.Do(f, args); err == nil {
		m.guess = n.guess
	}
}

// Observe evaluates a condition of Program.Conditions, or of those of another Program that was
// parsed of the same sources, where a run is that was started, without any effect: parameters
// and locals of the condition that have the name of a variable of the activation at that level
// of Stack are that; at level -1 there is none. Memory without a value has zeros. The condition
// is not defined where it dereferences null, divides by zero, and the like.
func (m *Machine) Observe(p *ir.Program, f *ir.Func, level int) (holds, defined bool) {
	return m.Fork().watch(p, f, level, nil)
}

// ObserveBy is Observe of a condition of Program at level 0, where memory without a value has what
// is chosen. The run depends on what the condition does.
func (m *Machine) ObserveBy(f *ir.Func, choose func(*Choice) (uint64, error)) (holds, defined bool) {
	n := m.Fork()
	holds, defined = n.watch(m.Program, f, 0, choose)
	if n.decided(n.resultOf); defined {
		m.guess = n.guess
	}
	return holds, defined
}

// watch evaluates a condition in a fork of a run.
func (n *Machine) watch(p *ir.Program, f *ir.Func, level int, choose func(*Choice) (uint64, error)) (holds, defined bool) {
	n.Choose = choose
	depth := len(n.stack)
	if p != n.Program && n.adopt(p) != nil {
		return false, false
	}
	n.enter(f, nil)
	if level >= 0 {
		in := n.stack[level]
		for v, own := range ir.Namesakes(f, in.f) {
			if in.vars[own] == nil {
				o, err := n.mem.allocate(own.Type.Size, false)
				if err != nil {
					return false, false
				}
				in.vars[own] = o
			}
			n.top().vars[v] = in.vars[own]
		}
	}
	n.quiet = true
	if err := n.loop(depth); err != nil {
		return false, false
	}
	return n.result != 0, true
}

// Settle evaluates a condition as Observe does, in a run that is at its first node, and gives
// memory without a value that the condition reads the value that is chosen, which it keeps. The
// error is Choose's.
func (m *Machine) Settle(f *ir.Func) error {
	depth, quiet := len(m.stack), m.quiet
	own := map[*ir.Var]*object{}
	for v, of := range ir.Namesakes(f, m.top().f) {
		o, err := m.object(of)
		if err != nil { // there is no memory for it: it settles nothing
			return nil
		}
		own[v] = o
		for _, i := range of.First { // its constants, from the beginning on
			if err := m.instr(i); err != nil {
				return err
			}
		}
	}
	m.enter(f, nil)
	maps.Copy(m.top().vars, own)
	m.quiet = true
	err := m.loop(depth)
	m.stack, m.quiet = m.stack[:depth], quiet
	if m.Halted(err) != nil {
		return nil
	}
	return err
}

// adopt makes globals and routines of another parse of the same sources those of the run.
func (m *Machine) adopt(p *ir.Program) error {
	globals := map[string]*object{}
	for v, o := range m.vars {
		globals[v.Name] = o
	}
	for _, v := range p.Globals {
		if m.vars[v] = globals[v.Name]; m.vars[v] == nil { // a literal of the condition
			o, err := m.mem.allocate(v.Type.Size, true)
			if err != nil {
				return err
			}
			o.v = v
			copy(o.data, v.Literal)
			m.vars[v] = o
		}
	}
	addrs := map[string]uint64{}
	for f, at := range m.addrs {
		addrs[f.Name] = at
	}
	own := map[*ir.Func]uint64{}
	for _, f := range p.Funcs {
		own[f] = addrs[f.Name]
	}
	m.addrs = own
	return nil
}

// Control tells apart where runs are in a program, whatever is in memory.
func (m *Machine) Control() string {
	b := make([]byte, 0, 24*len(m.stack))
	for _, f := range m.stack {
		b = strconv.AppendUint(b, uint64(reflect.ValueOf(f.b).Pointer()), 16)
		b = append(strconv.AppendInt(append(b, ' '), int64(f.at), 10), ';')
	}
	return string(b)
}

// maxKey bounds the memory whose bytes Key looks at.
const maxKey = 1 << 18

// Key is the same for two machines only if their runs are at the same place with the same
// memory; "" if there is too much of that to tell.
func (m *Machine) Key() string {
	if m.mem.size > maxKey {
		return ""
	}
	h := sha256.New()
	h.Write([]byte(m.Control()))
	number := func(n uint64) {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], n)
		h.Write(b[:])
	}
	for _, o := range m.mem.objects {
		number(o.base)
		h.Write(o.data)
		for i := 0; i < len(o.lacks); i += 64 {
			bits := uint64(0)
			for k, lacks := range o.lacks[i:min(i+64, len(o.lacks))] {
				if lacks {
					bits |= 1 << k
				}
			}
			number(bits)
		}
	}
	number(uint64(len(m.region)))
	for _, at := range sortedKeys(m.region) {
		o := m.region[at]
		number(at)
		h.Write(o.data)
	}
	return string(h.Sum(nil))
}

func sortedKeys(of map[uint64]*object) []uint64 {
	all := make([]uint64, 0, len(of))
	for at := range of {
		all = append(all, at)
	}
	slices.Sort(all)
	return all
}
