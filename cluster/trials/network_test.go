package trials

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/testing/soak"
)

// behind returns a file that says how to get to a pool's server through a proxy.
func (p *pool) behind(x *proxy) string {
	p.t.Helper()
	a := p.read()
	a.URL = "nats://" + x.listener.Addr().String()
	text, err := json.Marshal(a)
	if err != nil {
		p.t.Fatal(err)
	}
	name := filepath.Join(p.t.TempDir(), "access.json")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		p.t.Fatal(err)
	}
	return name
}

// TestBadNetworks has workers behind proxies that delay, throttle, stall, cut, and close
// one side.
func TestBadNetworks(t *testing.T) {
	onlySoaked(t)
	want, err := long.ask(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	known, n := 0, soak.Long(uint64(5))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 27))
		p := newPool(t, 1)
		var proxies []*proxy
		for range 2 {
			x := newProxy(t, strings.TrimPrefix(p.read().URL, "nats://"))
			proxies = append(proxies, x)
			p.workers = append(p.workers, start(t, "work", "--access", p.behind(x)))
		}
		args := append([]string{"submit", "--json", "--access", p.access, "-n", "3"}, long.args()...)
		if seed%2 == 0 {
			args = append(args, "--checkpoint", "5")
		}
		asked := start(t, args...)
		did := trouble(r, int(seed), proxies, asked)
		ok, err := long.compareOrUnknown(t, want, p.wait(t, asked), 3)
		if err != nil {
			t.Errorf("seed %d: %v: %v", seed, did, err)
		}
		if ok {
			known++
		}
		t.Logf("seed %d: %v: known: %v", seed, did, ok)
		for _, x := range proxies {
			x.set(0, 0)
		}
		p.end()
	}
	t.Logf("%d of %d known", known, n)
}

// trouble does bad things until the process has ended, or enough were done.
func trouble(r *rand.Rand, first int, proxies []*proxy, asked *process) (did []string) {
	do := func(format string, args ...any) { did = append(did, fmt.Sprintf(format, args...)) }
	for i := range 6 {
		select {
		case <-asked.done:
			return did
		case <-time.After(time.Duration(r.IntN(1200)) * time.Millisecond):
		}
		x := proxies[r.IntN(len(proxies))]
		kind := r.IntN(5)
		if i == 0 {
			kind = first % 5
		}
		switch kind {
		case 0:
			delay := time.Duration(r.IntN(40)) * time.Millisecond
			do("delay %v", delay)
			x.set(delay, 0)
		case 1:
			do("throttle")
			x.set(0, 500_000+r.IntN(5_000_000))
		case 2:
			wait := time.Duration(1+r.IntN(11)) * time.Second
			do("stall %v", wait)
			on := x.stall()
			select {
			case <-asked.done:
			case <-time.After(wait):
			}
			on()
			x.set(0, 0)
		case 3:
			do("cut")
			x.cut()
		case 4:
			do("half")
			x.half()
		}
	}
	for _, x := range proxies {
		x.set(0, 0)
	}
	return did
}

// space is a network namespace with a link to this one.
type space struct{ name, link, here string }

func newSpace(t testing.TB, number int) *space {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("network namespaces need root")
	}
	s := &space{name: fmt.Sprintf("seltl%d-%d", os.Getpid(), number), link: fmt.Sprintf("st%d-%d", os.Getpid()%100000, number)}
	net := 1 + (os.Getpid()+number)%250
	s.here = fmt.Sprintf("10.213.%d.1", net)
	for i, line := range []string{
		"netns add " + s.name,
		"link add " + s.link + " type veth peer name eth0 netns " + s.name,
		"addr add " + s.here + "/24 dev " + s.link,
		"link set " + s.link + " up",
		"-n " + s.name + " addr add " + fmt.Sprintf("10.213.%d.2/24", net) + " dev eth0",
		"-n " + s.name + " link set eth0 up",
		"-n " + s.name + " link set lo up",
	} {
		if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
			t.Skipf("no network namespaces: ip %s: %s", line, out)
		}
		if i == 0 {
			t.Cleanup(func() { _ = exec.Command("ip", "netns", "delete", s.name).Run() })
		}
	}
	return s
}

