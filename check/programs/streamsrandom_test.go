package programs

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
)

// streamsEnvironments goes before the programs that gcc compiles.
//
//go:embed testdata/streams.c
var streamsEnvironments string

// streamsHead declares what the programs use, without headers, so that many can be in one file.
const streamsHead = `typedef struct _IO_FILE FILE;
extern FILE *stdin, *stdout;
#define EOF (-1)
int getchar(void), getc(FILE *), fgetc(FILE *), ungetc(int, FILE *), putchar(int), fputc(int, FILE *), putc(int, FILE *);
int fputs(const char *, FILE *), puts(const char *), fflush(FILE *), feof(FILE *), ferror(FILE *), fclose(FILE *);
int scanf(const char *, ...), fscanf(FILE *, const char *, ...), fseek(FILE *, long, int);
int getc_unlocked(FILE *), feof_unlocked(FILE *), ferror_unlocked(FILE *), getchar_unlocked(void);
long ftell(FILE *), getline(char **, unsigned long *, FILE *);
char *fgets(char *, int, FILE *);
unsigned long fread(void *, unsigned long, unsigned long, FILE *), fwrite(const void *, unsigned long, unsigned long, FILE *);
void clearerr(FILE *), rewind(FILE *), reach_error(void);
FILE *fopen(const char *, const char *), *freopen(const char *, const char *, FILE *);
`

// streamsMaker makes a program. What it compares characters with are those that the environments have.
type streamsMaker struct {
	*rand.Rand
	text   strings.Builder
	open   []string // streams that can be read
	last   string   // the one that was used last
	nested bool
}

func (g *streamsMaker) of(all ...string) string { return all[g.IntN(len(all))] }

func (g *streamsMaker) say(format string, args ...any) {
	fmt.Fprintf(&g.text, "\t"+format+"\n", args...)
}

// input is a stream that is read.
func (g *streamsMaker) input() string {
	if g.last == "" || g.IntN(2) == 0 {
		g.last = g.of(g.open...)
	}
	return g.last
}

// stream is any stream.
func (g *streamsMaker) stream() string {
	if g.IntN(8) == 0 {
		return "stdout"
	}
	return g.input()
}

// program makes a program; its routines have names of their own.
func (g *streamsMaker) program(seed uint64) string {
	g.open = []string{"stdin"}
	names := []string{"next", "ends", "get", "from"}
	for _, name := range names {
		fmt.Fprintf(&g.text, "#define %[1]s %[1]s_%[2]d\n", name, seed)
	}
	g.text.WriteString(`static int next(FILE *s) { return fgetc(s); }
static int ends(FILE *s) { return feof(s) != 0; }
static int (*get)(FILE *) = fgetc;
static FILE *from(FILE *s) { FILE *f = fopen("t", "r"); return f ? f : s; }
int main(void) {
	int c = 97, e = 97, d = 1, x = 5; char b[4] = "aa", *p = 0; unsigned long m = 0; FILE *f = 0, *h = 0, *t[2] = {stdin, stdin}, **q = t;
`)
	if g.IntN(3) == 0 {
		g.opens("f")
		if g.IntN(3) == 0 {
			g.opens("h")
		}
	}
	if g.IntN(4) == 0 { // by way of memory
		g.opens(g.of("t[1]", "*q"))
		g.say("q = %s;", g.of("&t[1]", "&t[c == e]"))
		g.open = append(g.open, "*q", "t[0]")
	}
	for range 1 + g.IntN(6) {
		g.statement()
	}
	g.say("if (%s) reach_error();", g.condition(1+g.IntN(3)))
	g.text.WriteString("\treturn 0;\n}\n")
	for _, name := range names {
		fmt.Fprintf(&g.text, "#undef %s\n", name)
	}
	return g.text.String()
}

// opens gives a variable a stream.
func (g *streamsMaker) opens(v string) {
	switch g.IntN(7) {
	case 3:
		g.say("%s = from(%s);", v, g.input())
	case 0:
		g.say("if (!(%s = fopen(\"t\", \"r\"))) %s = stdin;", v, v)
	case 1:
		g.say("%s = %s;", v, g.input())
	case 2:
		g.say("%s = %s ? %s : stdin;", v, g.condition(1), g.input())
	default:
		g.say("if (!(%s = fopen(\"t\", \"r\"))) return 0;", v)
	}
	g.open = append(g.open, v)
}

