package certificate

import (
	"maps"
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// terms are those of a measure, in the order in which exported has their texts.
func (m *Measure) terms() (all []*logic.Term) {
	for _, s := range m.Summands {
		all = append(all, s.Term)
	}
	if m.Over != nil {
		for i := range m.Over.Measures {
			all = append(all, m.Over.Measures[i].terms()...)
		}
		for _, l := range m.Over.locations() {
			all = append(all, m.Over.Relation[l])
		}
	}
	return all
}

func (d *Disjunction) locations() []int { return slices.Sorted(maps.Keys(d.Relation)) }

// exported writes a measure with the first of some texts.
func (m *Measure) exported(of *program.System, texts []string) fileMeasure {
	x := fileMeasure{}
	if m.Constant != nil {
		x.Constant = m.Constant.String()
	}
	for i, s := range m.Summands {
		x.Summands = append(x.Summands, fileSummand{s.Coefficient.String(), s.Reading, texts[i]})
	}
	if m.Over == nil {
		return x
	}
	x.Over = &fileDisjunction{Copies: map[string]string{}, Relation: map[string]string{}}
	for i := range m.Over.Measures {
		one := &m.Over.Measures[i]
		x.Over.Measures = append(x.Over.Measures, one.exported(of, texts))
		texts = texts[len(one.terms()):]
	}
	for v, c := range m.Over.Copies {
		x.Over.Copies[v.Name()] = c.Name()
	}
	for i, l := range m.Over.locations() {
		x.Over.Relation[of.Locations[l].Name] = texts[i]
	}
	return x
}

func (x *fileMeasure) read(scope logic.Scope, of *program.System, at *place) (*Measure, error) {
	if x.Over != nil {
		over, err := x.Over.read(scope, of, at.to("over"))
		return &Measure{Over: over}, err
	}
	m := &Measure{}
	var ok bool
	if m.Constant, ok = new(big.Int).SetString(x.Constant, 10); !ok {
		return nil, at.to("constant").errorf("%q is no number", x.Constant)
	}
	for i, s := range x.Summands {
		c, ok := new(big.Int).SetString(s.Coefficient, 10)
		if !ok {
			return nil, at.to("summands", i, "coefficient").errorf("%q is no number", s.Coefficient)
		}
		term, err := logic.Parse(source.NewFile("<measure>", s.Term), logic.SMTLIB, scope)
		if err != nil {
			return nil, at.to("summands", i, "term").within(err)
		}
		m.Summands = append(m.Summands, Summand{c, term, s.Reading})
	}
	return m, nil
}

// copied adds the copies to a scope. Several disjunctions may have the same ones.
func (x *fileDisjunction) copied(scope logic.Scope, of *program.System, at *place) error {
	if x == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(x.Copies)) {
		v, text := scope[name], x.Copies[name]
		if v == nil || !slices.Contains(of.Vars, v) {
			return at.errorf("there is no variable %s", name)
		}
		c := logic.Var(text, v.Sort())
		if known := scope[text]; known != nil && known != c || slices.Contains(of.Vars, c) {
			return at.to(name).errorf("%s is the name of something else", text)
		}
		scope[text] = c
	}
	return nil
}

func (x *fileDisjunction) read(scope logic.Scope, of *program.System, at *place) (*Disjunction, error) {
	d := &Disjunction{Copies: map[*logic.Term]*logic.Term{}, Relation: map[int]*logic.Term{}}
	for _, name := range slices.Sorted(maps.Keys(x.Copies)) {
		v, c := scope[name], scope[x.Copies[name]]
		if v == nil || c == nil {
			return nil, at.to("copies").errorf("there is no variable %s", name)
		}
		d.Copies[v] = c
	}
	for i := range x.Measures {
		m, err := x.Measures[i].read(scope, of, at.to("measures", i))
		if err != nil {
			return nil, err
		}
		d.Measures = append(d.Measures, *m)
	}
	for _, name := range slices.Sorted(maps.Keys(x.Relation)) {
		l := of.Location(name)
		if l < 0 {
			return nil, at.to("relation").errorf("there is no location %s", name)
		}
		f, err := logic.Parse(source.NewFile("<relation at "+name+">", x.Relation[name]), logic.SMTLIB, scope)
		if err != nil {
			return nil, at.to("relation", name).within(err)
		}
		d.Relation[l] = f
	}
	return d, nil
}