func (s *space) set(t testing.TB, state string) {
	t.Helper()
	if out, err := exec.Command("ip", "link", "set", s.link, state).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestPartition takes a worker's link away for some seconds, and gives it back.
func TestPartition(t *testing.T) {
	onlySoaked(t)
	want, err := long.ask(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	s := newSpace(t, 1)
	t.Setenv("SELTL_CLUSTER_PASSWORD", "secret")
	for seed := range soak.Long(uint64(2)) {
		r := rand.New(rand.NewPCG(seed, 28))
		store := t.TempDir()
		p := &pool{t: t, store: store, access: filepath.Join(store, "access.json")}
		port := 20000 + (os.Getpid()+int(seed))%20000
		p.serve(fmt.Sprintf("0.0.0.0:%d", port), "--user", "trial")
		p.work()
		w := p.workIn(s, port)
		args := append([]string{"submit", "--json", "--access", p.access, "-n", "2", "--checkpoint", "5", "--replace", "40s"}, long.args()...)
		asked := start(t, args...)
		time.Sleep(time.Duration(500+r.IntN(1500)) * time.Millisecond)
		s.set(t, "down")
		time.Sleep(10 * time.Second)
		s.set(t, "up")
		ok, err := long.compareOrUnknown(t, want, p.wait(t, asked), 2)
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		t.Logf("seed %d: known: %v", seed, ok)
		_ = w
		p.end()
	}
}

// workIn starts a worker in another network.
func (p *pool) workIn(s *space, port int) *process {
	p.t.Helper()
	a := p.read()
	a.URL = fmt.Sprintf("nats://%s:%d", s.here, port)
	text, err := json.Marshal(a)
	if err != nil {
		p.t.Fatal(err)
	}
	name := filepath.Join(p.store, "access-there.json")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		p.t.Fatal(err)
	}
	w := startBy(p.t, "ip", "netns", "exec", s.name, program(p.t), "work", "--access", name)
	p.workers = append(p.workers, w)
	return w
}

// ip runs a command of ip, here or there in the other network.
func (s *space) ip(t testing.TB, there bool, line string) {
	t.Helper()
	args := strings.Fields(line)
	if there {
		args = append([]string{"-n", s.name}, args...)
	}
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		t.Fatalf("ip %s: %v: %s", line, err, out)
	}
}

// shape has both ends of the link queue packets so, and returns how many were dropped until then.
func (s *space) shape(t testing.TB, queue string) (dropped func() int) {
	t.Helper()
	ends := [][]string{{"tc", "%s", "dev", s.link}, {"ip", "netns", "exec", s.name, "tc", "%s", "dev", "eth0"}}
	run := func(end []string, before string, more ...string) string {
		var args []string
		for _, word := range end {
			if word == "%s" {
				args = append(args, strings.Fields(before)...)
			} else {
				args = append(args, word)
			}
		}
		args = append(args, more...)
		out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
		if err != nil {
			t.Skipf("%s: %s", strings.Join(args, " "), out)
		}
		return string(out)
	}
	for _, end := range ends {
		run(end, "qdisc replace", append([]string{"root"}, strings.Fields(queue)...)...)
	}
	t.Cleanup(func() {
		for _, end := range ends {
			run(end, "qdisc del", "root")
		}
	})
	return func() (sum int) {
		for _, end := range ends {
			_, rest, _ := strings.Cut(run(end, "-s qdisc show"), "dropped ")
			n := 0
			_, _ = fmt.Sscan(rest, &n)
			sum += n
		}
		return sum
	}
}

// TestShapedNetworks has a worker behind a link of its own that is slow, that drops packets, or on
// which for ten seconds nothing comes through to one side, or to both.
func TestShapedNetworks(t *testing.T) {
	onlySoaked(t)
	want, err := long.ask(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("SELTL_CLUSTER_PASSWORD", "secret")
	for i, how := range []struct {
		name, queue string
		mute, deaf  bool // for a while: what the worker says, or what it is told, goes nowhere
	}{
		{"slow", "tbf rate 40mbit burst 32k latency 200ms", false, false},
		{"lossy", "tbf rate 40mbit burst 5k limit 8k", false, false},
		{"mute", "", true, false}, {"deaf", "", false, true}, {"mute and deaf", "", true, true},
	} {
		t.Run(how.name, func(t *testing.T) {
			s := newSpace(t, 10+i)
			store := t.TempDir()
			p := &pool{t: t, store: store, access: filepath.Join(store, "access.json")}
			port := 20000 + (os.Getpid()+100+i)%20000
			p.serve(fmt.Sprintf("0.0.0.0:%d", port), "--user", "trial")
			p.work()
			p.workIn(s, port)
			dropped := func() int { return 0 }
			if how.queue != "" {
				dropped = s.shape(t, how.queue)
			}
			asked := start(t, append([]string{"submit", "--json", "--access", p.access, "-n", "2", "--checkpoint", "5", "--replace", "40s"}, long.args()...)...)
			await(t, time.Minute, "the search has begun", func() bool {
				st := p.status(t)
				return len(st.Jobs) == 1 && st.Jobs[0].States > 0 || len(st.Past) == 1
			})
			there := strings.TrimSuffix(s.here, ".1") + ".2"
			for _, end := range []struct {
				cut, there bool
				to         string
			}{{how.mute, true, s.here}, {how.deaf, false, there}} {
				if end.cut {
					s.ip(t, end.there, "route add blackhole "+end.to)
					defer time.AfterFunc(10*time.Second, func() { s.ip(t, end.there, "route del blackhole "+end.to) }).Stop()
				}
			}
			begun := time.Now()
			e := p.wait(t, asked)
			known, err := long.compareOrUnknown(t, want, e, 2)
			if err != nil {
				t.Error(err)
			}
			if how.name == "lossy" && dropped() == 0 {
				t.Error("no packet was dropped")
			}
			faults := 0
			for _, r := range p.status(t).Records {
				faults += len(r.Faults)
			}
			t.Logf("%s: known: %v after %v, %d attempts ended, %d packets dropped", how.name, known, time.Since(begun).Round(time.Second), faults, dropped())
			if how.mute || how.deaf {
				time.Sleep(time.Until(begun.Add(11 * time.Second))) // until the link is whole again
			}
			p.end()
		})
	}
}