// statement makes a statement, perhaps with others in it.
func (g *streamsMaker) statement() {
	if g.nested {
		g.call()
		return
	}
	switch g.IntN(12) {
	case 0, 1:
		g.say("if (%s) {", g.condition(1+g.IntN(2)))
		g.inside()
		if g.IntN(3) == 0 {
			g.say("} else {")
			g.inside()
		}
		g.say("}")
	case 2:
		g.loop()
	case 3:
		g.closes()
	default:
		g.call()
	}
}

func (g *streamsMaker) inside() {
	g.nested = true
	for range 1 + g.IntN(2) {
		g.statement()
	}
	g.nested = false
}

// loop makes a loop that ends where the stream does, or goes wrong.
func (g *streamsMaker) loop() {
	s := g.input()
	switch g.IntN(5) {
	case 0:
		g.say("while ((c = fgetc(%s)) != EOF) d = 2;", s)
	case 1:
		g.say("while ((c = fgetc(%s)) != EOF && c != 'a') e = c;", s)
	case 2:
		g.say("while (!feof(%[1]s) && !ferror(%[1]s)) { c = fgetc(%[1]s); }", s)
	case 3:
		g.say("do c = next(%s); while (c == 'a');", s)
	case 4:
		g.say("for (int i = 0; i < 2; i++) {")
		g.inside()
		g.say("}")
	}
}

// closes closes a stream, or opens it again: at the end of the block of main, so that it is known which ones are open.
func (g *streamsMaker) closes() {
	switch k := g.IntN(4); {
	case k == 0:
		s := g.input()
		g.say("if (!freopen(\"u\", \"r\", %s)) return 0;", s)
	case len(g.open) == 1:
		g.opens("f")
	case len(g.open) == 2: // f may be stdin
		g.say("if (f != stdin) { d = fclose(f); }")
		g.open, g.last = g.open[:1], ""
		if g.IntN(2) == 0 {
			g.opens("f")
		}
	}
}

// call makes a call of the library.
func (g *streamsMaker) call() {
	v := g.of("c", "e")
	switch g.IntN(20) {
	case 0:
		g.say("%s = %s;", v, g.of("getchar()", "getchar_unlocked()"))
	case 1, 2, 3, 4:
		g.say("%s = %s(%s);", v, g.of("fgetc", "fgetc", "getc", "next", "get", "getc_unlocked"), g.input())
	case 5, 6:
		g.say("d = fgets(b, %d, %s) != 0;", 1+g.IntN(4), g.input())
	case 7, 8:
		g.say("d = fread(b, %s, %s);", g.of("1, 0", "1, 1", "1, 2", "1, 3", "2, 1", "2, 2"), g.input())
	case 9:
		if s := g.input(); s == "stdin" && g.IntN(2) == 0 {
			g.say("d = scanf(%s);", g.of(`"%d", &x`, `"%c", b`, `"%2s", b`))
		} else {
			g.say("d = fscanf(%s, %s);", s, g.of(`"%d", &x`, `"%c", b`, `"%2s", b`))
		}
	case 10:
		g.say("d = getline(&p, &m, %s);", g.input())
	case 11, 12:
		g.say("%s = ungetc(%s, %s);", v, g.of("'a'", "c", "e", "EOF"), g.input())
	case 13:
		g.say("c = %s;", g.of("putchar('a')", "fputc('a', stdout)", "putc('\\n', stdout)"))
	case 14:
		g.say("%s;", g.of("d = fputs(\"a\\n\", stdout) < 0", "d = puts(\"a\") < 0", "puts(\"a\"); d = fflush(stdout)", "d = fwrite(b, 1, 2, stdout)"))
	case 15:
		g.say("clearerr(%s);", g.stream())
	case 16:
		g.say(g.of("rewind(%s);", "d = fseek(%s, 0, 0);", "d = fseek(%s, 0, 1);", "d = ftell(%s) < 0;"), g.input())
	case 17, 18:
		g.say("d = feof(%s) != 0;", g.stream())
	case 19:
		g.say("d = ferror(%s) != 0;", g.stream())
	}
}

func (g *streamsMaker) condition(n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = g.atom()
	}
	if g.IntN(4) == 0 {
		return strings.Join(parts, " || ")
	}
	return strings.Join(parts, " && ")
}

