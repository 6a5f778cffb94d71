package stubborn

import "github.com/seltl/seltl/lks"

// Bounds on networks for which stubborn sets are computed: their tables and the
// choice of a set take time quadratic in these.
const (
	maxOffered  = 2048    // rules that a local state of a component offers
	maxTraverse = 1 << 28 // local states looked at for all parts of all rules
)

// TooWide says why stubborn sets would cost more than they can save, or "". A
// component depends on itself: where it is alone, every set has all its rules.
func TooWide(net *lks.Network) string {
	if len(net.Components()) == 1 {
		return "the model has only one component"
	}
	users := make([][]int, len(net.Components())) // by component, by action: rules with that part
	for c, m := range net.Components() {
		users[c] = make([]int, len(m.Alphabet()))
	}
	traverse := 0
	for _, r := range net.Rules() {
		for _, p := range r.Parts {
			users[p.Component][p.Action]++
			traverse += net.Components()[p.Component].NumStates()
		}
	}
	if traverse > maxTraverse {
		return "the model has too many rules and local states"
	}
	for c, m := range net.Components() {
		for s := range int32(m.NumStates()) {
			offered := 0
			for _, e := range m.Edges(s) {
				offered += users[c][e.Action]
			}
			if offered > maxOffered {
				return "a component offers too many actions at once"
			}
		}
	}
	return ""
}
