package search

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

// wideNetwork is one whose states have several words.
func wideNetwork() *lks.Network { return gen.Philosophers(30, false) }

// isState is ranges.check, component by component.
func isState(n *lks.Network, state []uint64) bool {
	local := make([]int32, len(n.Components()))
	n.Unpack(state, local)
	for c, m := range n.Components() {
		if int(local[c]) >= m.NumStates() {
			return false
		}
	}
	again := make([]uint64, n.Words())
	n.Pack(local, again)
	return slices.Equal(again, state)
}

// TestRanges compares with the definition, for words near states.
func TestRanges(t *testing.T) {
	inside, outside := 0, 0
	for seed := range soak.Cases(uint64(300)) {
		r := gen.Rand(seed)
		net := randomNetwork(seed)
		switch {
		case seed%10 == 0:
			net = gen.Philosophers(3+r.IntN(40), true)
		case net == nil:
			continue
		}
		valid := newRanges(net.Words(), networkFields(net))
		state, local := make([]uint64, net.Words()), make([]int32, len(net.Components()))
		for range 50 {
			for c, m := range net.Components() {
				local[c] = int32(r.IntN(m.NumStates()))
			}
			net.Pack(local, state)
			for range r.IntN(3) {
				state[r.IntN(len(state))] ^= 1 << r.IntN(64)
			}
			want := isState(net, state)
			if got := valid.check(state) == nil; got != want {
				t.Fatalf("seed %d: %x: %v, want %v", seed, state, got, want)
			}
			if want {
				inside++
			} else {
				outside++
			}
		}
	}
	if inside < 100 || outside < 100 {
		t.Error(inside, outside)
	}
}

// reached returns states of a network, one after the other.
func reached(n *lks.Network, most int) []uint64 {
	ex := n.Explorer()
	var succ lks.Successors
	ex.Initial(&succ)
	states, words := slices.Clone(succ.States), n.Words()
	for at := 0; at < len(states) && len(states) < most*words; at += words {
		ex.Successors(states[at:at+words], &succ)
		states = append(states, succ.States...)
	}
	return states
}

// payloads makes payloads of states.
func payloads(c *codec, states []uint64, k kind, phase uint32) (all [][]byte) {
	var o outgoing
	for len(states) > 0 {
		c.begin(&o, nil)
		states = c.add(&o, states)
		all = append(all, c.finish(&o, k, phase))
	}
	return all
}

// decode reads a payload.
func decode(c *codec, payload []byte, k kind, phase uint32) (states []uint64, err error) {
	var d decoding
	if err := c.open(&d, payload, k, phase); err != nil {
		return nil, err
	}
	batch := make([]uint64, 0, 100*c.words)
	for d.count > 0 {
		some, err := c.next(&d, batch)
		if err != nil {
			return nil, err
		}
		states = append(states, some...)
	}
	return states, nil
}

func TestCodec(t *testing.T) {
	for _, net := range []*lks.Network{gen.Philosophers(9, false), gen.Ring(4), wideNetwork(), gen.Philosophers(170, false)} {
		c := newCodec(net.Words(), newRanges(net.Words(), networkFields(net)))
		states := reached(net, 30000/net.Words())
		var back []uint64
		bytes := 0
		for _, p := range payloads(c, states, kindEdges, 7) {
			some, err := decode(c, p, kindEdges, 7)
			if err != nil {
				t.Fatal(err)
			}
			back, bytes = append(back, some...), bytes+len(p)
		}
		if !slices.Equal(back, states) {
			t.Errorf("%s: the states are not those that were written", net.Name())
		}
		t.Logf("%s: %d words, %.1f bytes", net.Name(), net.Words(), float64(bytes)/float64(len(states)/net.Words()))
	}
}

