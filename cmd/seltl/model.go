package main

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/internal/budget"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
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

// loadModel reads the model that the first argument names.
func loadModel(c *cli.Context, s streams) (*model, error) {
	name := c.Args().First()
	if name == "" {
		return nil, usagef(c, "no model: name a .lks, .lts, .fsp or .aut file, or - for standard input")
	}
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
	file, err := fsp.Parse(src)
	if err != nil {
		return nil, err
	}
	meter := budget.New(c.Context, budget.Limits{Time: l.Time, Memory: l.Memory}, nil)
	compiled, err := fsp.Compile(file, fsp.Options{Params: params, Meter: meter})
	if err != nil {
		return nil, err
	}
	m := &model{file: src.Name(), process: c.String("process"), fsp: compiled}
	if m.process == "" {
		m.process = compiled.DefaultProcess()
	}
	if m.net, err = compiled.Network(m.process); err != nil {
		return nil, err
	}
	m.warnings = compiled.Warnings()
	return m, nil
}

func (m *model) vocabulary() ltl.Vocabulary { return product.Vocabulary(m.net) }

// questions returns what is to be verified: the formulas of the command line, or
// the declarations of the file.
func (m *model) questions(c *cli.Context, s streams) ([]question, error) {
	formulas, err := readFormulas(c, s, c.Args().Tail(), ltl.ParseOptions{Vocabulary: m.vocabulary()})
	if err != nil {
		return nil, err
	}
	var qs []question
	for _, f := range formulas {
		qs = append(qs, question{kind: "ltl", text: f.text, formula: f.formula, net: m.net})
	}
	if len(qs) == 0 {
		return nil, fmt.Errorf("%s: no property to verify: give a formula, or declare one in the file (`ltl NAME = G ...`)", filepath.Base(m.file))
	}
	return qs, nil
}

func (m *model) describe() *report.Model {
	r := &report.Model{File: m.file, Process: m.process, Actions: len(m.net.Alphabet()) - 1, Components: []report.Component{}}
	for i, k := range m.net.Components() {
		r.Components = append(r.Components, report.Component{Name: m.net.ComponentName(i), States: k.NumStates(), Transitions: k.NumTransitions()})
	}
	return r
}
