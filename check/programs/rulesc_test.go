package programs_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
)

// ruleCase is a rule, what the routines a, b and c of a random program do with two objects, and the same as steps of a
// monitor, whose state is what the objects are: false is a failure.
type ruleCase struct {
	rule ir.Rule
	text string
	does func(m [4]int, routine string, arg int) (next [][4]int, ok bool)
}

// mutexes: a locks the first one, b unlocks it, c does one of both with one of two.
var mutexes = ruleCase{ir.RuleLocks, `
#include <pthread.h>
static struct { int n; pthread_mutex_t m[2]; } all;
void a(void) { pthread_mutex_lock(&all.m[0]); }
void b(void) { pthread_mutex_t *p = all.m; if (pthread_mutex_unlock(p) != 0) pthread_mutex_unlock(p); }
int c(int x) {
    pthread_mutex_t *p = &all.m[x >> 1];
    int (*with)(pthread_mutex_t *) = x & 1 ? pthread_mutex_lock : pthread_mutex_unlock;
    with(p);
    return get(0);
}
`, func(m [4]int, routine string, arg int) ([][4]int, bool) {
	at, locks := 0, routine == "a"
	if routine == "c" {
		at, locks = arg>>1, arg&1 == 1
	}
	if m[at] == b2i(locks) {
		return nil, false
	}
	m[at] = b2i(locks)
	return [][4]int{m}, true
}}

// streams: m has which of two streams each variable is, 0 for null, and which streams are closed. a opens the first, b closes it
// unless it is null; c copies it, opens, reads or closes the second.
var streams = ruleCase{ir.RuleStdio, `
#include <stdio.h>
static FILE *s[2];
void a(void) { s[0] = fopen("x", "r"); }
void b(void) { if (s[0]) fclose(s[0]); }
int c(int x) {
    if (x == 0) s[1] = s[0];
    else if (x == 1) { FILE *(*open)(const char *, const char *) = fopen; if ((s[1] = open("y", "w")) == NULL) return get(0); }
    else if (x == 2) fgetc(s[1]);
    else fclose(s[1]);
    return get(0);
}
`, func(m [4]int, routine string, arg int) ([][4]int, bool) {
	opened := func(at int) [][4]int {
		null := m
		null[at] = 0
		id := 1
		if m[1-at] == 1 {
			id = 2
		}
		m[at], m[1+id] = id, 0
		return [][4]int{null, m}
	}
	closes := func(at int) ([][4]int, bool) {
		if m[at] == 0 || m[1+m[at]] == 1 {
			return nil, false
		}
		m[1+m[at]] = 1
		return [][4]int{m}, true
	}
	switch {
	case routine == "a":
		return opened(0), true
	case routine == "b" && m[0] == 0:
		return [][4]int{m}, true
	case routine == "b":
		return closes(0)
	case arg == 0:
		m[1] = m[0]
		return [][4]int{m}, true
	case arg == 1:
		return opened(1), true
	case arg == 2:
		return [][4]int{m}, m[1] != 0 && m[1+m[1]] == 0
	}
	return closes(1)
}}

// memory: likewise, of memory that is allocated and freed.
var freed = ruleCase{ir.RuleMalloc, `
#include <stdlib.h>
static char *s[2];
void a(void) { s[0] = malloc(4); }
void b(void) { if (s[0]) free(s[0]); }
int c(int x) {
    if (x == 0) s[1] = s[0];
    else if (x == 1) s[1] = malloc(2);
    else free(s[1]);
    return get(0);
}
`, func(m [4]int, routine string, arg int) ([][4]int, bool) {
	if routine == "c" && arg == 2 {
		arg = 3
	}
	if routine == "c" && arg == 3 && m[1] == 0 {
		return [][4]int{m}, true
	}
	next, ok := streams.does(m, routine, arg)
	if len(next) == 2 { // it does not fail
		next = next[1:]
	}
	return next, ok
}}

// breaks reports whether some run breaks a rule; known is false if there are too many states.
func (p *evProgram) breaks(r *ruleCase, most int) (found, known bool) {
	type pair struct {
		s *evState
		m [4]int
	}
	seen := map[string]bool{}
	work := []pair{{s: &evState{stack: []evFrame{{routine: len(p.routines) - 1}}}}}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		key := fmt.Sprint(at.s.key(), at.m)
		if seen[key] {
			continue
		}
		if seen[key] = true; len(seen) > most {
			return false, false
		}
		p.successors(at.s, func(a *evAction, n *evState) {
			after := [][4]int{at.m}
			if a != nil && !a.back && (a.routine == "a" || a.routine == "b" || a.routine == "c") {
				ok := true
				after, ok = r.does(at.m, a.routine, a.value)
				found = found || !ok
			}
			for _, m := range after {
				work = append(work, pair{n, m})
			}
		})
		if found {
			return true, true
		}
	}
	return false, true
}

