package logic

import (
	"errors"
	"testing"

	"github.com/seltl/seltl/internal/sexp"
)

func listSort(t *testing.T, element *Sort) *Sort {
	t.Helper()
	sorts, err := DeclareDatatypes([]string{"List"}, func(s []*Sort) ([][]Constructor, error) {
		return [][]Constructor{{{Name: "nil"}, {Name: "cons", Fields: []Field{{"head", element}, {"tail", s[0]}}}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sorts[0]
}

// TestDatatypeTerms: terms of datatypes are read, normalised, printed and evaluated.
func TestDatatypeTerms(t *testing.T) {
	list := listSort(t, Int)
	if list != listSort(t, Int) || list == listSort(t, Real) {
		t.Error("the same declaration makes the same sort, another one another")
	}
	l, n := Var("l", list), Var("n", Int)
	scope := Symbols(list)
	scope["l"], scope["n"] = l, n
	m := Model{"l": mustEval(t, Construct(list, 1, IntConst(7), Construct(list, 0))), "n": IntValue(3)}
	unknown := "?"
	for _, c := range []struct{ text, term, value string }{
		{"(cons n l)", "cons(n, l)", "cons(3, cons(7, nil))"},
		{"(as nil List)", "nil", "nil"},
		{"((as cons List) 1 nil)", "cons(1, nil)", "cons(1, nil)"},
		{"(head (cons n l))", "n", "3"},
		{"(tail l)", "tail(l)", "nil"},
		{"(head (tail l))", "head(tail(l))", unknown},
		{"(head nil)", "head(nil)", unknown},
		{"(= (cons 1 l) (cons n nil))", "l == nil && n == 1", "false"},
		{"(= (cons 1 l) nil)", "false", "false"},
		{"(is-cons l)", "is-cons(l)", "true"},
		{"((_ is nil) (tail l))", "is-nil(tail(l))", "true"},
		{"((_ is nil) (cons n l))", "false", "false"},
		{"(or (= n 3) (> (head (tail l)) 0))", "n == 3 || head(tail(l)) >= 1", "true"},
		{"(select ((as const (Array Int List)) l) 5)", "l", "cons(7, nil)"},
		{"(ite (= n 3) l nil)", "n == 3 ? l : nil", "cons(7, nil)"},
	} {
		term := readTerm(t, c.text, scope)
		if got := term.String(); got != c.term {
			t.Errorf("%s is %s, not %s", c.text, got, c.term)
		}
		if again := readTerm(t, term.Format(SMTLIB), scope); again != term {
			t.Errorf("%s is read as %s again", c.text, again)
		}
		switch v, err := Eval(term, m); {
		case c.value == unknown && !errors.Is(err, ErrOtherConstructor):
			t.Errorf("%s: %v, %v", c.text, v, err)
		case c.value != unknown && (err != nil || v.String() != c.value || v.sort.kind == DatatypeKind && mustEval(t, v.Term()).Compare(v) != 0):
			t.Errorf("%s is %v (%v), not %s", c.text, v, err, c.value)
		}
		if by := Substitute(term, map[*Term]*Term{l: m["l"].Term(), n: m["n"].Term()}); c.value != unknown && mustEval(t, by).String() != c.value {
			t.Errorf("%s with values is %s, not %s", c.text, by, c.value)
		}
	}
	if groups := DatatypesOf(FieldOf(Construct(list, 0), 1, 0)); len(groups) != 1 || groups[0].Text() != "(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))" {
		t.Error(groups)
	}
	if Zero(list).String() != "nil" {
		t.Error(Zero(list))
	}
}

func readTerm(t *testing.T, text string, scope Scope) *Term {
	t.Helper()
	nodes, err := sexp.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	term, err := FromSexp(nodes[0], scope)
	if err != nil {
		t.Fatal(err)
	}
	return term
}

func mustEval(t *testing.T, term *Term) Value {
	t.Helper()
	v, err := Eval(term, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestUnfounded: datatypes without finite values are refused, those that are founded on each other are not.
func TestUnfounded(t *testing.T) {
	two := func(base bool) error {
		_, err := DeclareDatatypes([]string{"Even", "Odd"}, func(s []*Sort) ([][]Constructor, error) {
			even := []Constructor{{Name: "after", Fields: []Field{{"odd", s[1]}}}}
			if base {
				even = append(even, Constructor{Name: "zero"})
			}
			return [][]Constructor{even, {{Name: "next", Fields: []Field{{"even", s[0]}, {"more", ArrayOf(Int, s[0])}}}}}, nil
		})
		return err
	}
	if err := two(true); err != nil {
		t.Error(err)
	}
	if err := two(false); !errors.Is(err, ErrUnfounded) {
		t.Error(err)
	}
}
