package armc_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/reader"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/armc"
)

// reachSpec is a system of specs/reach with what its file says of it:
//
//	// expect: holds                 or fails
//	// invariant LOCATION: FORMULA   of one that holds; true where there is none
//	// start: FORMULA                initial states that lead to the error
type reachSpec struct {
	name       string
	system     *program.System
	want       Verdict
	invariants map[string]string
	start      string
}

var expectation = regexp.MustCompile(`(?m)^// (expect|start|invariant (\w+)): (.*)$`)

func reachSpecs(t *testing.T) (specs []reachSpec) {
	t.Helper()
	root := filepath.Join("..", "specs", "reach")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		s := reachSpec{name: strings.TrimSuffix(filepath.ToSlash(name), ".gcl"), start: "true", invariants: map[string]string{}}
		if s.system, err = reader.Parse(source.NewFile(path, string(text))); err != nil {
			return err
		}
		for _, m := range expectation.FindAllStringSubmatch(string(text), -1) {
			switch {
			case m[1] == "start":
				s.start = m[3]
			case m[1] != "expect":
				s.invariants[m[2]] = m[3]
			case m[3] == "holds":
				s.want = Safe
			case m[3] == "fails":
				s.want = Unsafe
			}
		}
		if s.want == Unknown || len(s.system.Warnings) > 0 {
			t.Errorf("%s: expects %s, warnings %v", s.name, s.want, s.system.Warnings)
		}
		specs = append(specs, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(specs) < 90 {
		t.Fatalf("only %d systems", len(specs))
	}
	return specs
}

// TestReachSpecsExpectations: what the files of specs/reach expect is so, which no search
// of this package says: the invariants written there are checked, and explicit search
// comes to the errors.
func TestReachSpecsExpectations(t *testing.T) {
	s, err := newPool(t).Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range reachSpecs(t) {
		if spec.want == Unsafe {
			first := logic.And(spec.system.Init[0].Where, formula(t, spec.system, spec.start))
			status, m, err := smt.ModelOf(ctx, s, first)
			if err != nil || status != smt.Sat {
				t.Errorf("%s: no first state: %v, %v", spec.name, status, err)
				continue
			}
			if steps, ok := explicitly(t, spec.system, m); !ok {
				t.Errorf("%s: no error is met", spec.name)
			} else {
				t.Logf("%s: %d steps", spec.name, steps)
			}
			continue
		}
		cert := &Certificate{}
		for _, l := range spec.system.Locations {
			text, ok := spec.invariants[l.Name]
			if !ok {
				text = "true"
			}
			delete(spec.invariants, l.Name)
			cert.Invariant = append(cert.Invariant, formula(t, spec.system, text))
		}
		if len(spec.invariants) > 0 {
			t.Errorf("%s: there are no locations for %v", spec.name, spec.invariants)
		}
		if err := CheckCertificate(ctx, spec.system, cert, s); err != nil {
			t.Errorf("%s: %v", spec.name, err)
		}
	}
}

// explicitly looks for an error from a state at the first initial location, breadth
// first, and returns how many steps it is away. Commands may have no inputs.
func explicitly(t *testing.T, sys *program.System, first logic.Model) (steps int, found bool) {
	type state struct {
		at     int
		values logic.Model
	}
	for _, v := range sys.Vars {
		if _, ok := first[v.Name()]; !ok {
			first[v.Name()] = logic.Zero(v.Sort())
		}
	}
	seen := map[string]bool{}
	layer := []state{{sys.Init[0].Location, first}}
	for ; len(layer) > 0 && len(seen) < 20_000; steps++ {
		var next []state
		for _, s := range layer {
			if slices.ContainsFunc(sys.Error, func(r program.Region) bool {
				ok, err := logic.Holds(r.Where, s.values)
				return r.Location == s.at && ok && err == nil
			}) {
				return steps, true
			}
			for _, e := range sys.Edges {
				if len(e.Command.Inputs) > 0 {
					t.Fatalf("%s has inputs", e.Name)
				}
				if e.From != s.at {
					continue
				}
				after, err := e.Command.Step(s.values, nil)
				if err != nil {
					continue // it cannot be done
				}
				if key := fmt.Sprint(e.To, after); !seen[key] {
					seen[key] = true
					next = append(next, state{e.To, after})
				}
			}
		}
		layer = next
	}
	return 0, false
}

// TestReachSpecs: the systems of specs/reach that were decided in about a second of
// processor time stay decided; in soak runs the others are tried, too. No verdict is wrong.
func TestReachSpecs(t *testing.T) {
	pool := thePool(t)
	specs := reachSpecs(t)
	for _, name := range decided {
		if !slices.ContainsFunc(specs, func(s reachSpec) bool { return s.name == name }) {
			t.Errorf("there is no %s", name)
		}
	}
	for i, spec := range specs {
		golden := slices.Contains(decided, spec.name)
		limit := time.Minute
		if !golden {
			limit = 10 * time.Second
		}
		if !golden && !soak.On() || soak.Skip(i) {
			continue
		}
		res, err := Check(ctx, spec.system, pool, Options{Limits: budget.Limits{Time: limit}})
		switch {
		case err != nil:
			t.Errorf("%s: %v", spec.name, err)
		case res.Verdict == spec.want && !golden:
			t.Logf("%s is decided, too", spec.name)
		case res.Verdict != spec.want && (golden || res.Verdict != Unknown):
			t.Errorf("%s: %s (%s), want %s", spec.name, res.Verdict, res.Reason, spec.want)
		}
	}
}

// decided are the systems that must be decided: those that took half a second of processor
// time or less when they were put here.
var decided = strings.Fields(`
branches/absolute branches/clamp branches/forgotten_unlock branches/lock_again branches/sign branches/sorted
branches/three_switches counting/any_stride counting/half_way counting/meet_in_the_middle counting/move_over
counting/off_by_one counting/overshoot counting/search counting/sum_is_large counting/there_and_back
counting/three_purses counting/to_a_million counting/two_speeds counting/up_to_n deep/clock deep/doubling
deep/fibonacci deep/hundred deep/unknown_depth nested/balanced nested/odometer nested/restless nested/rows
nested/shrinking nested/three_deep nested/triangle nested/twenty_five nested/up_then_down parity/any_even parity/coins
parity/even parity/even_bounce parity/pairs parity/stamps parity/threes parity/to_a_hundred phases/bouncing
phases/charge_and_spend phases/late_start phases/relay phases/sawtooth phases/second_lap phases/second_part
phases/up_and_down phases/wrong_half protocols/buffer protocols/cache_lines protocols/credit protocols/lost_update
protocols/polite_pair protocols/readers_writer protocols/semaphore protocols/stale_window protocols/turnstile
protocols/two_producers protocols/window reals/bucket reals/clocks reals/closer reals/halving reals/overtaken
reals/thermostat reals/zeno relations/binary_search relations/diagonal relations/division_by_seven
relations/divisor_is_twelve relations/divisor_of_twelves relations/doubling relations/fibonacci_order relations/ledger
relations/merry_go_round deep/growing_swing deep/slow_leak deep/thousand nested/table parity/same_parity
parity/toggle phases/any_hill phases/hill phases/second_half relations/reflection relations/squares relations/subtract_the_smaller relations/two_sources
`)
