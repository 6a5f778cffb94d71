package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/aut"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// model is a model file that was read, with the process that is checked.
type model struct {
	file     string
	process  string
	fsp      *fsp.Model // nil for Aldebaran files
	net      *lks.Network
	warnings source.List
}

// modelFiles are the endings of models.
var modelFiles = []string{".lks", ".lts", ".fsp", ".aut"}

// twoModels is the error of a command line with a second model.
func twoModels(c *cli.Context, second string) error {
	first := c.Args().First()
	return &usageError{command: c.Command.Name, text: fmt.Sprintf("one model at a time: %s and %s are two", first, second),
		help: fmt.Sprintf("a command for each; to compare them: seltl equivalent %s %s", first, second)}
}

// loadModel reads the model that the first argument names.
func loadModel(c *cli.Context, s streams) (*model, error) {
	name := c.Args().First()
	if name == "" {
		return nil, usagef(c, "no model: name a .lks, .lts, .fsp or .aut file, or - for standard input")
	}
	if name == "-" && slices.Contains(c.StringSlice("formula-file"), "-") {
		return nil, usagef(c, "model and formulas cannot both come from standard input")
	}
	return loadFile(c, s, name, c.String("process"))
}

// loadFile reads a model file and compiles a process of it, "" for the default.
func loadFile(c *cli.Context, s streams, name, process string) (*model, error) {
	params, err := constants(c)
	if err != nil {
		return nil, err
	}
	src, err := readSource(s, name)
	if err != nil {
		return nil, err
	}
	l, err := limits(c)
	if err != nil {
		return nil, err
	}
	switch filepath.Ext(name) {
	case ".gcl", ".pl", ".armc":
		return nil, &usageError{command: c.Command.Name, text: name + ": this is a system for `seltl reach`, by its name", help: "seltl reach " + name}
	case ".aut":
		return loadAut(src, params)
	}
	file, err := syntax.Parse(src)
	if err != nil {
		return nil, foreignFile(name, err)
	}
	meter := budget.New(c.Context, budget.Limits{Time: l.Time, Memory: l.Memory}, nil)
	compiled, err := fsp.Compile(file, fsp.Options{Params: params, Meter: meter, Import: importer(s, name)})
	if err != nil {
		return nil, err
	}
	m := &model{file: src.Name(), process: process, fsp: compiled}
	if m.process == "" {
		m.process = compiled.DefaultProcess()
	}
	if m.net, err = compiled.Network(m.process); err != nil {
		return nil, err
	}
	m.warnings = compiled.Warnings()
	return m, nil
}

// loadAut reads an Aldebaran file.
func loadAut(src *source.File, params map[string]int) (*model, error) {
	for _, name := range sortedKeys(params) {
		return nil, fmt.Errorf("-D %s: an Aldebaran file has no constants", name)
	}
	base := filepath.Base(src.Name())
	m, err := aut.Parse(src, strings.TrimSuffix(base, filepath.Ext(base)))
	if err != nil {
		return nil, err
	}
	return &model{file: src.Name(), process: m.Name(), net: lks.Single(m)}, nil
}

// importer reads the files of import definitions, relative to the model's folder.
func importer(s streams, model string) func(path string) (*lks.LKS, error) {
	return func(path string) (*lks.LKS, error) {
		if !filepath.IsAbs(path) && model != "-" {
			path = filepath.Join(filepath.Dir(model), path)
		}
		src, err := readBounded(s, path, source.MaxSpace)
		if err != nil {
			return nil, err
		}
		return aut.Parse(src, filepath.Base(path))
	}
}

// questions returns what is to be verified: the formulas of the command line, or
// the declarations of the file.
func (m *model) questions(c *cli.Context, s streams) ([]question, error) {
	opts, err := m.parseOptions()
	if err != nil {
		return nil, err
	}
	formulas, err := readFormulas(c, s, c.Args().Tail(), opts)
	if err != nil {
		return nil, err
	}
	var qs []question
	for _, f := range formulas {
		net, err := m.observed(f.formula)
		if err != nil {
			return nil, err
		}
		qs = append(qs, question{kind: "ltl", text: f.text, formula: f.formula, at: f.at, net: net})
	}
	wanted := c.StringSlice("property")
	if len(qs) == 0 || len(wanted) > 0 {
		declared, err := m.declared(wanted)
		if err != nil {
			return nil, err
		}
		qs = append(qs, declared...)
	}
	if len(qs) == 0 {
		showWarnings(c, s, m.warnings)
		return nil, &inputError{code: "no-property", file: m.file,
			text: fmt.Sprintf("%s: no property of %s to verify: give a formula, or declare one in the file (ltl NAME = formula)", m.file, m.process)}
	}
	return qs, nil
}

func (m *model) parseOptions() (ltl.ParseOptions, error) {
	if m.fsp == nil {
		return ltl.ParseOptions{Vocabulary: product.Vocabulary(m.net)}, nil
	}
	return m.fsp.ParseOptions(m.process)
}

// observed returns the network with the fluents that a formula uses.
func (m *model) observed(f *ltl.Formula) (*lks.Network, error) {
	if m.fsp == nil {
		return m.net, nil
	}
	return m.fsp.Observed(m.process, f)
}

// composition returns the network as LTSA checks it: before its own hiding.
func (m *model) composition() (*lks.Network, error) {
	if m.fsp == nil {
		return m.net, nil
	}
	return m.fsp.Composition(m.process)
}

// declared returns the ltl and assert declarations of the file: those wanted, or
// all.
func (m *model) declared(wanted []string) ([]question, error) {
	if m.fsp == nil {
		if len(wanted) > 0 {
			return nil, fmt.Errorf("%s: an Aldebaran file declares no property %s", m.file, wanted[0])
		}
		return nil, nil
	}
	var properties []*fsp.Property
	var err error
	if len(wanted) == 0 {
		properties, err = m.fsp.Properties(m.process)
	}
	for _, name := range wanted {
		p, e := m.fsp.Property(m.process, name)
		if e != nil {
			return nil, e
		}
		properties = append(properties, p)
	}
	if err != nil {
		return nil, err
	}
	m.warnings = m.fsp.Warnings()
	qs := make([]question, len(properties))
	for i, p := range properties {
		qs[i] = question{kind: p.Kind.String(), name: p.Name, text: oneLine(p.Text), formula: p.Formula, expect: m.expected(p.Expect), at: p.At, net: p.Network}
	}
	return qs, nil
}

// oneLine folds white space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func (m *model) describe() *report.Model {
	r := &report.Model{File: m.file, Process: m.process, Actions: len(m.net.Alphabet()) - 1, Components: []report.Component{}}
	for i, k := range m.net.Components() {
		r.Components = append(r.Components, report.Component{Name: m.net.ComponentName(i), States: k.NumStates(), Transitions: k.NumTransitions()})
	}
	return r
}
