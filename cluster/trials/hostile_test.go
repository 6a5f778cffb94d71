package trials

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/seltl/seltl/cluster/broker"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

// TestStrangers connects without the credentials of a server, and with wrong ones.
func TestStrangers(t *testing.T) {
	p := newPool(t, 0)
	a := p.read()
	for _, o := range [][]nats.Option{nil, {nats.UserInfo(a.User, "wrong")}, {nats.UserInfo("admin", a.Password)}, {nats.Token(a.Password)}} {
		if nc, err := nats.Connect(a.URL, o...); err == nil {
			nc.Close()
			t.Errorf("%d options let anybody in", len(o))
		}
	}
	if e := seltlCluster(t, "status", "--nats", a.URL); e.status != report.ExitInput || !strings.Contains(strings.ToLower(e.err), "authorization") {
		t.Error(e)
	}
	info, err := os.Stat(p.access)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the password: %v, %v", info.Mode(), err)
	}
	for _, listen := range []string{"0.0.0.0:0", "[::]:0", ":0"} {
		if e := seltlCluster(t, "serve", "--listen", listen, "--store", t.TempDir()); e.status != report.ExitInput || !strings.Contains(e.err, "credentials") {
			t.Errorf("%s: %v", listen, e)
		}
	}
}

// eavesdropper hears everything that goes through a server, with a worker's credentials.
type eavesdropper struct {
	*nats.Conn
	mu    sync.Mutex
	heard map[string][]*nats.Msg // by subject, some of them
}

func eavesdrop(t testing.TB, a broker.Access) *eavesdropper {
	t.Helper()
	nc, err := nats.Connect(a.URL, nats.UserInfo(a.User, a.Password))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	x := &eavesdropper{Conn: nc, heard: map[string][]*nats.Msg{}}
	if _, err := nc.Subscribe(">", x.hear); err != nil {
		t.Fatal(err)
	}
	return x
}

func (x *eavesdropper) hear(m *nats.Msg) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.heard[m.Subject]) < 200 && len(m.Data) < 1<<18 {
		x.heard[m.Subject] = append(x.heard[m.Subject], m)
	}
}

// about returns what was heard under subjects that begin so; not what was asked of the
// server's JetStream, unless that is meant.
func (x *eavesdropper) about(prefix string) (all []*nats.Msg) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for subject, list := range x.heard {
		if strings.HasPrefix(subject, prefix) {
			all = append(all, list...)
		}
	}
	return all
}

// garbage is what nobody sends. What is a message, though not one that anybody sent, is none:
// who has the credentials can claim to be a worker that leaves.
func garbage(r *rand.Rand, like []byte) []byte {
	for {
		if b := anything(r, like); !json.Valid(b) || b[0] != '{' {
			return b
		}
	}
}

func anything(r *rand.Rand, like []byte) []byte {
	b := slices.Clone(like)
	switch r.IntN(8) {
	case 0:
		return nil
	case 1:
		b = b[:r.IntN(len(b)+1)]
	case 2:
		b = append(b, b...)
	case 3:
		b = make([]byte, r.IntN(4<<20))
		for i := range b {
			b[i] = byte(i * 7)
		}
	case 4:
		return []byte(`{"id":"x","post":{"rank":-1,"size":-5,"epoch":4294967295},"how":"result"`)
	case 5:
		return []byte(strings.Repeat("[", 100_000))
	default:
		for range 1 + r.IntN(5) {
			if len(b) > 0 {
				b[r.IntN(len(b))] ^= 1 << r.IntN(8)
			}
		}
	}
	return b
}

