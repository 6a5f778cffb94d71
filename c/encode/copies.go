package encode

import (
	"maps"
	"slices"
)

// bytes are what is held in some bytes, of several places together: structs have many members, come from many
// places and go to many.
type bytes struct {
	at   map[int64][]target // behind the first one
	any  []target           // somewhere
	open bool               // any numbers
	ints map[int64]bool     // where numbers are that were stored as such
}

func (p *pointsTo) bytes(from []target, size int64) bytes {
	at, somewhere, open, ints := map[int64]map[target]bool{}, map[target]bool{}, false, map[int64]bool{}
	for _, from := range from {
		for off := range p.numbers[from.obj] {
			if from.off == anyOffset || off == anyOffset || p.region(from.obj) {
				ints[anyOffset] = true
			} else if off >= from.off && off < from.off+size {
				ints[off-from.off] = true
			}
		}
		beside := p.beside(from, p.m.pointer) // what is held there besides
		open = open || p.open[from.obj] || len(beside) > 0
		maps.Copy(somewhere, beside)
		for off, held := range p.held[from.obj] {
			switch {
			case from.off == anyOffset, off == anyOffset, p.region(from.obj):
				maps.Copy(somewhere, held)
			case off >= from.off && off < from.off+size:
				if at[off-from.off] == nil {
					at[off-from.off] = map[target]bool{}
				}
				maps.Copy(at[off-from.off], held)
			}
		}
	}
	b := bytes{map[int64][]target{}, list(somewhere), open, ints}
	for off, held := range at {
		b.at[off] = list(held)
	}
	return b
}

// store copies bytes to a place.
func (p *pointsTo) store(b bytes, at target) {
	if b.open && !p.open[at.obj] {
		p.open[at.obj], p.changed = true, true
	}
	if at.obj == p.unknown && !p.wild {
		p.wild, p.changed = true, true
	}
	for off := range b.ints {
		to := p.someplace(at)
		if off != anyOffset && at.off != anyOffset && !p.region(at.obj) {
			to = target{at.obj, at.off + off}
		}
		p.keepNumber(to)
	}
	if len(b.any) > 0 {
		p.include(p.at(p.someplace(at)), b.any)
	}
	for _, off := range slices.Sorted(maps.Keys(b.at)) {
		to := p.someplace(at)
		if at.off != anyOffset && !p.region(at.obj) {
			to = target{at.obj, at.off + off}
		}
		p.include(p.at(to), b.at[off])
	}
}

// keepNumber notes a place where an integer was stored that is no address.
func (p *pointsTo) keepNumber(at target) {
	if p.numbers[at.obj] == nil {
		p.numbers[at.obj] = map[int64]bool{}
	}
	if !p.numbers[at.obj][at.off] {
		p.numbers[at.obj][at.off], p.changed = true, true
	}
}
