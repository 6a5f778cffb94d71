package conform

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

func loadModel(t testing.TB, path string) (*fsp.Model, string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := syntax.Parse(source.NewFile(path, string(text)))
	if err != nil {
		t.Fatal(err)
	}
	model, err := fsp.Compile(file, fsp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return model, string(text)
}

func process(t testing.TB, m *fsp.Model, name string) *lks.Network {
	t.Helper()
	net, err := m.Network(name)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestSSL checks the lines "// expect IMPL SPEC conforms|fails" of the handshake
// by all methods.
func TestSSL(t *testing.T) {
	model, text := loadModel(t, "../specs/conform/ssl.lks")
	lines := 0
	for _, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) != 5 || words[1] != "expect" {
			continue
		}
		lines++
		if soak.Skip(lines) {
			continue
		}
		t.Run(words[2]+"-"+words[3], func(t *testing.T) {
			for _, method := range []Method{Plain, TwoLevel, Auto} {
				r, err := answer(t.Context(), process(t, model, words[2]), process(t, model, words[3]),
					Options{Preorder: Weak, Restrict: true, Method: method})
				if err != nil {
					t.Fatalf("%s: %v", method, err)
				}
				if r.Holds() != (words[4] == "conforms") {
					t.Errorf("%s: holds: %v", method, r.Holds())
					if !r.Holds() {
						t.Log("\n" + r.Format(r.Trees[0], 60))
					}
				}
				if method == TwoLevel {
					t.Log(len(r.Levels.Rounds), "rounds,", r.Levels.AbstractStates, "states", r.Levels.Components)
				} else {
					t.Log(method, r.Method, r.Stats)
				}
			}
		})
	}
	if lines < 30 {
		t.Errorf("only %d expectations", lines)
	}
}

// TestSSLLetter: the complete specification as the thesis prints it has silent
// steps, and means the same without them.
func TestSSLLetter(t *testing.T) {
	model, _ := loadModel(t, "../specs/conform/ssl.lks")
	opts := Options{Preorder: Weak, Restrict: true}
	var refused *SilentSpec
	if _, err := answer(t.Context(), process(t, model, "HANDSHAKE"), process(t, model, "SSL3_LETTER"), opts); !errors.As(err, &refused) {
		t.Errorf("a specification with silent steps: %v", err)
	}
	opts.SilentSpec = Saturate
	for impl, want := range map[string]bool{"HANDSHAKE": true, "SERVER": true, "HASTY_HANDSHAKE": false, "SSL3": true} {
		r, err := answer(t.Context(), process(t, model, impl), process(t, model, "SSL3_LETTER"), opts)
		if err != nil || r.Holds() != want {
			t.Errorf("%s: %v, %v", impl, r.Holds(), err)
		}
	}
	opts.SilentSpec, opts.Preorder = Refuse, Trace
	for _, pair := range [][2]string{{"SSL3", "SSL3_LETTER"}, {"SSL3_LETTER", "SSL3"}} {
		r, err := answer(t.Context(), process(t, model, pair[0]), process(t, model, pair[1]), opts)
		if err != nil || !r.Holds() {
			t.Errorf("%v: %v, %v", pair, r.Holds(), err)
		}
	}
}

// TestSSLMany: of several handshakes only the one that the specification speaks
// of is refined; the product of the components has more than 10^11 states.
func TestSSLMany(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSSL has smaller ones")
	}
	model, _ := loadModel(t, "../specs/conform/ssl.lks")
	r, err := answer(t.Context(), process(t, model, "HANDSHAKES"), process(t, model, "FIRST_SSL3"), Options{Preorder: Weak, Restrict: true})
	if err != nil || !r.Holds() || r.Method != TwoLevel {
		t.Fatalf("%v, %v", r, err)
	}
	for i, c := range r.Levels.Components {
		if first := strings.HasPrefix(c.Name, "1:"); first == (c.Classes == 1) {
			t.Errorf("component %d, %s: %d classes", i, c.Name, c.Classes)
		}
	}
}