// TestGarbage: what is no payload is refused, whatever is wrong with it.
func TestGarbage(t *testing.T) {
	net := gen.Philosophers(5, false)
	c := newCodec(net.Words(), newRanges(net.Words(), networkFields(net)))
	good := payloads(c, reached(net, 50), kindStates, 3)[0]
	if _, err := decode(c, good, kindStates, 3); err != nil {
		t.Fatal(err)
	}
	change := func(f func(p []byte) []byte) []byte { return f(slices.Clone(good)) }
	for name, p := range map[string][]byte{
		"nothing":      nil,
		"a header":     good[:headerBytes],
		"half":         good[:len(good)/2],
		"too long":     change(func(p []byte) []byte { return append(p, 0) }),
		"magic":        change(func(p []byte) []byte { p[0]++; return p }),
		"version":      change(func(p []byte) []byte { p[1]++; return p }),
		"kind":         change(func(p []byte) []byte { p[2]++; return p }),
		"reserved":     change(func(p []byte) []byte { p[3]++; return p }),
		"phase":        change(func(p []byte) []byte { p[4]++; return p }),
		"more states":  change(func(p []byte) []byte { p[8]++; return p }),
		"fewer states": change(func(p []byte) []byte { p[8]--; return p }),
		"no states":    change(func(p []byte) []byte { copy(p[8:12], "\x00\x00\x00\x00"); return p }),
		"many states":  change(func(p []byte) []byte { copy(p[8:12], "\xff\xff\xff\xff"); return p }),
		"unused bits":  change(func(p []byte) []byte { return append(append(p[:8:8], 1, 0, 0, 0, 0x80), 0x80) }),
		"local state":  change(func(p []byte) []byte { return append(p[:8:8], 1, 0, 0, 0, 1, 7) }),
	} {
		if states, err := decode(c, p, kindStates, 3); err == nil {
			t.Errorf("%s: taken as %x", name, states)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
}

// FuzzDecode: no bytes make the decoder panic, or give what is no state.
func FuzzDecode(f *testing.F) {
	nets := []*lks.Network{gen.Philosophers(5, false), wideNetwork(), gen.Philosophers(170, false)}
	codecs := make([]*codec, len(nets))
	for i, net := range nets {
		codecs[i] = newCodec(net.Words(), newRanges(net.Words(), networkFields(net)))
		for _, p := range payloads(codecs[i], reached(net, 20), kindStates, 1) {
			f.Add(i, p)
		}
	}
	f.Add(0, []byte{payloadMagic, Schema, byte(kindStates), 0, 1, 0, 0, 0, 1, 0, 0, 0, 0xff})
	f.Fuzz(func(t *testing.T, which int, payload []byte) {
		which = int(uint(which) % uint(len(nets)))
		net, c := nets[which], codecs[which]
		if len(payload) >= headerBytes && len(payload)%2 == 0 { // most would fail by the header alone
			putHeader(payload, kindStates, 1, binary.LittleEndian.Uint32(payload[8:]))
		}
		states, err := decode(c, payload, kindStates, 1)
		if err != nil {
			return
		}
		for s := range slices.Chunk(states, net.Words()) {
			if !isState(net, s) {
				t.Fatalf("%x is no state", s)
			}
		}
	})
}

// BenchmarkCodec measures bytes and time for each state, of states in the order in which
// they come, and of sorted ones with their distances as variable-length numbers.
func BenchmarkCodec(b *testing.B) {
	net := gen.Philosophers(12, false)
	r, err := explore.Reach(net, explore.Options{Resources: explore.Resources{Store: explore.Numbered}})
	if err != nil {
		b.Fatal(err)
	}
	var states []uint64
	o := newOwners(net, 2)
	for i := range r.Len() {
		if s := r.State(int32(i)); o.of(s) == 0 {
			states = append(states, s...)
		}
	}
	c := newCodec(1, newRanges(1, networkFields(net)))
	all := payloads(c, states, kindStates, 1)
	b.Run("differences", func(b *testing.B) {
		bytes := 0
		for range b.N {
			bytes = 0
			for _, p := range payloads(c, states, kindStates, 1) {
				bytes += len(p)
			}
		}
		b.ReportMetric(float64(bytes)/float64(len(states)), "B/state")
		b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(len(states)), "ns/state")
	})
	b.Run("read", func(b *testing.B) {
		for range b.N {
			for _, p := range all {
				if _, err := decode(c, p, kindStates, 1); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(len(states)), "ns/state")
	})
	b.Run("sorted", func(b *testing.B) {
		bytes := 0
		for range b.N {
			bytes = 0
			for part := range slices.Chunk(states, 1<<13) {
				part = slices.Clone(part)
				slices.Sort(part)
				var to []byte
				before := uint64(0)
				for _, x := range part {
					to = binary.AppendUvarint(to, x-before)
					before = x
				}
				bytes += len(to)
			}
		}
		b.ReportMetric(float64(bytes)/float64(len(states)), "B/state")
		b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(len(states)), "ns/state")
	})
}
