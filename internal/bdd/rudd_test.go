package bdd

import (
	"math/rand/v2"
	"testing"

	"github.com/dalzilio/rudd"
)

// The load of one translation of a pattern formula as far as diagrams go: a
// fresh manager, a dozen variables, some tens of functions, then a comparison of
// each with each, as the simulation reduction does.
const (
	loadVars      = 14
	loadFunctions = 30
)

func BenchmarkTranslationLoad(b *testing.B) {
	b.Run("own", func(b *testing.B) {
		for range b.N {
			m, fs := ownLoad()
			n := 0
			for _, f := range fs {
				for _, g := range fs {
					if m.Implies(f, g) {
						n++
					}
				}
			}
			if n < len(fs) {
				b.Fatal("implication is not reflexive")
			}
		}
	})
	for _, size := range []int{0, 500} {
		name := "rudd"
		if size > 0 {
			name = "rudd-small"
		}
		b.Run(name, func(b *testing.B) {
			for range b.N {
				m, fs := ruddLoad(b, size)
				n := 0
				for _, f := range fs {
					for _, g := range fs {
						if m.Equal(m.Imp(f, g), m.True()) {
							n++
						}
					}
				}
				if n < len(fs) {
					b.Fatal("implication is not reflexive")
				}
			}
		})
	}
}

func ownLoad() (*Manager, []Node) {
	r := rand.New(rand.NewPCG(3, 4))
	m := New()
	var fs []Node
	for range loadFunctions {
		f := False
		for range 4 {
			c := True
			for range 4 {
				v := r.IntN(loadVars)
				if r.IntN(2) == 0 {
					c = m.And(c, m.Var(v))
				} else {
					c = m.And(c, m.NotVar(v))
				}
			}
			f = m.Or(f, c)
		}
		fs = append(fs, f)
	}
	return m, fs
}

func ruddLoad(b *testing.B, size int) (*rudd.BDD, []rudd.Node) {
	r := rand.New(rand.NewPCG(3, 4))
	var m *rudd.BDD
	var err error
	if size > 0 {
		m, err = rudd.New(loadVars, rudd.Nodesize(size), rudd.Cachesize(size))
	} else {
		m, err = rudd.New(loadVars)
	}
	if err != nil {
		b.Fatal(err)
	}
	var fs []rudd.Node
	for range loadFunctions {
		f := m.False()
		for range 4 {
			c := m.True()
			for range 4 {
				v := r.IntN(loadVars)
				if r.IntN(2) == 0 {
					c = m.And(c, m.Ithvar(v))
				} else {
					c = m.And(c, m.NIthvar(v))
				}
			}
			f = m.Or(f, c)
		}
		fs = append(fs, f)
	}
	return m, fs
}
