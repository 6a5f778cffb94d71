// Package svwitness puts witnesses into C programs a second time, for gcc: it shares no line with
// internal/c/witnessed and internal/svcomp, not even how C is taken apart. A violation becomes a program
// that gives what the waypoints say and exits with Reached at the target; invariants become checks of a
// program that is run on random inputs, and exits with Broken where one does not hold.
package svwitness

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Exit statuses of the programs.
const (
	Reached = 42 // the target, after all waypoints
	Broken  = 43 // an invariant does not hold
	Strayed = 3  // the run does something else than the waypoints say
)

// Linking are the options with which the linker leaves out what no run comes to, and what Follow has do nothing.
var Linking = []string{"-Wl,--unresolved-symbols=ignore-all", "-no-pie"}

type location struct {
	Line     int
	Column   int
	Function string
}

type entry struct {
	Type     string `yaml:"entry_type"`
	Metadata struct {
		Task struct {
			Specification string
			Model         string `yaml:"data_model"`
		}
	}
	Content []struct {
		Invariant struct {
			Type     string
			Location location
			Value    string
		}
		Segment []struct {
			Waypoint struct {
				Type       string
				Action     string
				Location   location
				Constraint struct{ Value string }
			}
		}
	}
}

// Witness is what is read of one.
type Witness struct{ entry }

// Read reads a witness.
func Read(text string) (*Witness, error) {
	var all []entry
	if err := yaml.Unmarshal([]byte(text), &all); err != nil {
		return nil, err
	}
	if len(all) != 1 {
		return nil, fmt.Errorf("%d entries", len(all))
	}
	return &Witness{all[0]}, nil
}

// Bits is 32 or 64, as the data model says.
func (w *Witness) Bits() int {
	if w.Metadata.Task.Model == "ILP32" {
		return 32
	}
	return 64
}

// Specification is the property's text.
func (w *Witness) Specification() string { return w.Metadata.Task.Specification }

// Violation reports one of a violation.
func (w *Witness) Violation() bool { return w.Type == "violation_sequence" }

// Invariants is how many there are.
func (w *Witness) Invariants() int { return len(w.Content) }

// TargetLine is the line of the target.
func (w *Witness) TargetLine() int {
	last := w.Content[len(w.Content)-1].Segment
	return last[len(last)-1].Waypoint.Location.Line
}

type token struct {
	text string
	at   int
}

var word = regexp.MustCompile(`^(?:[A-Za-z_]\w*|\d[\w.]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|.)`)

// tokensOf takes C apart, without comments and directives.
func tokensOf(text string) (all []token) {
	for i := 0; i < len(text); {
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, "//"):
			i += max(strings.IndexByte(rest+"\n", '\n'), 1)
		case strings.HasPrefix(rest, "/*"):
			i += strings.Index(rest+"*/", "*/") + 2
		case rest[0] == '#' && strings.TrimSpace(text[strings.LastIndexByte(text[:i], '\n')+1:i]) == "":
			for {
				n := strings.IndexByte(text[i:]+"\n", '\n')
				i += n + 1
				if i >= len(text) || text[i-2] != '\\' {
					break
				}
			}
		case strings.ContainsRune(" \t\r\n\f\v", rune(rest[0])):
			i++
		default:
			t := word.FindString(rest)
			all = append(all, token{t, i})
			i += len(t)
		}
	}
	return all
}

func offsetOf(text string, l location) int {
	at := 0
	for range l.Line - 1 {
		at = min(at+strings.IndexByte(text[at:]+"\n", '\n')+1, len(text))
	}
	return at + max(l.Column, 1) - 1
}

// edit is a change of a text.
type edit struct {
	from, to int
	by       string
}

func apply(text string, edits []edit) string {
	slices.SortStableFunc(edits, func(a, b edit) int { return b.from - a.from })
	for _, e := range edits {
		text = text[:e.from] + e.by + text[e.to:]
	}
	return text
}

