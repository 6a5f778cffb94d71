package programs

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

// listC is a routine f@ over a list, without loops: it goes on for ever (HANG) or ends.
func listC(rng *rand.Rand) string {
	var b strings.Builder
	nodes := []string{"p", "p->n", "p->n->n", "q", "q->n"}
	node := func() string { return nodes[rng.Intn(len(nodes))] }
	value := func() string {
		switch rng.Intn(5) {
		case 0, 1:
			return fmt.Sprint(rng.Intn(3))
		case 2:
			return "*p->c"
		}
		return node() + "->v"
	}
	cond := func() string {
		switch rng.Intn(5) {
		case 0:
			return fmt.Sprintf("p->c %s &%s->v", []string{"==", "!="}[rng.Intn(2)], node())
		case 1, 2:
			return fmt.Sprintf("%s %s %s", node(), []string{"==", "!="}[rng.Intn(2)], node())
		}
		return fmt.Sprintf("%s %s %s", value(), []string{"==", "!=", "<"}[rng.Intn(3)], value())
	}
	fmt.Fprintf(&b, "int f@(struct s *p) {\nstruct s *q = p;\np->v = %d;\np->b = %d;\n", rng.Intn(2), rng.Intn(2))
	for range 2 + rng.Intn(4) {
		switch rng.Intn(10) {
		case 9:
			fmt.Fprintf(&b, "*p->c = %s;\n", value())
		case 0, 1, 2:
			fmt.Fprintf(&b, "%s->v = %s;\n", node(), value())
		case 3:
			fmt.Fprintf(&b, "q = %s;\n", node())
		case 4:
			fmt.Fprintf(&b, "%s->n = %s;\n", node(), node())
		case 5:
			fmt.Fprintf(&b, "*%s = *%s;\n", node(), node())
		case 6:
			fmt.Fprintf(&b, "%s->b = %s;\n", node(), value())
		default:
			fmt.Fprintf(&b, "if (%s) return 0;\n", cond())
		}
	}
	fmt.Fprintf(&b, "if (p->%s == %d) HANG;\nreturn 0; }\n", []string{"v", "b"}[rng.Intn(2)], rng.Intn(3))
	return b.String()
}

const listType = "struct s { int v; unsigned b : 2; struct s *n; int *c; };\n"

// listMain runs all of them on lists of four nodes, the first of which is given, in all shapes; an access to null ends
// a run. More nodes, and other values, may be needed to go on for ever.
const listMain = `
static void null(int signal) { siglongjmp(back, 2); }
int main(void) {
	signal(SIGSEGV, null);
	for (int k = 0; k < sizeof all / sizeof *all; k++) {
		int fails = 0;
		for (int shape = 0; shape < 625 && !fails; shape++)
			for (int values = 0; values < 81 * 5 && !fails; values++) {
				struct s a[4];
				int x = shape, y = values / 5, own = shape % 3;
				for (int i = 0; i < 4; i++, x /= 5, y /= 3)
					a[i] = (struct s){y % 3, (y + i) % 4, x % 5 ? &a[x % 5 - 1] : 0, &own};
				if (values % 5)
					a[0].c = &a[values % 5 - 1].v;
				switch (sigsetjmp(back, 1)) {
				case 0:
					all[k](a);
					break;
				case 1:
					fails = 1;
				}
			}
		puts(fails ? "hangs" : "ends");
	}
	return 0;
}
`

// TestListsRandom: a routine that is said to end on every list does on all small ones, in which nodes may be the one
// that the parameter points to, and a pointer to a number may lead into a node.
func TestListsRandom(t *testing.T) {
	cases := int(soak.Long(int64(60)))
	var programs []string
	var text, all strings.Builder
	text.WriteString("#include <stdio.h>\n#include <setjmp.h>\n#include <signal.h>\nstatic sigjmp_buf back;\n#define HANG siglongjmp(back, 1)\n" + listType)
	for seed := range cases {
		p := listC(rand.New(rand.NewSource(int64(seed))))
		programs = append(programs, p)
		text.WriteString("static " + strings.ReplaceAll(p, "@", fmt.Sprintf("_%d", seed)))
		fmt.Fprintf(&all, "f_%d, ", seed)
	}
	fmt.Fprintf(&text, "static int (*all[])(struct s *) = { %s };\n%s", all.String(), listMain)
	lines, err := gcc.Lines(context.Background(), t.TempDir(), text.String(), 64, "-O0", "-w")
	if errors.Is(err, gcc.ErrMissing) {
		t.Skip("SKIPPED: ", err)
	}
	if err != nil || len(lines) != cases {
		t.Fatal(err, len(lines))
	}
	spec, err := PlainSpec("f")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for seed, p := range programs {
		text := listType + strings.NewReplacer("@", "", "HANG", "for (;;) ;").Replace(p)
		task := bind.Task{Plain: true, Spec: spec, Sources: []*source.File{source.NewFile("list.c", text)}}
		r, err := EndsC(context.Background(), task, Common, check.Options{Limits: budget.Limits{Time: 10 * time.Second}}, cegar.Options{Rounds: 12})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		got := r.Results[0].Verdict
		counts[lines[seed]+": "+string(got)]++
		if got == report.Holds && lines[seed] != "ends" { // runs that fail are done again by the machine
			t.Errorf("seed %d: %s, but it %s\n%s", seed, got, lines[seed], p)
		}
	}
	t.Log(counts)
	if counts["hangs: violated"] < soak.Least(10) || cases >= 60 && counts["ends: holds"] == 0 {
		t.Errorf("%v: more fail, and some hold", counts)
	}
}
