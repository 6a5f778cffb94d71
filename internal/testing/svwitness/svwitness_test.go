package svwitness

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/seltl/seltl/internal/testing/gcc"
)

// atTarget is a witness that has nothing but a target in line 9.
const atTarget = `- entry_type: violation_sequence
  metadata:
    task:
      specification: CHECK( init(main()), LTL(G ! call(reach_error())) )
      data_model: LP64
  content:
    - segment:
        - waypoint: {type: target, action: follow, location: {line: 9, column: %d}}
`

// TestFollowWithoutBodies: routines that gcc finds no body of do nothing, if a witness has nothing to say of them.
func TestFollowWithoutBodies(t *testing.T) {
	const program = `extern void note(int); extern void tell(const char *) __attribute__((cold));
extern void reach_error(void);
extern void exit(int), free(void *);
struct hooks { void (*note)(int); } hooks;
__inline int twice(int x) { note(x); return 2 * x; }
static int noted;
static void own(int x) { noted = x; }
int main(void) { hooks.note = own; hooks.note(3); note(4); tell("it"); free(0);
%s
return 1; }
`
	for _, c := range []struct {
		line   string
		column int
		status int
	}{
		{"if (noted == 3 && twice(4) == 8) reach_error();", 34, Reached},
		{"if (noted == 4) reach_error();", 17, 1},
		{"exit(7); reach_error();", 10, 7},
		{"reach_error(); reach_error();", 16, -1}, // the other one is none that does nothing
	} {
		w, err := Read(fmt.Sprintf(atTarget, c.column))
		if err != nil {
			t.Fatal(err)
		}
		text, err := w.Follow(fmt.Sprintf(program, c.line))
		if err != nil {
			t.Fatalf("%s: %v", c.line, err)
		}
		exe, err := gcc.Build(t.TempDir(), text, w.Bits(), Linking...)
		if errors.Is(err, gcc.ErrMissing) {
			t.Skip("SKIPPED: ", err)
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.line, err, text)
		}
		if status, _, messages, err := gcc.Run(context.Background(), exe); err != nil || status != c.status {
			t.Errorf("%s: status %d, not %d: %s%v", c.line, status, c.status, messages, err)
		}
	}
}
