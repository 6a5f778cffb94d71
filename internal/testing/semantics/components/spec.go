package components

import (
	"fmt"

	"github.com/seltl/seltl/internal/c/specification"
)

// specFile is a `.spec` file with one of its programs.
type specFile struct {
	file    *specification.File
	defs    map[string]*specification.LKSDef
	procs   map[string][]specification.Statement // by routine, or COMPONENT::ROUTINE
	numbers map[string]int64                     // constants
	prog    *specification.ProgDef
	members []member
}

// member is a component of a program.
type member struct {
	name, procedure string
	ref             int
	numbers         map[string]int64
	rename          map[string]string
	hide            map[string]bool
}

// readSpec reads a specification; of its programs the one of that name.
func readSpec(text, process string, constants map[string]int) *specFile {
	file, err := specification.ParseText("a.spec", text)
	if err != nil {
		unsupported("a specification with a mistake: %v", err)
	}
	s := &specFile{file: file, defs: map[string]*specification.LKSDef{}, procs: map[string][]specification.Statement{}, numbers: map[string]int64{}}
	for _, d := range file.Defs {
		switch d := d.(type) {
		case *specification.ConstDef:
			s.numbers[d.Name.Text] = s.number(d.Value, s.numbers)
			if n, given := constants[d.Name.Text]; given {
				s.numbers[d.Name.Text] = int64(n)
			}
		case *specification.LKSDef:
			s.defs[d.Name.Text] = d
		case *specification.ProcDef:
			name := d.Name.Text
			if d.Scope.Text != "" {
				name = d.Scope.Text + "::" + name
			}
			s.procs[name] = append(s.procs[name], d.Statements...)
		case *specification.ProgDef:
			if d.Name.Text == process {
				s.prog = d
			}
		}
	}
	if s.prog == nil {
		unsupported("the program %s", process)
	}
	s.components()
	return s
}

// components are the members of the program: "phil[i:0..N-1] is N components of one procedure,
// called phil[0] and so on."
func (s *specFile) components() {
	count := map[string]int{}
	for i, ref := range s.prog.Components {
		lo, hi, variable := int64(0), int64(0), ""
		if ref.Index != nil {
			lo, hi, variable = s.number(ref.Index.Lo, s.numbers), s.number(ref.Index.Hi, s.numbers), ref.Index.Variable.Text
		}
		for n := lo; n <= hi; n++ {
			m := member{name: ref.Procedure.Text, procedure: ref.Procedure.Text, ref: i, numbers: with(s.numbers, variable, n), rename: map[string]string{}, hide: map[string]bool{}}
			if ref.Index != nil {
				m.name = fmt.Sprintf("%s[%d]", m.name, n)
			}
			if count[m.name]++; count[m.name] > 1 {
				m.name = fmt.Sprintf("%s#%d", m.name, count[m.name])
			}
			s.renamed(&m)
			s.members = append(s.members, m)
		}
	}
}

// renamed notes what a member's actions are called, and which are silent.
func (s *specFile) renamed(m *member) {
	for _, st := range s.prog.Statements {
		switch st := st.(type) {
		case *specification.Rename:
			if st.Component.Text != "" && st.Component.Text != m.procedure {
				continue
			}
			for _, p := range st.Pairs {
				old, new := s.labels(p.Old, m.numbers), s.labels(p.New, m.numbers)
				if len(old) != 1 || len(new) != 1 {
					unsupported("a renaming of a range")
				}
				m.rename[old[0].name] = new[0].name
			}
		case *specification.Hide:
			if st.Component.Text != "" && st.Component.Text != m.procedure {
				continue
			}
			for _, l := range st.Set.Labels {
				for _, r := range s.labels(l, m.numbers) {
					m.hide[r.name] = true
				}
			}
		}
	}
}

// guards are those of all components, by member: of assume, and of a claim.
func (s *specFile) guards(claim *specification.Abstract) (all [][]string) {
	all = make([][]string, len(s.members))
	add := func(list []*specification.CExpr) {
		for i, m := range s.members {
			if m.ref >= len(list) {
				unsupported("a guard for each component")
			}
			all[i] = append(all[i], list[m.ref].Text)
		}
	}
	for _, st := range s.prog.Statements {
		if a, is := st.(*specification.Assume); is {
			add(a.Guards)
		}
	}
	if claim != nil {
		add(claim.Guards)
	}
	return all
}

// abstraction is one of a routine.
type abstraction struct {
	guard string
	does  *lks
}

// abstractions are those of a routine, called by a routine of a component: "cproc CALLER::ROUTINE
// is about a routine only where it is called by that component"; "inline F: calls of these routines
// follow their C".
func (s *specFile) abstractions(component, caller, routine string) (all []abstraction) {
	for _, st := range s.procs[caller] {
		if in, is := st.(*specification.Inline); is {
			for _, n := range in.Routines {
				if n.Text == routine {
					return nil
				}
			}
		}
	}
	for _, name := range []string{component + "::" + routine, routine} {
		for _, st := range s.procs[name] {
			if a, is := st.(*specification.Abstract); is {
				all = append(all, abstraction{a.Guards[0].Text, s.structure(a.LKS.Text)})
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

// extended are the actions of the alphabet statements about a procedure.
func (s *specFile) extended(procedure string) (all []string) {
	for _, st := range s.procs[procedure] {
		if a, is := st.(*specification.Alphabet); is {
			for _, l := range a.Set.Labels {
				for _, r := range s.labels(l, s.numbers) {
					all = append(all, r.name)
				}
			}
		}
	}
	return all
}

func (s *specFile) claim(name string) *specification.Abstract {
	for _, st := range s.prog.Statements {
		if a, is := st.(*specification.Abstract); is && a.Name.Text == name {
			return a
		}
	}
	unsupported("the claim %s", name)
	return nil
}
