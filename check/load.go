package check

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/aut"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// Model is a model file that was read, with the process that is checked.
type Model struct {
	File    string
	Process string
	FSP     *fsp.Model   // nil for Aldebaran files
	Net     *lks.Network // the process as others see it
}

// LoadOptions say what to load of a file, and where from. The zero value is good.
type LoadOptions struct {
	Process string         // "": the default process of the file
	Params  map[string]int // values of constants and parameters, by name
	Open    Open           // of the model and of what it imports; nil: OpenFile
	// Limits of compiling: memory and time.
	Limits budget.Limits
}

// ModelFiles are the endings of models.
var ModelFiles = source.Endings(source.Processes, source.Transitions)

// OtherKind says that a file is, by its name, a model where a system is needed, or the
// other way round.
type OtherKind struct {
	File   string
	System bool   // it is a system, or a query
	Needed string // of a model: the endings of what is needed
}

func (e *OtherKind) Error() string {
	if e.System {
		return e.File + ": this is a system of guarded commands or clauses, by its name; a model of processes is needed"
	}
	return e.File + ": this is a model of processes, by its name; a " + e.Needed + " file is needed"
}

// Load reads a model file and compiles a process of it. The error is diagnostics about
// the text, an *InputError, an *OtherKind, or that of a limit or of the context (Limited).
func Load(ctx context.Context, name string, opts LoadOptions) (*Model, error) {
	src, err := ReadSource(name, opts.Open)
	if err != nil {
		return nil, err
	}
	switch kind := source.KindOf(name); {
	case kind.System() || kind.Query():
		return nil, &OtherKind{File: name, System: true}
	case kind == source.Transitions:
		return loadAut(src, opts.Params)
	}
	file, err := syntax.Parse(src)
	if err != nil {
		return nil, ForeignFile(name, err)
	}
	meter := budget.New(ctx, budget.Limits{Time: opts.Limits.Time, Memory: opts.Limits.Memory}, nil)
	compiled, err := fsp.Compile(file, fsp.Options{Params: opts.Params, Meter: meter, Import: importer(name, opts.Open)})
	if err != nil {
		return nil, err
	}
	m := &Model{File: src.Name(), Process: opts.Process, FSP: compiled}
	if m.Process == "" {
		m.Process = compiled.DefaultProcess()
	}
	m.Net, err = compiled.Network(m.Process)
	return m, err
}

// loadAut reads an Aldebaran file.
func loadAut(src *source.File, params map[string]int) (*Model, error) {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		return nil, fmt.Errorf("-D %s: an Aldebaran file has no constants", name)
	}
	base := filepath.Base(src.Name())
	m, err := aut.Parse(src, strings.TrimSuffix(base, filepath.Ext(base)))
	if err != nil {
		return nil, err
	}
	return &Model{File: src.Name(), Process: m.Name(), Net: lks.Single(m)}, nil
}

// importer reads the files of import definitions, relative to the model's folder.
func importer(model string, open Open) func(path string) (*lks.LKS, error) {
	return func(path string) (*lks.LKS, error) {
		if !filepath.IsAbs(path) && model != "-" {
			path = filepath.Join(filepath.Dir(model), path)
		}
		src, err := readBounded(path, open, source.MaxSpace)
		if err != nil {
			return nil, err
		}
		return aut.Parse(src, filepath.Base(path))
	}
}

// ParseOptions are those of formulas about the model.
func (m *Model) ParseOptions() (ltl.ParseOptions, error) {
	if m.FSP == nil {
		return ltl.ParseOptions{Vocabulary: product.Vocabulary(m.Net)}, nil
	}
	return m.FSP.ParseOptions(m.Process)
}

// Warnings are those about the model so far: questions can add to them.
func (m *Model) Warnings() source.List {
	if m.FSP == nil {
		return nil
	}
	return m.FSP.Warnings()
}

// observed returns the network with the fluents that a formula uses.
func (m *Model) observed(f *ltl.Formula) (*lks.Network, error) {
	if m.FSP == nil {
		return m.Net, nil
	}
	return m.FSP.Observed(m.Process, f)
}

// Watched is Composition with all fluents of the file as propositions, whose names it
// returns, sorted.
func (m *Model) Watched() (*lks.Network, []string, error) {
	if m.FSP == nil {
		return m.Net, nil, nil
	}
	fluents, err := m.FSP.Fluents()
	if err != nil {
		return nil, nil, err
	}
	atoms := lists.Map(fluents, func(name string) *ltl.Formula { return ltl.AtomOf(ltl.Atom{Kind: ltl.Prop, Name: name}) })
	net, err := m.FSP.Observed(m.Process, atoms...)
	return net, fluents, err
}

// Composition is the network that deadlock, safety and progress are asked of, as LTSA has
// it: before its own hiding.
func (m *Model) Composition() (*lks.Network, error) {
	if m.FSP == nil {
		return m.Net, nil
	}
	return m.FSP.Composition(m.Process)
}

// Describe says what the model is.
func (m *Model) Describe() *report.Model {
	r := &report.Model{File: m.File, Process: m.Process, Actions: len(m.Net.Alphabet()) - 1, Components: []report.Component{}}
	for i, k := range m.Net.Components() {
		r.Components = append(r.Components, report.Component{Name: m.Net.ComponentName(i), States: k.NumStates(), Transitions: k.NumTransitions()})
	}
	return r
}
