package horn

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

// definition writes the formula of a predicate in terms of the sorts that it was declared with; "" where that
// cannot be said, or there are no records among them: then it is one over the parts.
func (r *records) definition(p *Problem, pred int, f *logic.Term) string {
	if r == nil {
		return ""
	}
	sorts := r.preds[p.PredName(pred)]
	if len(sorts) == 0 {
		return ""
	}
	used := map[*logic.Term]bool{}
	for _, v := range logic.Vars(f) {
		used[v] = true
	}
	var params, parts []string
	at, split := 0, false
	for i, sort := range sorts[:len(sorts)-1] {
		name := fmt.Sprintf("x%d", i)
		params = append(params, fmt.Sprintf("(%s %v)", name, sort))
		ways, ok := r.ways(name, sort)
		if !ok {
			return ""
		}
		split = split || len(ways) != 1 || ways[0] != name
		for _, way := range ways {
			v := p.Preds[pred].Params[at]
			if at++; !used[v] {
				continue
			}
			if way == "" {
				return ""
			}
			parts = append(parts, fmt.Sprintf("(%s %s)", logic.Symbol(v.Name()), way))
		}
	}
	if !split {
		return ""
	}
	text := f.Format(logic.SMTLIB)
	if len(parts) > 0 {
		text = fmt.Sprintf("(let (%s) %s)", strings.Join(parts, " "), text)
	}
	return fmt.Sprintf("(define-fun %s (%s) Bool %s)\n", logic.Symbol(p.PredName(pred)), strings.Join(params, " "), text)
}

// ways are terms for the parts of a term of some sort; "" for one that there is no term for.
func (r *records) ways(term string, sort sexp.Node) (all []string, ok bool) {
	apply := func(field string) string { return fmt.Sprintf("(%s %s)", logic.Symbol(field), term) }
	index := sexp.Node{}
	if isArray(sort) {
		index, sort = sort.List[1], sort.List[2]
		apply = func(field string) string { return fmt.Sprintf("((_ map %s) %s)", logic.Symbol(field), term) }
		if parts, err := r.parts(index); err != nil || len(parts) != 1 || parts[0].suffix != "" {
			parts, err := r.parts(sort)
			return make([]string, len(parts)), err == nil
		}
	}
	rec := r.types[sort.Atom]
	if rec == nil || sort.Kind == sexp.List {
		parts, err := r.parts(sort)
		if err != nil || len(parts) != 1 || parts[0].sort.String() != sort.String() {
			return make([]string, len(parts)), err == nil
		}
		return []string{term}, true
	}
	for _, f := range rec.fields {
		of := f.sort
		if index.Kind != sexp.List || len(index.List) > 0 {
			of = list(of, word(of, "Array"), index, of)
		}
		more, ok := r.ways(apply(f.name), of)
		if !ok {
			return nil, false
		}
		all = append(all, more...)
	}
	return all, true
}

// definitions rewrites those of a solution.
func (r *records) definitions(src *source.File, nodes []sexp.Node, errs *source.List) (out []sexp.Node) {
	own := *r
	own.vars, own.names = nil, map[string]bool{}
	for _, n := range nodes {
		own.collect(n)
	}
	for _, n := range nodes {
		if n.Head() != "define-fun" && n.Kind == sexp.List {
			out = append(out, own.definitions(src, n.List, errs)...)
			continue
		}
		more := []sexp.Node{n}
		if len(n.List) == 5 && !own.flat(n) {
			known := own.preds
			own.preds = map[string][]sexp.Node{} // the name is that of the predicate
			var err *recordError
			if more, err = own.defined(n); err != nil {
				errs.Errorf(src.Span(err.at.Start, err.at.End), err.code, "%s", err.text).Help = err.help
				return nil
			}
			own.preds = known
		}
		out = append(out, more...)
	}
	return out
}

// flat reports a definition over the parts of arguments.
func (r *records) flat(n sexp.Node) bool {
	sorts := r.preds[n.List[1].Atom]
	if len(sorts) != len(n.List[2].List)+1 {
		return true
	}
	for i, v := range n.List[2].List {
		if len(v.List) != 2 || v.List[1].String() != sorts[i].String() {
			return true
		}
	}
	return false
}
