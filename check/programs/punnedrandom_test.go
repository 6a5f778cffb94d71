package programs

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

// lookedAt are the types that bytes are read and written as.
var lookedAt = []struct {
	name string
	size int
}{{"signed char", 1}, {"unsigned char", 1}, {"short", 2}, {"unsigned short", 2}, {"int", 4}, {"unsigned", 4}, {"long long", 8}, {"unsigned long long", 8}}

// punned makes a program that reads and writes objects as what they are not, and adds up what it finds (acc).
func punned(r *rand.Rand) string {
	var b strings.Builder
	type object struct {
		at   string
		size int
	}
	var objects []object
	for i := range 1 + r.Intn(3) {
		name, t := fmt.Sprintf("v%d", i), lookedAt[r.Intn(len(lookedAt))]
		switch r.Intn(5) {
		case 0:
			fmt.Fprintf(&b, "%s %s = %d; ", t.name, name, r.Intn(1<<31)-1<<30)
			objects = append(objects, object{"&" + name, t.size})
		case 1:
			n := 2 + r.Intn(3)
			fmt.Fprintf(&b, "%s %s[%d] = {%d, %d}; ", t.name, name, n, r.Intn(256)-128, r.Intn(256)-128)
			objects = append(objects, object{name, n * t.size})
		case 2:
			fmt.Fprintf(&b, "double %s = %d.5; ", name, r.Intn(1000))
			objects = append(objects, object{"&" + name, 8})
		case 3:
			fmt.Fprintf(&b, "struct { short h; %s t; } %s; memset(&%s, %d, sizeof %s); ", t.name, name, name, r.Intn(256), name)
			objects = append(objects, object{"&" + name, 2 * max(2, t.size)})
		case 4:
			fmt.Fprintf(&b, "union { long long l; short h[4]; %s t; } %s; %s.l = %d; ", t.name, name, name, r.Int63())
			objects = append(objects, object{"&" + name, 8})
		}
	}
	for range 3 + r.Intn(6) {
		o, t := objects[r.Intn(len(objects))], lookedAt[r.Intn(len(lookedAt))]
		if t.size > o.size {
			continue
		}
		off := r.Intn((o.size-t.size)/t.size+1) * t.size
		if r.Intn(10) == 0 {
			off = r.Intn(o.size - t.size + 1)
		}
		place := fmt.Sprintf("*(%s *)((char *)%s + %d)", t.name, o.at, off)
		if off == 0 && r.Intn(2) == 0 {
			place = fmt.Sprintf("*(%s *)%s", t.name, o.at)
		}
		switch r.Intn(5) {
		case 0, 1:
			fmt.Fprintf(&b, "%s = %s; ", place, []string{fmt.Sprint(r.Intn(1<<31) - 1<<30), "acc", "acc >> 9"}[r.Intn(3)])
		case 2:
			fmt.Fprintf(&b, "%s %s= %d; ", place, []string{"+", "^", "|"}[r.Intn(3)], r.Intn(1000))
		default:
			fmt.Fprintf(&b, "acc = acc * 3 + (unsigned)%s; ", place)
		}
	}
	for _, o := range objects {
		fmt.Fprintf(&b, "for (int i = 0; i < %d; i++) acc = acc * 5 + ((unsigned char *)%s)[i]; ", o.size, o.at)
	}
	return b.String()
}

// TestPunnedRandom: objects that are looked at as what they are not, by casts of pointers to them, have the bytes that
// they have with gcc.
func TestPunnedRandom(t *testing.T) {
	unknown := 0
	cases := soak.Long(40)
	for seed := range cases {
		body := punned(rand.New(rand.NewSource(int64(seed))))
		const head = "#include <string.h>\n"
		lines, err := gcc.Lines(context.Background(), t.TempDir(), head+"#include <stdio.h>\nint main(void) { unsigned acc = 1; "+body+"printf(\"%u\\n\", acc); }\n", 64, "-O0", "-w", "-fno-strict-aliasing", "-fwrapv")
		if errors.Is(err, gcc.ErrMissing) {
			t.Skip("SKIPPED: ", err)
		}
		if err != nil || len(lines) != 1 {
			t.Fatalf("seed %d: %v %v\n%s", seed, lines, err, body)
		}
		for op, want := range map[string]report.Verdict{"==": report.Violated, "!=": report.Holds} {
			text := head + "void reach_error(void);\nint main(void) { unsigned acc = 1; " + body + "if (acc " + op + " " + lines[0] + "u) reach_error(); }\n"
			switch got, reason := reachTextWith(t, Common, text, cfront.Options{}); got {
			case want:
			case report.Unknown:
				unknown++
				t.Logf("seed %d: %s", seed, reason)
			default:
				t.Fatalf("seed %d: %s, not %s\n%s", seed, got, want, text)
			}
		}
	}
	if unknown > cases/5 {
		t.Errorf("%d of %d are unknown", unknown, 2*cases)
	}
}
