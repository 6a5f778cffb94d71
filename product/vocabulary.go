package product

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
)

// Vocabulary returns the names of a network for ltl.Parse: its propositions and
// actions. It has no named ranges, sets and constants.
func Vocabulary(net *lks.Network) ltl.Vocabulary { return vocabulary{net} }

type vocabulary struct{ net *lks.Network }

func (v vocabulary) Prop(name string) bool {
	_, _, ok := v.net.Prop(name)
	return ok
}

func (v vocabulary) Event(name string) bool { return v.net.Action(name) >= 0 }

func (v vocabulary) Indexed(base string) []int {
	var indices []int
	for _, p := range v.net.Props() {
		if rest, ok := strings.CutPrefix(p, base+"."); ok {
			if i, err := strconv.Atoi(rest); err == nil && strconv.Itoa(i) == rest {
				indices = append(indices, i)
			}
		}
	}
	slices.Sort(indices)
	return indices
}

func (v vocabulary) Range(string) (lo, hi int, ok bool)    { return 0, 0, false }
func (v vocabulary) Set(string) (labels []string, ok bool) { return nil, false }
func (v vocabulary) Const(string) (value int, ok bool)     { return 0, false }

func (v vocabulary) Names() []string {
	names := slices.Concat(v.net.Props(), v.net.Alphabet()[1:])
	slices.Sort(names)
	return slices.Compact(names)
}
