package buchi

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seltl/seltl/ltl"
)

// A formula of the reference corpus with Spot's sizes.
type reference struct {
	text                 string
	formula              *ltl.Formula
	states, edges, tgbas int
}

var patternSets = []string{"dac", "eh", "sb", "hkrss", "p"}
var allSets = append(append([]string{}, patternSets...), "families", "random")

// corpus reads one set; the test is skipped where the references are absent.
func corpus(t testing.TB, set string) []reference {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "shared", "oracle", "ltl", set+".csv"))
	if err != nil {
		t.Skipf("no reference sizes: %v", err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = ';'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var refs []reference
	for _, row := range rows[1:] {
		number := func(i int) int {
			n, err := strconv.Atoi(row[i])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		// Spot prints its strong next; on infinite words it is X.
		text := strings.ReplaceAll(row[0], "X[!]", "X")
		formula, err := ltl.ParseString(text)
		if err != nil {
			t.Fatalf("%s: %v", row[0], err)
		}
		refs = append(refs, reference{row[0], formula, number(1), number(2), number(3)})
	}
	return refs
}

func TestCorpusTable(t *testing.T) {
	for _, set := range allSets {
		refs := corpus(t, set)
		var s, e, rs, re, larger, worst int
		for _, r := range refs {
			a, err := Translate(r.formula, Options{Acceptance: StateBuchi})
			if err != nil {
				t.Fatal(err)
			}
			st := a.Stats()
			s += st.States
			e += st.Edges
			rs += r.states
			re += r.edges
			if st.States > r.states {
				larger++
				worst = max(worst, st.States-r.states)
				if testing.Verbose() {
					fmt.Printf("  +%d %d/%d  %s\n", st.States-r.states, st.States, r.states, r.text)
				}
			} else if st.States < r.states && testing.Verbose() {
				fmt.Printf("  -%d %d/%d  %s\n", r.states-st.States, st.States, r.states, r.text)
			}
		}
		fmt.Printf("%-9s states %5d (%5d)  edges %6d (%6d)  larger %d, by at most %d\n", set, s, rs, e, re, larger, worst)
	}
}
