package buchi

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/seltl/seltl/internal/bdd"
)

// moore refines classes of the states of a deterministic automaton until states of one class
// read the same letters, with the same marks, to states of one class [Moore56]. Classes are
// numbered in the order of their first states. It is nil where the labels tell too many letters
// apart for the table of it.
func moore(a *Automaton, splitter *bdd.Splitter, class []int32) []int32 {
	letters := splitter.Classes()
	if letters == 0 {
		return nil
	}
	to := make([]int32, len(a.out)*letters) // -1: none
	for i := range to {
		to[i] = -1
	}
	marks := make([]uint64, len(to))
	for s, es := range a.out {
		for _, e := range es {
			for set := splitter.Set(e.Label); set != 0; set &= set - 1 {
				at := s*letters + bits.TrailingZeros64(set)
				to[at], marks[at] = e.To, e.Marks
			}
		}
	}
	class, count := byKey(len(a.out), func(s int, key []byte) []byte {
		key = binary.LittleEndian.AppendUint32(key, uint32(class[s]))
		for at := s * letters; at < (s+1)*letters; at++ {
			key = binary.LittleEndian.AppendUint64(key, marks[at])
		}
		return key
	})
	for {
		next, more := byKey(len(a.out), func(s int, key []byte) []byte {
			key = binary.LittleEndian.AppendUint32(key, uint32(class[s]))
			for _, t := range to[s*letters : (s+1)*letters] {
				c := uint32(math.MaxUint32)
				if t >= 0 {
					c = uint32(class[t])
				}
				key = binary.LittleEndian.AppendUint32(key, c)
			}
			return key
		})
		if more == count {
			return next
		}
		class, count = next, more
	}
}

// byKey returns classes of states with equal keys, numbered in the order of their first states,
// and how many there are.
func byKey(states int, key func(s int, key []byte) []byte) (class []int32, count int) {
	class = make([]int32, states)
	number := map[string]int32{}
	var buffer []byte
	for s := range states {
		buffer = key(s, buffer[:0])
		c, ok := number[string(buffer)]
		if !ok {
			c = int32(len(number))
			number[string(buffer)] = c
		}
		class[s] = c
	}
	return class, len(number)
}
