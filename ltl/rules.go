package ltl

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// ruleNames are the groups of rules, in the order of their bits.
var ruleNames = []string{"basic", "boolean", "eventual", "implication", "next", "infinite", "factor", "past", "regular"}

// String lists the groups, separated by commas.
func (r Rules) String() string {
	var list []string
	for i, name := range ruleNames {
		if r>>i&1 != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, ",")
}

// ParseRules reads groups of rules with commas between them: "all", "none", the groups to use
// ("basic,next"), or those to leave out of all ("-next,-factor").
func ParseRules(text string) (Rules, error) {
	var rules Rules
	for i, word := range strings.Split(text, ",") {
		name, out := strings.CutPrefix(strings.TrimSpace(word), "-")
		group := Rules(0)
		switch name {
		case "all":
			group = AllRules
		case "none":
		default:
			if group = ruleNamed(name); group == 0 {
				return 0, fmt.Errorf("%q is no group of rules: %s; there are %s", name,
					source.DidYouMean(name, ruleNames), strings.Join(ruleNames, ", "))
			}
		}
		if out && i == 0 {
			rules = AllRules
		}
		if rules |= group; out {
			rules &^= group
		}
	}
	return rules, nil
}

func ruleNamed(name string) Rules {
	for i, n := range ruleNames {
		if n == name {
			return 1 << i
		}
	}
	return 0
}
