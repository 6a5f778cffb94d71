package ir

import (
	"fmt"

	"github.com/seltl/seltl/internal/source"
)

// Initialisers is the name of Program.Init.
const Initialisers = "<initialisers>"

// Refusal is what lowering panics with; the routine that is lowered ends there.
type Refusal struct{ source.Diagnostic }

// Takes reports that the arguments of a call, and what it stores, have the types that a routine with a
// body was defined with.
func (f *Func) Takes(c *Call) bool {
	fits := func(x, y *Type) bool {
		return x.Kind == y.Kind && x.Size == y.Size && (x.Kind != Integer || x.Signed == y.Signed && x.Bool == y.Bool)
	}
	if len(c.Args) < len(f.Params) || c.To != nil && (f.Type.Result == nil || !fits(c.To.Type, f.Type.Result)) {
		return false
	}
	for k, p := range f.Params {
		if !fits(c.Args[k].Type(), p.Type) || f.OldStyle && c.Callee == nil && (p.Type.PromotedSize() != p.Type.Size || p.Type.Bool) {
			return false
		}
	}
	return true
}

// UnreadRoutine is that routine.
const UnreadRoutine = "<unread>"

// mistakes are the codes of what is refused wherever it stands: it is no C, or makes one program of
// several sources that do not fit.
var mistakes = map[string]bool{"c": true, "c-arguments": true, "c-condition": true, "c-field": true, "c-jump": true, "c-label": true, "c-link": true, "c-lvalue": true, "c-name": true,
	"c-redefinition": true, "c-void": true, "c-nested": true}

// Mistaken reports a refusal of what is no C.
func (bad *Refusal) Mistaken() bool {
	return mistakes[bad.Code] || bad.Help == "" && (bad.Code == "c-type" || bad.Code == "c-switch" || bad.Code == "c-bitfield")
}

// Unfollowed says, of the call of a routine that leaves what is modelled, what stands there.
func (c *Call) unfollowed() string {
	return fmt.Sprintf("coming to what is not read here (%s)", c.Unread)
}