// forge makes a frame with another content, a sequence number somewhat later, and the right
// checksum.
func forge(r *rand.Rand, frame []byte) []byte {
	b := slices.Clone(frame)
	n := len(b) - 48
	if n < 0 {
		return b
	}
	for range 1 + r.IntN(20) {
		if n > 0 {
			b[r.IntN(n)] = byte(r.IntN(256))
		}
	}
	t := b[n:]
	binary.LittleEndian.PutUint64(t[32:], binary.LittleEndian.Uint64(t[32:])+uint64(r.IntN(4)))
	binary.LittleEndian.PutUint32(t[44:], crc32.Checksum(b[:n+44], crc32.MakeTable(crc32.Castagnoli)))
	return b
}

// TestGarbage has a client with a worker's credentials publish garbage, old frames and
// commands under every subject that it sees, while a job runs.
func TestGarbage(t *testing.T) {
	onlySoaked(t)
	want, err := long.ask(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []struct {
		name, prefix string
		make         func(r *rand.Rand, m []byte) []byte
		mayFail      bool // by status 2 or 4: what is kept of jobs is overwritten
	}{
		{"garbage", "seltl.", garbage, false}, // counted where it is a frame
		{"frames again", "seltl.frames.", func(_ *rand.Rand, m []byte) []byte { return m }, false},
		{"everything again", "seltl.", func(_ *rand.Rand, m []byte) []byte { return m }, false},
		{"forged frames", "seltl.frames.", forge, false},
		{"false messages", "seltl.", anything, true},
		{"all garbage", "", garbage, true},
	} {
		t.Run(how.name, func(t *testing.T) {
			for seed := range soak.Long(uint64(1)) {
				r := rand.New(rand.NewPCG(seed, 29))
				p := newPool(t, 2)
				x := eavesdrop(t, p.read())
				details := filepath.Join(t.TempDir(), "details.json")
				args := append([]string{"submit", "--json", "--access", p.access, "-n", "2", "--checkpoint", "5", "--details", details}, long.args()...)
				asked := start(t, args...)
				sent := 0
				for until := time.Now().Add(time.Minute); time.Now().Before(until); {
					select {
					case <-asked.done:
						until = time.Now()
						continue
					default:
					}
					list := x.about(how.prefix)
					if len(list) == 0 {
						time.Sleep(time.Millisecond)
						continue
					}
					for range 20 {
						m := list[r.IntN(len(list))]
						if x.Publish(m.Subject, how.make(r, m.Data)) == nil {
							sent++
						}
					}
					time.Sleep(time.Millisecond)
				}
				x.Close()
				if how.mayFail {
					select {
					case <-asked.done:
					case <-time.After(20 * time.Second):
						asked.kill()
					}
				}
				e := p.wait(t, asked)
				known := false
				if !how.mayFail || e.status == report.ExitHolds {
					if known, err = long.compareOrUnknown(t, want, e, 2); err != nil {
						t.Errorf("seed %d: %v", seed, err)
					}
				}
				text, _ := os.ReadFile(details)
				t.Logf("seed %d: %d messages, status %d, known: %v, refused frames counted: %v", seed, sent, e.status, known, strings.Contains(string(text), `"refused"`))
				for _, w := range append(p.workers, p.server) {
					select {
					case <-w.done:
						if !how.mayFail || w.ProcessState.ExitCode() != report.ExitInput {
							t.Errorf("%v ended: %s", w.Args[1:], w.err.String())
						}
					default:
					}
				}
				p.afterwards(t, how.mayFail)
				p.end()
			}
		})
	}
}

// afterwards asks something small.
func (p *pool) afterwards(t *testing.T, mayFail bool) {
	small := question{file: specs("families", "milner.lks"), kind: "count", params: map[string]int{"N": 6}}
	want, err := small.ask(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	asked := start(t, append([]string{"submit", "--json", "--access", p.access, "-n", "2"}, small.args()...)...)
	select {
	case <-asked.done:
	case <-time.After(time.Minute):
		asked.kill()
		if !mayFail {
			t.Errorf("nothing works afterwards: %s\n%s", asked.err.String(), p.server.err.String())
		}
		return
	}
	if err := small.compare(t, want, p.wait(t, asked), 2); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// Kinds of frames.
const batchFrame, turnFrame = 1, 3

// reforge makes another frame of one that was heard: of another phase, also in a payload of states,
// and with another sequence number.
func reforge(frame []byte, phase uint32, seq uint64) []byte {
	b := slices.Clone(frame)
	t := b[len(b)-48:]
	if t[5] == batchFrame && len(b) >= 48+8 {
		binary.LittleEndian.PutUint32(b[4:], phase)
	}
	binary.LittleEndian.PutUint32(t[20:], phase)
	binary.LittleEndian.PutUint64(t[32:], seq)
	binary.LittleEndian.PutUint32(t[44:], crc32.Checksum(b[:len(b)-4], crc32.MakeTable(crc32.Castagnoli)))
	return b
}

// TestForgers has a client with a worker's credentials take the place of workers: the job comes to
// its end by itself, with the right answer or without one.
func TestForgers(t *testing.T) {
	onlySoaked(t)
	want, err := long.ask(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 31))
	for _, how := range []struct {
		name string
		does func(x *eavesdropper, m *nats.Msg, kind byte, phase uint32, seq uint64) bool
	}{
		{"thief", func(x *eavesdropper, m *nats.Msg, kind byte, phase uint32, seq uint64) bool { // one frame is missed for ever
			if kind != batchFrame || phase < 8 {
				return false
			}
			for n := uint64(1); n < 4; n++ {
				_ = x.Publish(m.Subject, reforge(m.Data, phase+1, seq+n))
			}
			return r.IntN(30) == 0
		}},
		{"feeder", func(x *eavesdropper, m *nats.Msg, kind byte, phase uint32, seq uint64) bool { // and others come in its place, without an end
			if kind != batchFrame || phase < 8 {
				return false
			}
			for n := uint64(1); n < 4000; n++ {
				_ = x.Publish(m.Subject, reforge(m.Data, phase+1, seq+n))
				if n > 3 {
					time.Sleep(500 * time.Millisecond)
				}
				if x.IsClosed() {
					return true
				}
			}
			return true
		}},
		{"leader", func(x *eavesdropper, m *nats.Msg, kind byte, phase uint32, seq uint64) bool { // a worker is led on alone
			if kind != turnFrame || phase < 8 {
				return false
			}
			for n := uint32(1); n < 2000; n++ {
				_ = x.Publish(m.Subject, reforge(m.Data, phase+n, seq+uint64(n)))
				time.Sleep(100 * time.Millisecond)
				if x.IsClosed() {
					return true
				}
			}
			return true
		}},
	} {
		t.Run(how.name, func(t *testing.T) {
			p := newPool(t, 2)
			x := eavesdrop(t, p.read())
			var once sync.Mutex
			done := false
			if _, err := x.Subscribe("seltl.frames.>", func(m *nats.Msg) {
				n := len(m.Data) - 48
				once.Lock()
				over := done
				once.Unlock()
				if over || n < 0 {
					return
				}
				h := m.Data[n:]
				did := how.does(x, m, h[5], binary.LittleEndian.Uint32(h[20:]), binary.LittleEndian.Uint64(h[32:]))
				once.Lock()
				done = done || did
				once.Unlock()
			}); err != nil {
				t.Fatal(err)
			}
			begun := time.Now()
			asked := start(t, append([]string{"submit", "--json", "--access", p.access, "-n", "2", "--checkpoint", "5"}, long.args()...)...)
			e := p.wait(t, asked)
			x.Close()
			known, err := long.compareOrUnknown(t, want, e, 2)
			if err != nil {
				t.Error(err)
			}
			faults := ""
			for _, r := range p.status(t).Records {
				for _, f := range r.Faults {
					faults += "; " + f.Text
				}
			}
			t.Logf("after %v, known: %v%s", time.Since(begun).Round(time.Second), known, faults)
			p.afterwards(t, false)
		})
	}
}