// match is the index of the bracket that belongs to one, looking in a direction.
func match(all []token, i, step int, open, shut string) int {
	for depth := 0; i >= 0 && i < len(all); i += step {
		switch all[i].text {
		case open:
			depth++
		case shut:
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return -1
}

var variable = regexp.MustCompile(`^(\w+) == (.+)$`)

var equal = regexp.MustCompile(`^\\result == (.+)$`)

// Follow is the program with the values of the waypoints in the places of the calls that return them. The error says what
// the witness has that is not followed here.
func (w *Witness) Follow(program string) (string, error) {
	tokens := tokensOf(program)
	at := map[int]int{}
	for i, t := range tokens {
		at[t.at] = i
	}
	var edits []edit
	sites := map[int]int{}                             // number of the call, by the place of its bracket
	gives, given := map[string]int{}, map[int]string{} // assignments before statements
	var order []string
	for k, c := range w.Content {
		if len(c.Segment) != 1 {
			return "", fmt.Errorf("segment %d has several waypoints", k)
		}
		p := c.Segment[0].Waypoint
		if p.Type == "target" {
			e, err := w.target(program, tokens, at, p.Location)
			if err != nil {
				return "", err
			}
			edits = append(edits, e)
			continue
		}
		m := equal.FindStringSubmatch(p.Constraint.Value)
		offset := offsetOf(program, p.Location)
		i, known := at[offset]
		if known && p.Type == "assumption" { // what has no value gets one
			for _, part := range strings.Split(p.Constraint.Value, " && ") {
				v := variable.FindStringSubmatch(part)
				if v == nil {
					return "", fmt.Errorf("segment %d assumes %q", k, part)
				}
				key := fmt.Sprint(offset, v[1])
				if _, there := gives[key]; !there {
					gives[key] = 1_000_000 + len(gives)
					given[offset] += fmt.Sprintf("%s = (__typeof__(%s))sv_next(%d); ", v[1], v[1], gives[key])
				}
				order = append(order, fmt.Sprintf("{%d, (long long)(%s)}", gives[key], v[2]))
			}
			continue
		}
		if p.Type != "function_return" || m == nil || !known || tokens[i].text != ")" {
			return "", fmt.Errorf("segment %d is a %s with the constraint %q", k, p.Type, p.Constraint.Value)
		}
		if _, there := sites[offset]; !there {
			sites[offset] = len(sites)
			open := match(tokens, i, -1, ")", "(")
			if open < 1 {
				return "", fmt.Errorf("segment %d: no call ends there", k)
			}
			from := tokens[open-1].at
			edits = append(edits, edit{from, offset + 1, fmt.Sprintf("({ long long sv_v = sv_next(%d); __typeof__(%s) sv_r = sv_v; if ((long long)sv_r != sv_v) _exit(%d); sv_r; })", sites[offset], strings.ReplaceAll(program[from:offset+1], "\n", " "), Strayed)})
		}
		order = append(order, fmt.Sprintf("{%d, (long long)(%s)}", sites[offset], m[1]))
	}
	for offset, text := range given {
		edits = append(edits, edit{offset, offset, text})
	}
	nothing, empty := w.nothing(tokens)
	edits = append(edits, nothing...)
	prelude := fmt.Sprintf(emitted+`extern void _exit(int);
static const struct { int site; long long value; } sv_list[] = {%s};
static int sv_at;
static long long sv_next(int site) {
	if (sv_at == %d || sv_list[sv_at].site != site) _exit(%d);
	return sv_list[sv_at++].value;
}
static int sv_hit(void) { _exit(sv_at == %d ? %d : %d); return 0; }
#define sv_call(...) sv_hit()
#define sv_assert(e) ((void)((e) ? 0 : sv_hit()))
static void sv_nothing(void) {}
%s#line 1
`, strings.Join(append(order, "{-1, 0}"), ", "), len(order), Strayed, len(order), Reached, Strayed, empty)
	return prelude + apply(program, edits) + assume(program, Strayed), nil
}

// emitted has gcc emit what is inline and no other file defines.
const emitted = "#define inline\n#define __inline\n#define __inline__\n"

// nothing has calls of routines that return no value do nothing, where neither the program nor a library defines them: a
// witness has nothing to say of them. The second result has the linker leave them out.
func (w *Witness) nothing(tokens []token) (edits []edit, weak string) {
	bodies := map[string]bool{}
	declares := func(i int) bool {
		return i > 0 && i+1 < len(tokens) && tokens[i-1].text == "void" && tokens[i+1].text == "("
	}
	for i, t := range tokens {
		if !declares(i) {
			continue
		}
		if end := match(tokens, i+1, 1, "(", ")"); end > 0 && end+1 < len(tokens) {
			next := tokens[end+1].text
			bodies[t.text] = bodies[t.text] || next != ";" && next != "," && next != "__attribute__"
		}
	}
	if m := called.FindStringSubmatch(w.Specification()); m != nil { // the run is at the target there, or goes another way
		delete(bodies, m[1])
	}
	delete(bodies, "__VERIFIER_assume")
	for i, t := range tokens {
		member := i > 0 && (tokens[i-1].text == "." || tokens[i-1].text == ">")
		if body, known := bodies[t.text]; known && !body && !member && !declares(i) && i+1 < len(tokens) && tokens[i+1].text == "(" {
			edits = append(edits, edit{t.at, t.at + len(t.text), fmt.Sprintf("(%s ? %[1]s : (__typeof__(&%[1]s))sv_nothing)", t.text)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		if !bodies[name] {
			weak += "#pragma weak " + name + "\n"
		}
	}
	return edits, weak
}

// assume defines __VERIFIER_assume, if a program declares it.
func assume(program string, status int) string {
	if !strings.Contains(program, "__VERIFIER_assume") || regexp.MustCompile(`__VERIFIER_assume\s*\([^)]*\)\s*\{`).MatchString(program) {
		return ""
	}
	return fmt.Sprintf("\nvoid __VERIFIER_assume(int c) { if (!c) _exit(%d); }\n", status)
}

var called = regexp.MustCompile(`call\((\w+)\(?\)?\)`)

// target has the program say that it is there.
func (w *Witness) target(program string, tokens []token, at map[int]int, l location) (edit, error) {
	offset := offsetOf(program, l)
	i, known := at[offset]
	if !known {
		return edit{}, fmt.Errorf("nothing begins at the target")
	}
	spec := w.Specification()
	switch m := called.FindStringSubmatch(spec); {
	case m != nil && tokens[i].text == m[1]:
		return edit{offset, offset + len(m[1]), "sv_call"}, nil
	case m != nil && tokens[i].text == "assert" && m[1] == "__assert_fail":
		return edit{offset, offset + len("assert"), "sv_assert"}, nil
	case strings.Contains(spec, "label(") && tokens[i+1].text == ":":
		return edit{tokens[i+1].at + 1, tokens[i+1].at + 1, " sv_hit();"}, nil
	case strings.Contains(spec, "overflow"):
		return edit{offset, offset, ""}, nil
	}
	return edit{}, fmt.Errorf("the target is at %q", tokens[i].text)
}

var declared = regexp.MustCompile(`(?m)^(?:extern[ \t]+)?((?:(?:unsigned|signed|int|char|short|long|_Bool|void)[ \t]+)+)(\w+)[ \t]*\([ \t]*(void)?[ \t]*\)[ \t]*;`)

// Check is the program with a check at each loop that has an invariant, and routines that give random values
// for those that it does not define.
func (w *Witness) Check(program string) (string, error) {
	tokens := tokensOf(program)
	var edits []edit
	for k, c := range w.Content {
		inv := c.Invariant
		offset := offsetOf(program, inv.Location)
		i := slices.IndexFunc(tokens, func(t token) bool { return t.at == offset })
		if inv.Type != "loop_invariant" || i < 0 {
			return "", fmt.Errorf("invariant %d is none of a loop", k)
		}
		test := fmt.Sprintf("SV(%d, (%s)), ", k, inv.Value)
		switch tokens[i].text {
		case "while":
			edits = append(edits, edit{tokens[i+1].at + 1, tokens[i+1].at + 1, test})
		case "for":
			end := match(tokens, i+1, 1, "(", ")")
			depth := 0
			for j := i + 1; j < end; j++ {
				switch tokens[j].text {
				case "(":
					depth++
				case ")":
					depth--
				}
				if tokens[j].text == ";" && depth == 1 {
					if tokens[j+1].text == ";" {
						test += "1"
					}
					edits = append(edits, edit{tokens[j].at + 1, tokens[j].at + 1, test})
					break
				}
			}
		case "do":
			if tokens[i+1].text != "{" {
				return "", fmt.Errorf("invariant %d: the body of the loop is no block", k)
			}
			j := match(tokens, i+1, 1, "{", "}")
			if j < 0 || tokens[j+1].text != "while" {
				return "", fmt.Errorf("invariant %d: the end of the loop is not found", k)
			}
			edits = append(edits, edit{tokens[j+2].at + 1, tokens[j+2].at + 1, test})
		default:
			return "", fmt.Errorf("invariant %d is at %q", k, tokens[i].text)
		}
	}
	rest, given := "", map[string]bool{}
	for _, m := range declared.FindAllStringSubmatch(program, -1) {
		if regexp.MustCompile(`(?m)^[\w \t*]*\b`+m[2]+`[ \t]*\([^;{}()]*\)\s*\{`).MatchString(program) || given[m[2]] {
			continue
		}
		given[m[2]] = true
		body := "_exit(0);"
		if !strings.Contains(m[1], "void") {
			body = "return (" + m[1] + ")sv_random();"
		}
		rest += fmt.Sprintf("%s%s(%s) { %s }\n", m[1], m[2], m[3], body)
	}
	prelude := fmt.Sprintf(emitted+`extern void _exit(int);
extern char *getenv(const char *);
extern unsigned alarm(unsigned);
static unsigned long long sv_state, sv_steps;
static long long sv_random(void) {
	if (sv_state == 0) { for (char *s = getenv("SEED"); s && *s; s++) sv_state = sv_state * 31 + (unsigned char)*s; sv_state += 88172645463325252ULL; alarm(1); }
	if (++sv_steps > 3000) _exit(0);
	sv_state ^= sv_state << 13; sv_state ^= sv_state >> 7; sv_state ^= sv_state << 17;
	switch (sv_state %% 7) {
	case 0: return (long long)(sv_state >> 8);
	case 1: return (long long)(sv_state >> 8) %% 200 - 100;
	case 2: return 48 + (sv_state >> 8) %% 10;
	}
	return (long long)((sv_state >> 8) %% 5) - 1;
}
static void sv_broken(int k) { (void)k; _exit(%d); }
static void sv_check(int holds, int k) { if (++sv_steps > 1000000) _exit(0); if (!holds) sv_broken(k); }
#define SV(k, e) sv_check(!!(e), k)
#line 1
`, Broken)
	return prelude + apply(program, edits) + "\n" + rest + assume(program, 0), nil
}