// ruled is what is said of a program and a rule.
func ruled(t *testing.T, text, entry string, rule ir.Rule) report.Result {
	t.Helper()
	prog, err := cfront.Parse([]*source.File{source.NewFile("p.c", text)}, cfront.Options{Model: ir.LP64, Rules: []ir.Rule{rule}, Entry: entry})
	if err != nil {
		t.Fatalf("%s\n%s", text, render(err))
	}
	enc, err := encode.EncodeContext(context.Background(), prog, entry)
	if err != nil {
		t.Fatalf("%s\n%s", text, render(err))
	}
	r, _, err := programs.ReachC(context.Background(), enc, programs.Common, check.Options{}, safety.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r.Results[0]
}

// TestRulesLocal: mutexes in local variables that begin with zeros are not held, each in its place; of those of
// another kind nothing is known. Routines of POSIX are known to headers.
func TestRulesLocal(t *testing.T) {
	const before = "#include <pthread.h>\n#include <stdio.h>\nint any(void); struct dev { int n; pthread_mutex_t a, b; };\n"
	for i, c := range []struct {
		rule  ir.Rule
		right string
		wrong string
	}{
		{ir.RuleLocks, "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_unlock(&m);"},
		{ir.RuleLocks, "struct dev d = {any()}; pthread_mutex_lock(&d.b); pthread_mutex_unlock(&d.b);", "struct dev d = {any()}; pthread_mutex_lock(&d.b); pthread_mutex_unlock(&d.a);"},
		{ir.RuleLocks, "pthread_mutex_t v[2] = {0}; pthread_mutex_lock(v + 1); pthread_mutex_unlock(v + 1);", "pthread_mutex_t v[2] = {0}; pthread_mutex_lock(v + 1); pthread_mutex_unlock(v);"},
		{ir.RuleLocks, "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; if (any()) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; if (any()) pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"},
		{ir.RuleLocks, "pthread_mutex_t m = {{1}}; pthread_mutex_unlock(&m);", "pthread_mutex_t m; pthread_mutex_init(&m, 0); pthread_mutex_unlock(&m);"},
		{ir.RuleStdio, "FILE *f = fopen(\"a\", \"w\"); if (f) { fileno(f); fclose(f); }", "FILE *f = fopen(\"a\", \"w\"); if (f) { fclose(f); fileno(f); }"},
		{ir.RuleStdio, "FILE *f = popen(\"a\", \"w\"); if (f) pclose(f);", "FILE *f = popen(\"a\", \"w\"); if (f) { pclose(f); pclose(f); }"},
	} {
		if soak.Thin(i) {
			continue
		}
		if r := ruled(t, before+"int main(void) { "+c.right+" return 0; }", "main", c.rule); r.Verdict != report.Holds {
			t.Errorf("%s: %v (%s)", c.right, r.Verdict, r.Reason)
		}
		if r := ruled(t, before+"int main(void) { "+c.wrong+" return 0; }", "main", c.rule); r.Verdict != report.Violated {
			t.Errorf("%s: %v (%s)", c.wrong, r.Verdict, r.Reason)
		}
	}
}

// TestRulesC compares verdicts about rules on random programs with a monitor that is run beside all states of an
// interpreter.
func TestRulesC(t *testing.T) {
	verdicts := map[string]int{}
	tried := 0
	for seed := range soak.Long(uint64(160)) {
		rng := rand.New(rand.NewPCG(seed, 46))
		p := randomEvents(rng)
		r := []*ruleCase{&mutexes, &streams, &freed}[seed%3]
		want, known := p.breaks(r, 20000)
		if !known {
			continue
		}
		got := ruled(t, p.text+r.text, "main", r.rule)
		tried++
		verdicts[fmt.Sprint(r.rule, " ", got.Verdict)]++
		if got.Verdict == report.Unknown {
			t.Logf("seed %d: %v: %s", seed, r.rule, got.Reason)
			verdicts["unknown"]++
		} else if (got.Verdict == report.Violated) != want {
			t.Fatalf("seed %d: %v is %v, and the monitor says it is broken: %v\n%s%s", seed, r.rule, got.Verdict, want, p.text, r.text)
		}
	}
	t.Logf("%d programs: %v", tried, verdicts)
	if tried < soak.Least(100) || 20*verdicts["unknown"] > tried {
		t.Errorf("%d programs: %v", tried, verdicts)
	}
	for _, rule := range []ir.Rule{ir.RuleLocks, ir.RuleStdio, ir.RuleMalloc} {
		if !testing.Short() && (verdicts[fmt.Sprint(rule, " ", report.Holds)] == 0 || verdicts[fmt.Sprint(rule, " ", report.Violated)] == 0) {
			t.Errorf("%v: %v", rule, verdicts)
		}
	}
}
