package logic

import (
	"cmp"
	"math"
	"math/big"
	"slices"
)

// table is a total map, the value of an array or a function: entries sorted by key, none
// equal to rest.
type table struct {
	rest    Value
	entries []entry
}

// entry is the value for a key: an index, or the arguments of a function.
type entry struct {
	key   []Value
	value Value
}

func compareKeys(a, b []Value) int { return slices.CompareFunc(a, b, Value.Compare) }

func (t *table) find(key []Value) (int, bool) {
	return slices.BinarySearchFunc(t.entries, key, func(e entry, key []Value) int { return compareKeys(e.key, key) })
}

// appendTo prints {0: 7, else: 0}, with several arguments {(0, 1): 7, else: 0}.
func (t *table) appendTo(b []byte) []byte {
	b = append(b, '{')
	for _, e := range t.entries {
		if len(e.key) > 1 {
			b = append(b, '(')
		}
		for i, k := range e.key {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = k.appendTo(b)
		}
		if len(e.key) > 1 {
			b = append(b, ')')
		}
		b = append(e.value.appendTo(append(b, ": "...)), ", "...)
	}
	return append(t.rest.appendTo(append(b, "else: "...)), '}')
}

// at returns the value of an array or a function for a key.
func (v Value) at(key ...Value) Value {
	if i, found := v.table.find(key); found {
		return v.table.entries[i].value
	}
	return v.table.rest
}

// with returns the array or function with one value replaced.
func (v Value) with(key []Value, value Value) Value {
	i, found := v.table.find(key)
	entries := slices.Clone(v.table.entries)
	if found {
		entries = slices.Delete(entries, i, i+1)
	}
	if value.Compare(v.table.rest) != 0 {
		entries = slices.Insert(entries, i, entry{key, value})
	}
	return Value{sort: v.sort, table: &table{rest: v.table.rest, entries: entries}}
}

// compareTables orders maps. Where there are finitely many keys the rest may be of none,
// and one map has several tables: then the values decide, for one key after the other.
func (v Value) compareTables(w Value) int {
	if count, ok := v.sort.keys(); ok {
		return v.compareByKey(w, count)
	}
	if c := v.table.rest.Compare(w.table.rest); c != 0 {
		return c
	}
	return slices.CompareFunc(v.table.entries, w.table.entries, func(a, b entry) int {
		return cmp.Or(compareKeys(a.key, b.key), a.value.Compare(b.value))
	})
}

// compareByKey compares at the first key where the maps differ. All keys that neither has
// an entry for are alike, so that the first one of them stands for all.
func (v Value) compareByKey(w Value, count uint64) int {
	var named [][]Value
	for _, t := range []*table{v.table, w.table} {
		for _, e := range t.entries {
			named = append(named, e.key)
		}
	}
	slices.SortFunc(named, compareKeys)
	named = slices.CompactFunc(named, func(a, b []Value) bool { return compareKeys(a, b) == 0 })
	others := false // some key without an entry was compared
	at := uint64(0)
	for _, key := range named {
		if !others && compareKeys(v.sort.key(at), key) < 0 {
			if c := v.table.rest.Compare(w.table.rest); c != 0 {
				return c
			}
			others = true
		}
		if c := v.at(key...).Compare(w.at(key...)); c != 0 {
			return c
		}
		at++
	}
	if others || at == count {
		return 0
	}
	return v.table.rest.Compare(w.table.rest)
}

// keySorts are those of the keys of an array or function sort.
func (s *Sort) keySorts() []*Sort {
	if s.kind == ArrayKind {
		return []*Sort{s.index}
	}
	arguments, _ := s.Signature()
	return arguments
}

// keys counts the keys of an array or function sort, saturating; ok is false if there are
// infinitely many, or they are arrays.
func (s *Sort) keys() (n uint64, ok bool) {
	n = 1
	for _, k := range s.keySorts() {
		bits := 0
		switch k.kind {
		case BoolKind:
			bits = 1
		case BitVecKind:
			bits = k.width
		default:
			return 0, false
		}
		if bits >= 64 || n > math.MaxUint64>>bits {
			n = math.MaxUint64
		} else {
			n <<= bits
		}
	}
	return n, true
}

// key returns the key with a number, in their order.
func (s *Sort) key(number uint64) []Value {
	sorts := s.keySorts()
	out := make([]Value, len(sorts))
	for i := len(sorts) - 1; i >= 0; i-- {
		digit := number
		if w := max(sorts[i].width, 1); w < 64 {
			digit, number = number&(1<<w-1), number>>w
		} else {
			number = 0
		}
		if sorts[i] == Bool {
			out[i] = BoolValue(digit == 1)
		} else {
			out[i] = NumValue(new(big.Rat).SetUint64(digit), sorts[i])
		}
	}
	return out
}