func (g *streamsMaker) atom() string {
	s := g.stream()
	switch g.IntN(12) {
	case 0, 1:
		return g.of("c", "e") + g.of(" == ", " != ") + "EOF"
	case 2:
		return g.of("c", "e") + g.of(" == ", " != ") + g.of("'a'", "'\\n'", "'5'", "255")
	case 3, 4:
		return g.of("", "!") + "feof(" + s + ")"
	case 5:
		return g.of("ends(", "!ends(", "feof_unlocked(", "!feof_unlocked(") + s + ")"
	case 6, 7:
		return g.of("ferror(", "!ferror(", "ferror_unlocked(") + s + ")"
	case 8:
		return "d" + g.of(" == ", " != ") + g.of("0", "1", "2", "-1")
	case 9:
		return "b[" + g.of("0", "1") + "]" + g.of(" == ", " != ") + g.of("'a'", "'\\n'", "'5'", "0")
	case 10:
		return g.of("x == 5", "x != 5", "c == e", "c != e", "f == stdin", "!f")
	}
	return g.of("!", "") + "feof(" + s + ")" + g.of(" != ", " == ") + g.of("!", "") + g.of("feof(", "ferror(") + s + ")"
}

// streamsCase is a program with its verdict, and what the environments say.
type streamsCase struct {
	seed            uint64
	text            string
	got             report.Verdict
	fails, complete bool   // in one of the environments; these are all that there are
	said            string // the line of testdata/streams.c
}

// ask asks for the verdict.
func (c *streamsCase) ask(t *testing.T) (reason string) {
	t.Helper()
	p, err := cfront.Parse([]*source.File{source.NewFile("streams.c", streamsHead+c.text)}, cfront.Options{Model: ir.LP64})
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", c.seed, err, c.text)
	}
	e, err := encode.Encode(p, "")
	if err != nil {
		c.got = report.Unknown
		return err.Error()
	}
	r, _, err := ReachC(context.Background(), e, Common, check.Options{}, safety.Options{Engine: armc.Options{MaxQueries: 60}, Integers: safety.MachineIntegers})
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", c.seed, err, c.text)
	}
	c.got = r.Results[0].Verdict
	return r.Results[0].Reason
}

// streamsTruth tries environments of programs: of those that are said to fail more, so that none is missed.
func streamsTruth(t *testing.T, all []*streamsCase) {
	t.Helper()
	var b, main strings.Builder
	b.WriteString(streamsEnvironments + streamsHead)
	for _, c := range all {
		limit := 400
		if c.got == report.Violated || soak.On() {
			limit = 2000
		}
		fmt.Fprintf(&b, "#define main program_%[1]d\n%[2]s#undef main\n", c.seed, c.text)
		fmt.Fprintf(&main, "\ttry(program_%d, %d);\n", c.seed, limit)
	}
	fmt.Fprintf(&b, "int main(void) {\n\tshared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);\n%s\treturn 0;\n}\n", &main)
	lines, err := gcc.Lines(context.Background(), t.TempDir(), b.String(), 64)
	if errors.Is(err, gcc.ErrMissing) {
		t.Skip("SKIPPED: ", err)
	}
	if err != nil || len(lines) != len(all) {
		t.Fatalf("%d lines for %d programs, %v", len(lines), len(all), err)
	}
	for i, c := range all {
		var fails, runs, complete int
		if _, err := fmt.Sscan(lines[i], &fails, &runs, &complete); err != nil {
			t.Fatalf("seed %d: %q: %v", c.seed, lines[i], err)
		}
		c.fails, c.complete, c.said = fails == 1, complete == 1, lines[i]
	}
}

// TestStreamsRandom compares verdicts about random programs that use streams with what the GNU C library does in
// environments that give characters, come to an end, go on behind it, and go wrong.
func TestStreamsRandom(t *testing.T) {
	counts := map[string]int{}
	decided := 0
	const batch = 50
	all := soak.Long(uint64(30))
	for from := uint64(0); from < all; from += batch {
		var cases []*streamsCase
		for seed := from; seed < min(from+batch, all); seed++ {
			g := &streamsMaker{Rand: rand.New(rand.NewPCG(seed, 32))}
			c := &streamsCase{seed: seed, text: g.program(seed)}
			if reason := c.ask(t); c.got != report.Unknown {
				cases = append(cases, c)
			} else if counts["unknown"]++; testing.Verbose() {
				t.Logf("seed %d: %s", seed, reason)
			}
		}
		if len(cases) == 0 {
			continue
		}
		streamsTruth(t, cases)
		for _, c := range cases {
			decided++
			counts[fmt.Sprintf("%s, all environments %t", c.got, c.complete)]++
			if c.fails != (c.got == report.Violated) {
				t.Errorf("seed %d: the verdict is %s, but an environment where it fails: %t (%s)\n%s", c.seed, c.got, c.fails, c.said, c.text)
			}
		}
	}
	t.Logf("%d of %d decided: %v", decided, all, counts)
	if decided < soak.Least(10) {
		t.Errorf("only %d of %d are decided", decided, all)
	}
}
