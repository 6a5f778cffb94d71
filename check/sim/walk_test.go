package sim_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// models returns the models of specs/, those that are large apart.
func models(t *testing.T) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(filepath.Join("..", "..", "specs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".lks" {
			all = append(all, path)
		}
		return err
	})
	if err != nil || len(all) < 20 {
		t.Fatalf("%d models found: %v", len(all), err)
	}
	return all
}

func load(t *testing.T, path, process string) *check.Model {
	t.Helper()
	m, err := check.Load(context.Background(), path, check.LoadOptions{Process: process})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// loadText loads a model from its text.
func loadText(t *testing.T, text string) *check.Model {
	t.Helper()
	m, err := check.Load(context.Background(), "model.lks", check.LoadOptions{Open: opener(text)})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m
}

func begin(t *testing.T, m *check.Model, qs []check.Question, opts sim.Options) *sim.Session {
	t.Helper()
	s, err := sim.New(context.Background(), m, qs, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// possible lists what the components' own transitions allow in local states, by the
// definition of a network: the actions, who moves, and where each goes. It shares nothing
// with explorers.
func possible(net *lks.Network, local []int32) []string {
	all := map[string]bool{}
	for _, rule := range run.Possible(net, local) {
		r := net.Rules()[rule]
		targets := [][]int32{slices.Clone(local)}
		for _, p := range r.Parts {
			var more [][]int32
			for _, e := range net.Components()[p.Component].Edges(local[p.Component]) {
				if e.Action != p.Action {
					continue
				}
				for _, target := range targets {
					next := slices.Clone(target)
					next[p.Component] = e.Target
					more = append(more, next)
				}
			}
			targets = more
		}
		for _, next := range targets {
			all[told(net, net.Alphabet()[r.Action], next)] = true
		}
	}
	out := make([]string, 0, len(all))
	for text := range all {
		out = append(out, text)
	}
	slices.Sort(out)
	return out
}

// told is a step with what is told apart: all states in ERROR, and all at END, are one
// but for propositions and observers.
func told(net *lks.Network, event string, local []int32) string {
	packed := make([]uint64, net.Words())
	net.Pack(local, packed)
	kind := net.Kind(packed)
	names := make([]string, 0, len(local))
	for c, m := range net.Components() {
		if kind == lks.Normal || net.Observer(c) {
			names = append(names, m.StateName(local[c]))
		}
	}
	return fmt.Sprint(event, " ", kind, names, net.AppendProps(nil, local, kind))
}

// checkChoices compares the choices of a session with the definition.
func checkChoices(t *testing.T, net *lks.Network, s *sim.Session, r *run.Run) {
	t.Helper()
	local := r.Last.Local
	want := possible(net, local)
	var got []string
	for _, c := range s.Choices() {
		next := make([]int32, len(local))
		for i, m := range net.Components() {
			next[i] = -1
			for target := range int32(m.NumStates()) { // the one of that name nearest to where it is
				if m.StateName(target) == c.State.Locals[i] && (next[i] < 0 || target == local[i]) {
					next[i] = target
				}
			}
		}
		got = append(got, told(net, c.Event, next))
	}
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Fatalf("after %v: choices\n%s\nwant\n%s", r, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// walk makes random choices, by number and by name, and compares every state with the
// definition of a network; the run that comes of it is replayed.
func walk(t *testing.T, m *check.Model, seed uint64, steps int) (made int) {
	net, _, err := m.Watched()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	s := begin(t, m, nil, sim.Options{Menu: sim.NoMenu})
	starts, err := s.Starts()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(1 + r.IntN(len(starts))); err != nil {
		t.Fatal(err)
	}
	for made < steps {
		checkChoices(t, net, s, s.Run())
		choices := s.Choices()
		if len(choices) == 0 {
			if end := s.Now().End; end == "" {
				t.Fatal("the run ends, and has no end")
			}
			if s.Undo() != nil {
				break
			}
		} else if err := s.Choose(1 + r.IntN(len(choices))); err != nil {
			t.Fatal(err)
		}
		made++
		if r.IntN(8) == 0 && s.Undo() == nil && r.IntN(2) == 0 {
			if err := s.Redo(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Run().Replay(net); err != nil {
		t.Fatal(err)
	}
	return made
}

// TestWalkSpecs walks through every model of specs/, and every process of it.
func TestWalkSpecs(t *testing.T) {
	made := 0
	for i, path := range models(t) {
		if base := filepath.Base(path); testing.Short() && (base == "abb.lks" || i%4 != 0) {
			continue // large, or left to the full run
		}
		m := load(t, path, "")
		for _, p := range m.FSP.Processes() {
			t.Run(filepath.Base(path)+"/"+p.Name, func(t *testing.T) {
				made += walk(t, load(t, path, p.Name), uint64(i), soak.Long(100))
			})
		}
	}
	if made < soak.Long(2000) {
		t.Errorf("only %d steps were made", made)
	}
}

// TestWalkRandom walks through random models.
func TestWalkRandom(t *testing.T) {
	made := 0
	for seed := range soak.Cases(uint64(150)) {
		r := rand.New(rand.NewPCG(seed, 0))
		text := gen.FSP(r, 1+r.IntN(4), true)
		m, err := check.Load(context.Background(), "model.lks", check.LoadOptions{Open: opener(text)})
		if err != nil {
			continue // no model, or one that is too large
		}
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { made += walk(t, m, seed, 40) })
		if t.Failed() {
			t.Fatal(text)
		}
	}
	if made < int(soak.Cases(2000)) {
		t.Errorf("only %d steps were made", made)
	}
}

// TestWalkNaive walks through random networks beside their slow twin.
func TestWalkNaive(t *testing.T) {
	made := 0
	for seed := range soak.Cases(uint64(400)) {
		r := gen.Rand(seed)
		var parts []*lks.Network
		var twins []*naive.Process
		for i := range 1 + r.IntN(3) {
			m := gen.LKS(r, fmt.Sprint("c", i), gen.Small)
			parts = append(parts, lks.Single(m))
			twins = append(twins, naive.FromLKS(m))
		}
		net, err := lks.Compose("N", parts...)
		if err != nil {
			continue // propositions clash
		}
		twin := naive.Parallel(twins...)
		s := begin(t, &check.Model{File: "n.aut", Process: "N", Net: net}, nil, sim.Options{Seed: seed})
		now := strings.Join(s.Now().State.Locals, "|")
		if !twin.Initial[now] {
			continue // in ERROR, or at END
		}
		for range 20 {
			want := map[string]string{} // by what is shown: the state's name
			for step := range twin.Edges[now] {
				want[twinTold(twin, step)] = step.To
			}
			got := map[string]int{}
			for _, c := range s.Choices() {
				text := fmt.Sprint(c.Event, c.State.Props)
				if name := strings.Join(c.State.Locals, "|"); twin.Edges[name] != nil && twin.Kind[name] == lks.Normal {
					text += name
				}
				got[text] = c.Number
			}
			if !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
				t.Fatalf("seed %d, after %v: choices %v, want %v", seed, s.Run(), got, want)
			}
			if len(got) == 0 {
				break
			}
			texts := slices.Sorted(maps.Keys(got))
			text := texts[r.IntN(len(texts))]
			if err := s.Choose(got[text]); err != nil {
				t.Fatal(err)
			}
			now = want[text]
			made++
		}
	}
	if made < int(soak.Cases(2000)) {
		t.Errorf("only %d steps were made", made)
	}
}

// twinTold is a step of a twin as TestWalkNaive tells it.
func twinTold(twin *naive.Process, step naive.Step) string {
	props := []string{}
	for p := range twin.Label[step.To] {
		props = append(props, p)
	}
	slices.Sort(props)
	text := fmt.Sprint(step.Action, props)
	if twin.Kind[step.To] == lks.Normal {
		text += step.To
	}
	return text
}
