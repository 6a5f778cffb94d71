package syntax

// Kind is what a name of a model file stands for.
type Kind uint8

const (
	Constant Kind = iota + 1
	Range
	Set
	Process
	Composite
	Progress
	Menu
	Import
	Fluent
	Assert
	LTL
	// These are names of a part of the file only.
	Local     // a local process of a process
	Parameter // of a process, composite or assertion
	Variable  // an index variable
)

var kindNames = [...]string{
	Constant: "constant", Range: "range", Set: "set", Process: "process", Composite: "composite",
	Progress: "progress property", Menu: "menu", Import: "imported process", Fluent: "fluent",
	Assert: "assertion", LTL: "property", Local: "local process", Parameter: "parameter", Variable: "index variable",
}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}

// KindOf returns what the name of a definition stands for, 0 for those without one.
func KindOf(d Definition) Kind {
	switch d.(type) {
	case *ConstDef:
		return Constant
	case *RangeDef:
		return Range
	case *SetDef:
		return Set
	case *ProcessDef:
		return Process
	case *CompositeDef:
		return Composite
	case *ProgressDef:
		return Progress
	case *MenuDef:
		return Menu
	case *ImportDef:
		return Import
	case *FluentDef:
		return Fluent
	case *AssertDef:
		return Assert
	case *LTLDef:
		return LTL
	}
	return 0
}

// ParamsOf returns the parameters of a definition.
func ParamsOf(d Definition) []Param {
	switch d := d.(type) {
	case *ProcessDef:
		return d.Params
	case *CompositeDef:
		return d.Params
	case *AssertDef:
		return d.Params
	}
	return nil
}
