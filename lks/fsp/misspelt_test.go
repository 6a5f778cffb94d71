package fsp_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// warningsOf compiles a process of a text, and returns the warnings with some codes.
func warningsOf(t *testing.T, text, process string, codes ...string) (found []string) {
	t.Helper()
	f, err := syntax.Parse(source.NewFile("m.lks", text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	m, err := fsp.Compile(f, fsp.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if _, err := m.Network(process); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, w := range m.Warnings() {
		for _, code := range codes {
			if w.Code == code {
				found = append(found, strings.TrimSuffix(w.Message+"; "+w.Help, "; "))
			}
		}
	}
	return found
}

// typos are ways to mistype a word.
func typos(word string) (all []string) {
	k := len(word) / 2
	all = append(all, word[:k]+word[k+1:], word[:k]+word[k:k+1]+word[k:], word[:1]+word[2:], word[:k]+"q"+word[k+1:])
	for i := 1; i+1 < len(word); i++ {
		if word[i] != word[i+1] {
			return append(all, word[:i]+word[i+1:i+2]+word[i:i+1]+word[i+2:])
		}
	}
	return all
}

// TestMisspelt: whoever mistypes an action that is shared, in one process, is told so.
func TestMisspelt(t *testing.T) {
	seeded := 0
	for _, m := range []struct{ text, words string }{
		{"LOCK = (acquire -> release -> LOCK).\nUSER = (acquire -> use -> release -> USER).\n||S = (a:USER || b:USER || {a,b}::LOCK).\n", "acquire release"},
		{"BUFFER = (insert -> remove -> BUFFER).\nMAKER = (make -> insert -> MAKER).\nEATER = (remove -> eat -> EATER).\nCLOCK = ({insert, remove} -> CLOCK).\n||S = (BUFFER || MAKER || EATER || CLOCK).\n", "insert remove"},
		{"SERVER = (request[i:0..1] -> service -> reply[i] -> SERVER).\nCLIENT = (request[0] -> reply[0] -> work -> CLIENT | request[1] -> reply[1] -> CLIENT).\n||S = (SERVER || CLIENT).\n", "request reply"},
		{"FORK = (pick_up -> put_down -> FORK).\nPHIL = (left.pick_up -> right.pick_up -> eat -> left.put_down -> right.put_down -> PHIL).\n||S = (a:PHIL || {a.left}::FORK || {a.right}::FORK).\n", "pick_up put_down"},
		{"LIFT = (open_door -> close_door -> move_lift -> LIFT).\nMAN = (open_door -> enter_lift -> close_door -> MAN).\n||S = (LIFT || MAN).\n", "open_door close_door"},
	} {
		if got := warningsOf(t, m.text, "S", "misspelt-action"); len(got) > 0 {
			t.Errorf("without a mistake: %s\n%s", got, m.text)
		}
		lines := strings.SplitAfter(m.text, "\n")
		for _, word := range strings.Fields(m.words) {
			for i, line := range lines {
				if !strings.Contains(line, word) || strings.HasPrefix(line, "CLOCK") {
					continue
				}
				for _, typo := range typos(word) {
					changed := append(append(append([]string{}, lines[:i]...), strings.ReplaceAll(line, word, typo)), lines[i+1:]...)
					text := strings.Join(changed, "")
					seeded++
					got := warningsOf(t, text, "S", "misspelt-action", "never-synchronised")
					if len(got) == 0 || !strings.Contains(got[0], typo) || !strings.Contains(got[0], word) {
						t.Errorf("%s for %s: %q\n%s", typo, word, got, text)
					}
				}
			}
		}
	}
	t.Log(seeded, "mistakes")
	if seeded < 60 {
		t.Errorf("only %d", seeded)
	}
}

// TestNotMisspelt: names that are meant to be different are no mistakes.
func TestNotMisspelt(t *testing.T) {
	for _, text := range []string{
		"A = (sendA -> done -> A).\nB = (sendB -> done -> B).\n||S = (A || B).\n",
		"A = (c_begin -> talk -> A).\nB = (s_begin -> talk -> B).\n||S = (A || B).\n",
		"A = (step1 -> go -> A).\nB = (step2 -> go -> B).\nC = (step2 -> go -> C).\n||S = (A || B || C).\n",
		"A = (get -> go -> A).\nB = (put -> go -> B).\n||S = (A || B).\n",
		"A = (start -> go -> A).\nB = (stop -> go -> B).\n||S = (A || B).\n",
		"P = (enter -> exit -> P).\n||S = (a:P || b:P).\n",
		"A = (relase -> a -> A).\nB = (release -> b -> B).\nC = (a -> C).\nD = (b -> D).\n||S = (A || B || C || D).\n", // they have nothing to do with each other
		"A = (release -> relase -> go -> A).\nB = (release -> go -> B).\n||S = (A || B).\n",
		"A = (take[i:0..2] -> go -> A).\nB = (take[i:0..1] -> go -> B).\n||S = (A || B).\n",
	} {
		if got := warningsOf(t, text, "S", "misspelt-action"); len(got) > 0 {
			t.Errorf("%s\n%s", got, text)
		}
	}
}

// TestIndexAlone: an index that is one too many is told, in any place; others are not.
func TestIndexAlone(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"A = (take[i:0..2] -> go -> A).\nB = (take[i:0..1] -> go -> B).\n||S = (A || B).\n", "in S, take.2 of A is shared with no process, while take.0 to take.1 are shared with B; if nobody should do it, let A have no more indices; otherwise give B one more"},
		{"A = (take[i:0..2] -> go -> A).\nB = (take[i:1..2] -> go -> B).\n||S = (A || B).\n", "in S, take.0 of A is shared with no process, while take.1 to take.2 are shared with B; if nobody should do it, let A have no more indices; otherwise give B one more"},
		{"A = (take[i:0..2].it -> go -> A).\nB = (x.take[i:0..1].it -> go -> B).\n||S = (x:A || B || x:B).\n", "in S, x.take.2.it of x:A is shared with no process, while x.take.0.it to x.take.1.it are shared with B; if nobody should do it, let x:A have no more indices; otherwise give B one more"},
		{"A = (take[i:0..2] -> A).\nB = ({x, y}.take[i:0..1] -> B).\n||S = (x:A || y:A || B).\n", "in S, x.take.2 of x:A is shared with no process, while x.take.0 to x.take.1 are shared with B; if nobody should do it, let x:A have no more indices; otherwise give B one more"}, // once
		{"A = (take[i:0..2] -> go -> A).\nB = (take[i:0..2] -> go -> B).\n||S = (A || B).\n", ""},
		{"A = (take[i:0..3] -> go -> A).\nB = (take[i:0..1] -> go -> B).\n||S = (A || B).\n", ""}, // half of them on purpose
		{"P = (enter -> exit -> P).\nC = (p[1..2].enter -> C).\n||S = (p[1..3]:P || C).\n", ""},   // a process of its own
		{"A = (take[0] -> take[1] -> A).\nB = (take[0] -> go -> B).\n||S = (A || B).\n", ""},
	} {
		if got := strings.Join(warningsOf(t, c.text, "S", "index-alone"), " | "); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestManyAlike: of names that are no longer written by hand nothing is said, nor are they compared.
func TestManyAlike(t *testing.T) {
	for _, c := range []struct{ words, warnings int }{{200, 1}, {5_000, 0}} {
		var set []string
		for i := range c.words - 2 {
			set = append(set, fmt.Sprintf("w%cx%cyz%c", 'a'+i%26, 'a'+i/26%26, 'a'+i/676))
		}
		text := "set W = {" + strings.Join(set, ", ") + "}\nLOCK = (acquire -> release -> LOCK | [W] -> LOCK).\nUSER = (acquire -> relase -> USER).\n||S = (USER || LOCK).\n"
		if got := warningsOf(t, text, "S", "misspelt-action"); len(got) != c.warnings {
			t.Errorf("%d words: %q", c.words, got)
		}
	}
}

// TestUnchecked: a property that is in no composite, or sees nothing there, is told.
func TestUnchecked(t *testing.T) {
	const p = "P = (enter -> exit -> P).\nproperty MUTEX = (p[i:1..2].enter -> p[i].exit -> MUTEX).\n"
	for _, c := range []struct{ text, process, want string }{
		{p + "||S = (p[1..2]:P).", "", "no composite contains the property MUTEX, so it is not checked; compose it with what it is about: ||S_MUTEX = (S || MUTEX)."},
		{p + "||S = (p[1..2]:P).", "S", "no composite contains the property MUTEX, so it is not checked; compose it with what it is about: ||S_MUTEX = (S || MUTEX)."},
		{p + "||S = (p[1]:P).", "", "no composite contains the property MUTEX, so it is not checked; compose it with what it is about: ||S_MUTEX = (S || MUTEX). (S has no action p.2.enter, p.2.exit)"},
		{p + "||S = (q:P).", "", "no composite contains the property MUTEX, so it is not checked; compose it with the processes that it is about; S has no action p.1.enter, p.1.exit, p.2.enter, p.2.exit"},
		{p + "||S = (p[1..2]:P)\\{p[2].exit}.", "", "no composite contains the property MUTEX, so it is not checked; compose it with what it is about: ||S_MUTEX = (S || MUTEX). (S has no action p.2.exit)"},
		{p + "||S = (p[1..2]:P || MUTEX).", "", ""},
		{p + "||T = (p[1..2]:P).\n||S = (T || MUTEX).", "", ""},
		{p + "||T = (p[1..2]:P).\n||S = (T || MUTEX).", "T", ""},
		{p + "||T = (p[1..2]:P || MUTEX).\n||S = (T).", "", ""},
		{p + "||T = (p[1..2]:P || MUTEX).\n||S = (p[1..2]:P).", "", "S is checked, which does not contain the property MUTEX; T does; choose it with -p T"},
		{p + "||T = (p[1..2]:P || MUTEX).\n||S = (p[1..2]:P).", "T", ""},
		{p, "", ""},
		{"P = (enter -> exit -> P).\nproperty ||BOTH = (P).\n||S = (P).", "", "no composite contains the property BOTH, so it is not checked; compose it with what it is about: ||S_BOTH = (S || BOTH)."},
		{"P = (enter -> P).\nproperty ||A = (P).\nproperty ||B = (P).\n||S = (P).", "B", ""}, // who asks for a property knows of it
		{"P = (enter -> P).\nproperty BAD = (enter -> BAD[1]), BAD[i:0..9] = (go[i/0] -> BAD).\n||S = (P).", "", "no composite contains the property BAD, so it is not checked; compose it with what it is about: ||S_BAD = (S || BAD)."},
		{"A = (work -> A).\nproperty ORDER = (wrk -> ORDER).\n||S = (a:A || ORDER).", "", "in S, the property ORDER shares no action with any other process, so it observes nothing: wrk; did you mean a.work for wrk?"},
		{"A = (work -> A).\nproperty ORDER = (a.work -> b.work -> ORDER).\n||S = (a:A || ORDER).", "", ""},
		{"A = (work -> A).\nproperty ORDER = (x -> y -> ORDER).\n||S = (a:A || ORDER).", "", "in S, the property ORDER shares no action with any other process, so it observes nothing: x, y"},
		{"A = (work -> A).\nproperty ORDER = (work -> ORDER).\n||IN = (a:A || ORDER).\n||S = (IN || b:A).", "", ""}, // said of IN by never-synchronised
	} {
		got := strings.Join(warningsOf(t, c.text, c.process, fsp.UncheckedProperty, "other-composite", "blind-property"), " | ")
		if got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestNoFalseAlarms: models that are as they should be have no such warning, whatever composite of them
// is asked for.
func TestNoFalseAlarms(t *testing.T) {
	// Each of these is right: the file says so itself, or the property is left out on purpose; of the
	// gardens, a turnstile that has read 4 writes a 5 which the variable, of 0 to 4, does not notice.
	known := map[string]bool{"Garden.lts: in GARDEN": true, "Garden.lts: in TESTGARDEN": true, "Garden_lockvar.lts: in GARDEN": true, "Garden_lockvar.lts: in TESTGARDEN": true, "detmin.lts: no composite contains the property PR": true, "Space_invaders.lts: FIND_SHIP_HIT is checked": true, "err.lts: MF is checked": true}
	files := 0
	for _, root := range []string{filepath.Join("..", "..", "specs"), filepath.Join("..", "..", "..", "shared", "oracle", "ltsa")} {
		if _, err := os.Stat(root); err != nil {
			t.Log("SKIPPED: ", root, " is not here")
			continue
		}
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.Contains(".lks .lts .fsp", filepath.Ext(path)) || filepath.Ext(path) == "" {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			f, err := syntax.Parse(source.NewFile(path, string(text)))
			if err != nil {
				return nil
			}
			files++
			for _, p := range namesOfComposites(f) {
				m, err := fsp.Compile(f, fsp.Options{})
				if err != nil {
					return nil
				}
				if _, err := m.Composition(p); err != nil {
					continue
				}
				for _, w := range m.Warnings() {
					if w.Code != "misspelt-action" && w.Code != "index-alone" && w.Code != "blind-property" && w.Code != fsp.UncheckedProperty && w.Code != "other-composite" {
						continue
					}
					if begin, _, _ := strings.Cut(w.Message, ","); !known[fmt.Sprintf("%s: %s", filepath.Base(path), begin)] {
						t.Errorf("%s -p %s: %s", path, p, w.Message)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Log(files, "files")
	if files < 20 {
		t.Errorf("only %d files", files)
	}
}

func namesOfComposites(f *syntax.File) (all []string) {
	for _, d := range f.Defs {
		if c, is := d.(*syntax.CompositeDef); is {
			all = append(all, c.Name.Text)
		}
	}
	return all
}
