package semantics

// Formula is a formula of SE-LTL, or of LTSA's logic for an assert.
type Formula struct {
	// Op is one of: true false, prop event fluent deadlock enabled (atoms),
	// ! & | -> <-> xor, X F G U W R M.
	Op   string
	Args []*Formula
	// Names is one name for prop, fluent and enabled ("tau" is the silent
	// event), and one or more for event: one of these.
	Names []string
}

func op(name string, args ...*Formula) *Formula { return &Formula{Op: name, Args: args} }

func atom(kind string, names ...string) *Formula { return &Formula{Op: kind, Names: names} }

// LTL is the text of the formula behind `ltl NAME =`.
func (f *Formula) LTL() string {
	switch f.Op {
	case "true", "false", "deadlock":
		return f.Op
	case "fluent":
		return f.Names[0]
	case "prop":
		return "S." + f.Names[0]
	case "enabled":
		return "enabled(" + f.Names[0] + ")"
	case "event":
		if len(f.Names) > 1 {
			return set(f.Names)
		}
		if f.Names[0] == "tau" {
			return "tau"
		}
		return "E." + f.Names[0]
	case "!", "X", "F", "G":
		return f.Op + "(" + f.Args[0].LTL() + ")"
	}
	return "((" + f.Args[0].LTL() + ") " + f.Op + " (" + f.Args[1].LTL() + "))"
}

var assertOps = map[string]string{"F": "<>", "G": "[]", "&": "&&", "|": "||"}

// Assert is the text of the formula behind `assert NAME =`.
func (f *Formula) Assert() string {
	op := f.Op
	if s, ok := assertOps[op]; ok {
		op = s
	}
	switch f.Op {
	case "true":
		return "rigid 1"
	case "false":
		return "rigid 0"
	case "fluent":
		return f.Names[0]
	case "event":
		if len(f.Names) == 1 {
			return f.Names[0]
		}
		return set(f.Names)
	case "!", "X", "F", "G":
		return op + "(" + f.Args[0].Assert() + ")"
	}
	return "((" + f.Args[0].Assert() + ") " + op + " (" + f.Args[1].Assert() + "))"
}

// Atoms calls visit for every atom.
func (f *Formula) Atoms(visit func(*Formula)) {
	if len(f.Args) == 0 {
		visit(f)
	}
	for _, a := range f.Args {
		a.Atoms(visit)
	}
}

// core writes a formula with X, U, !, & and | alone, by the definitions of
// docs/formulas.md.
func core(f *Formula) *Formula {
	var a []*Formula
	for _, g := range f.Args {
		a = append(a, core(g))
	}
	not := func(g *Formula) *Formula { return op("!", g) }
	switch f.Op {
	case "->": // "f is false or g is true"
		return op("|", not(a[0]), a[1])
	case "<->": // "both are true or both false"
		return op("|", op("&", a[0], a[1]), op("&", not(a[0]), not(a[1])))
	case "xor": // "exactly one is true"
		return op("|", op("&", a[0], not(a[1])), op("&", not(a[0]), a[1]))
	case "F": // "f is true now or some time later"
		return op("U", op("true"), a[0])
	case "G": // "f is true now and at all times later"
		return not(op("U", op("true"), not(a[0])))
	case "W": // "f is true until g comes, or for ever": no g-less way to a position without f and g
		return not(op("U", not(a[1]), op("&", not(a[0]), not(a[1]))))
	case "R": // "g is true up to and including the first f, or for ever"
		return not(op("U", not(a[0]), not(a[1])))
	case "M": // "g is true up to and including the first f, and f comes"
		return op("U", a[1], op("&", a[0], a[1]))
	}
	return &Formula{Op: f.Op, Args: a, Names: f.Names}
}
