package bind

import (
	"strconv"
	"strings"

	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/logic"
)

// predicate adds an expression over the variables of a component's procedure to the
// conditions.
func (b *binder) predicate(p *part, e *specification.CExpr) int {
	k := b.condition("predicate", p.procedure, e, nil, false)
	if len(b.list[k].Locals) == 0 {
		b.list[k].Locals = b.locals(p, e)
	}
	return k
}

// formulas are the predicates of a component over the variables of its encoding. One that
// speaks of what the encoding has no variable for is left out, with a warning: what nothing
// depends on, what is read by a pointer.
func (b *binder) formulas(p *part, e *encode.Encoding) (all []*logic.Term) {
	vars := map[string]*logic.Term{}
	for _, v := range e.Words.Vars {
		vars[v.Name()] = v
	}
	for i, k := range p.tracked {
		g, err := encode.GuardOf(b.q.Program, b.q.Program.Conditions[k])
		if err != nil {
			b.add(err)
			continue
		}
		by, missing := map[*logic.Term]*logic.Term{}, ""
		for _, v := range logic.Vars(g.Formula) {
			name := v.Name()
			if at := strings.LastIndexByte(name, '.'); at >= 0 && strings.HasPrefix(name, b.q.Program.Conditions[k].Name+".") {
				name = name[len(b.q.Program.Conditions[k].Name)+1:]
			}
			if i, err := strconv.Atoi(strings.TrimPrefix(name, "$")); err == nil && i > 0 && i <= len(e.Entry.Params) {
				name = e.Entry.Params[i-1].Name
			}
			own := vars[p.procedure+"."+name]
			if own == nil {
				own = vars[name]
			}
			if own == nil || own.Sort() != v.Sort() {
				missing = name
				break
			}
			by[v] = own
		}
		if missing != "" {
			b.warnf(p.predicates[i], "predicate", "name a variable of the procedure, or a global one, that is no pointer's target", "this predicate is not tracked: nothing that %s does depends on %s, or it is read by a pointer", p.procedure, missing)
			continue
		}
		all = append(all, logic.Substitute(g.Formula, by))
	}
	return all
}
