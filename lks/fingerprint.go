package lks

import (
	"crypto/sha256"
	"encoding/binary"
)

// Fingerprint identifies what a network is to a search: its components without names, its
// rules, priorities and observers, and how its states are packed. Networks that are built
// alike have the same. Time is linear in the transitions of the components.
func (n *Network) Fingerprint() [sha256.Size]byte {
	h := sha256.New()
	put := func(values ...int32) { _ = binary.Write(h, binary.LittleEndian, values) }
	put(int32(n.Words()), int32(len(n.components)))
	for i, m := range n.components {
		put(int32(m.NumStates()), int32(len(m.Initial())), int32(len(m.Props())))
		put(m.Initial()...)
		for s := range int32(m.NumStates()) {
			put(int32(m.Kind(s)), m.LabelClass(s), int32(len(m.Edges(s))))
			for _, e := range m.Edges(s) {
				put(e.Action, e.Target)
			}
		}
		if n.Observer(i) {
			put(1)
		}
	}
	for i, r := range n.rules {
		put(int32(i), r.Action)
		for _, p := range r.Parts {
			put(p.Component, p.Action)
		}
		for _, low := range n.low {
			if low[i] {
				put(-1)
			}
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}
