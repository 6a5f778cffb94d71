package programs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

const libraryComponents = `void good(void); void bad(void); int own(void); void exit(int);
int ilogb(double); int strcasecmp(const char *, const char *); int close(int); int sprintf(char *, const char *, ...);
char *strdup(const char *); int getpid(void); int ffs(int); int abs(int x);
int is_one(int x) { if (ilogb(1.0)) bad(); else good(); return 0; }
int same(int x) { if (strcasecmp("A", "a")) bad(); else good(); return 0; }
int closes(int x) { if (close(3) == -1) bad(); else good(); return 0; }
int prints(int x) { char s[8]; s[0] = 'a'; sprintf(s, "%a", 1.0); if (s[0] == 'b') bad(); else good(); return 0; }
int prints_late(int x) { char s[8]; bad(); sprintf(s, "b"); return 0; }
int depends_not(int x) { x = ilogb(1.0); if (own() == 3) bad(); else good(); return 0; }
int returns(int x) { good(); return ilogb(1.0); }
int copies(int x) { if (strdup("ab")[1] != 'b') bad(); else good(); return 0; }
int twice(int x) { if (getpid() != getpid()) bad(); else good(); return 0; }
int abstracted(int x) { if (ffs(4) == 9) bad(); else good(); return 0; }
`

const librarySpecification = `ONE = (good -> return {} -> STOP).
ZERO = (good -> return {$0 == 0} -> STOP).
DO_GOOD = (good -> return {} -> STOP).
DO_BAD = (bad -> return {} -> STOP).
NINE = (return {$0 == 9} -> STOP).
cproc good { abstract {gd, (1), DO_GOOD}; }
cproc bad { abstract {bd, (1), DO_BAD}; }
cproc abstracted::ffs { abstract {nine, (1), NINE}; }
`

// TestLibraryComponents: components call routines of the C library as programs do, but where the
// specification abstracts these.
func TestLibraryComponents(t *testing.T) {
	dir := t.TempDir()
	program, file := filepath.Join(dir, "p.c"), filepath.Join(dir, "p.spec")
	spec := librarySpecification
	cases := []struct {
		procedure, claim string
		want             report.Verdict
		reason           string
	}{
		{"is_one", "ONE", report.Unknown, "what ilogb() returns"},
		{"same", "ONE", report.Holds, ""},
		{"closes", "ONE", report.Violated, ""},
		{"prints", "ONE", report.Unknown, "a call of sprintf()"},
		{"prints_late", "ONE", report.Violated, ""},
		{"depends_not", "ONE", report.Violated, ""},
		{"returns", "ONE", report.Holds, ""},
		{"returns", "ZERO", report.Unknown, "what ilogb() returns"},
		{"copies", "ONE", report.Holds, ""},
		{"twice", "ONE", report.Unknown, "what getpid() returns"},
		{"abstracted", "ONE", report.Violated, ""},
	}
	for _, c := range cases {
		spec += "cprog " + c.procedure + "_" + c.claim + " = " + c.procedure + " { abstract a, {(1)}, " + c.claim + "; }\n"
	}
	for name, text := range map[string]string{program: libraryComponents, file: spec} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pool := smt.Z3Pool(2, smt.Options{})
	defer pool.Close()
	for _, c := range cases {
		result := &conformC(t, pool, program, file, c.procedure+"_"+c.claim, cegar.Options{}).Results[0]
		if result.Verdict != c.want || !strings.Contains(result.Reason, c.reason) {
			t.Errorf("%s conforms to %s: %s (%s), not %s (%s)", c.procedure, c.claim, result.Verdict, result.Reason, c.want, c.reason)
		}
	}
	result, _ := deadlockC(t, pool, program, file, "returns_ONE", nil, cegar.Options{})
	if result.Verdict != report.Holds {
		t.Errorf("returns gets stuck: %s (%s)", result.Verdict, result.Reason)
	}
}
