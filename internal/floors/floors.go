// Package floors states which package of seltl may import which: its test fails
// when an import goes up, or sideways where that is not agreed. The table is that
// of docs/architecture.md.
package floors

import (
	"slices"
	"strings"
)

// floor numbers every package by its path below the module; a package not listed
// is on the floor of its nearest listed parent.
var floor = map[string]int{
	"cluster":              6,
	"cmd/seltl":            6,
	"serve":                6,
	"check":                5,
	"internal/cmdline":     5,
	"report":               4,
	"product":              3,
	"deadlock":             3,
	"conform":              3,
	"internal/cegar":       3,
	"armc":                 3,
	"clp":                  3,
	"safety":               3,
	"internal/c/relations": 3,
	"internal/cells":       2,
	"internal/houdini":     2,
	"c":                    2,
	"program":              2,
	"lks":                  1,
	"buchi":                1,
	"omega":                1,
	"ltl":                  1,
	"horn":                 1,
	"smt":                  1,
	"logic":                1,
	"budget":               0,
	"outcome":              0,
	"specs":                0,
	"bug":                  0,
	"internal":             0,
	"internal/predabs":     2,
	"internal/c":           2,
	"internal/program":     2,
}

// sideways lists the imports on one floor that are agreed.
var sideways = map[string][]string{
	"internal/cmdline":               {"check"},
	"buchi":                          {"ltl"},
	"omega":                          {"buchi", "ltl"},
	"ltl/family":                     {"ltl"},
	"conform/equivalence":            {"conform"},
	"lks/fsp":                        {"lks", "ltl"},
	"lks/aut":                        {"lks"},
	"lks/explore":                    {"lks", "lks/run"},
	"lks/run":                        {"lks"},
	"horn":                           {"logic"},
	"smt":                            {"logic", "horn"},
	"internal/predabs":               {"program", "internal/predabs/interpolate"},
	"internal/predabs/interpolate":   {"program"},
	"internal/predabs/lasso":         {"program"},
	"product":                        {"product/internal"},
	"c/checks":                       {"c/ir"},
	"c/machine":                      {"c/ir"},
	"c/cfront":                       {"c/checks", "c/ir"},
	"c/encode":                       {"program", "c/cfront", "c/ir", "c/machine"},
	"internal/c/assumptions":         {"c/ir"},
	"internal/c/shapes":              {"c/ir"},
	"internal/c/steps":               {"c/ir", "c/machine", "c/encode"},
	"internal/program/concrete":      {"program"},
	"internal/program/facts":         {"program"},
	"internal/program/unwound":       {"program"},
	"program/gcl":                    {"program"},
	"internal/program/passes":        {"program"},
	"program/prolog":                 {"program"},
	"program/reader":                 {"program"},
	"internal/program/values":        {"program"},
	"product/internal/silent":        {"product/internal/meet"},
	"product/internal/witness":       {"product/internal/meet"},
	"product/internal/symmetry":      {"product/internal/meet"},
	"product/internal/emptiness":     {"product/internal/meet"},
	"product/fairchoice":             {"product"},
	"check/sim":                      {"check", "check/programs"},
	"check/programs":                 {"check"},
	"cmd/seltl/internal/words":       {"cmd/seltl/internal/ask"},
	"cmd/seltl/internal/programcmds": {"cmd/seltl/internal/ask"},
	"cmd/seltl/internal/batches":     {"cmd/seltl/internal/ask"},
	"check/formulas":                 {"check"},
	"check/automata":                 {"check/formulas"},
	"report/html":                    {"report"},
	"cluster/exchange/local":         {"cluster/exchange"},
	"cluster/search":                 {"cluster/exchange"},
	"cluster/fabric":                 {"cluster/exchange"},
	"cluster/checkpoint":             {"cluster/exchange"},
	"cluster/job":                    {"cluster/exchange", "cluster/checkpoint", "cluster/fabric", "cluster/search"},
	"cluster/answer":                 {"cluster/search", "cluster/job"},
	"cluster/cmd/seltl-cluster":      {"cluster"},
	"cmd/seltl":                      {"serve", "cmd/seltl/internal"},
	"clp":                            {"armc"},
	"safety":                         {"armc", "clp", "internal/c/relations"},
	"internal/cegar":                 {"product", "deadlock", "conform", "internal/cegar/certificate"},
	"lks/fsp/internal/eval":          {"lks/fsp/syntax"},
	"lks/fsp/types":                  {"lks/fsp/syntax", "lks/fsp/internal/eval", "ltl"},
	"program/clauses":                {"program"},
	"internal/c/relations":           {"clp"},
	"internal/c/bind":                {"program", "internal/c/specification", "c/cfront", "c/ir", "c/encode"},
	"internal/c/witnessed":           {"c/cfront", "c/ir", "c/machine", "c/encode"},
	"cmd/seltl/internal/simui":       {"cmd/seltl/internal/muteterm"},
}

// testOnly packages may be imported by test files and by each other only.
var testOnly = []string{"internal/testing"}

// alone packages share nothing with the rest: only their tests import it.
var alone = []string{"internal/testing/semantics"}

// plain packages hold values of their own: they import no engine (floors 2 and 3).
var plain = []string{"report"}

// apart packages check what engines find: of floors 2 and 3 they import only what is listed.
var apart = map[string][]string{"internal/cegar/certificate": {"program"}}

// anywhere are programs that sit on top of everything: benchmark runners.
var anywhere = []string{"bench"}

// within reports whether path is dir or below it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, dir+"/")
}

func withinAny(path string, dirs []string) bool {
	for _, d := range dirs {
		if within(path, d) {
			return true
		}
	}
	return false
}

// floorOf returns the floor of a package, false if it belongs to none.
func floorOf(path string) (int, bool) {
	for {
		if f, ok := floor[path]; ok {
			return f, true
		}
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			return 0, false
		}
		path = path[:i]
	}
}

// mayImport are what packages that are alone import all the same: trees of what people wrote, and
// each other.
var mayImport = map[string][]string{
	"internal/testing/semantics/components": {"internal/testing/semantics", "ltl", "internal/c/specification"},
}

// complaint says why package from may not import package to (both relative to
// the module), or returns "". inTest says that the importing file is a test.
func complaint(from, to string, inTest bool) string {
	if withinAny(from, alone) && !inTest && !slices.Contains(mayImport[from], to) {
		return "it is to be independent of the rest"
	}
	if withinAny(from, anywhere) || withinAny(from, testOnly) {
		return ""
	}
	if withinAny(to, testOnly) {
		if inTest {
			return ""
		}
		return "only tests may import it"
	}
	if inTest {
		// A test may look at the whole house, it adds nothing to the binary.
		return ""
	}
	f, ok := floorOf(from)
	if !ok {
		return "the importing package has no floor: put it into the table"
	}
	t, ok := floorOf(to)
	switch {
	case !ok:
		return "the imported package has no floor: put it into the table"
	case t > f:
		return "the import goes up"
	case t >= 2 && apart[from] != nil && !slices.Contains(apart[from], to):
		return "it is other code than the engines"
	case t >= 2 && t < f && withinAny(from, plain):
		return "it imports no engine"
	case t < f, f == 0:
		return ""
	case withinAny(to, sideways[from]):
		return ""
	}
	return "the import goes sideways"
}
