// Package html writes what a run of seltl has found as one file for a browser: question,
// verdict, what it rests on, the texts that were read, pictures, and runs that can be stepped
// through.
//
// The file needs nothing beside itself, and without its script, or on paper, everything in it
// is visible. No text of a model becomes markup: html/template writes it, and what the script
// reads is JSON. A content security policy allows that script and style, by their hashes, and
// nothing else.
//
// Script and style are files of their own (Assets), which other pages can use: run.js shows a
// run in an element, from the JSON form of a counterexample.
package html

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/report"
)

// Assets has run.js, which shows runs, report.js, which begins with those of a document, and
// report.css.
//
//go:embed assets
var Assets embed.FS

// Page is what a document shows.
type Page struct {
	Report  *report.Report // with pictures; what is no plain drawing in them, such as a link, is not shown
	Summary *Made          // stands before the results; nil: nothing
	Made    []Made
	Sources []Source
	Subject string // behind the command in the title, "": as Report, Made and Sources say
}

// Source is a text that was read, by the name that places in it have.
type Source struct{ Name, Text string }

// Empty reports whether the page would show nothing but what was wrong with the input.
func (p *Page) Empty() bool {
	r := p.Report
	return r.Exit == report.ExitInput && len(r.Results) == 0 && len(p.Made) == 0 && p.Summary == nil && r.Cross == nil && (r.Formulas == nil || len(r.Formulas.List) == 0)
}

// path is the way of a counterexample through a picture.
type path struct {
	Picture int   `json:"picture"`
	Result  int   `json:"result"`
	States  []int `json:"states"`
}

// paths are those of runs that are whole in the document.
func (p *Page) paths(cuts []cut) []path {
	all := []path{}
	for k, picture := range p.Report.Pictures {
		for _, i := range slices.Sorted(maps.Keys(picture.Paths)) {
			if !slices.ContainsFunc(cuts, func(c cut) bool { return c.Result == i }) {
				all = append(all, path{k, i, picture.Paths[i]})
			}
		}
	}
	return all
}

// document is what the template is given.
type document struct {
	Report  *report.Report
	Title   string
	Policy  string
	Style   template.CSS
	Script  template.JS
	Data    template.JS
	Results []*result
	Summary *made
	// Components are those of the model whose states are counted, which those of programs are not.
	Components []report.Component
	Made       []*made
	Sources    []*text
	Pictures   []picture // of the model
}

// Write writes the document. The error is the writer's, or of a report that is no JSON.
func (p *Page) Write(w io.Writer) error {
	style, script := asset("report.css")+diagram.StyleSheet, asset("run.js")+asset("report.js")
	shown, cuts := shortened(p.Report)
	data, err := json.Marshal(map[string]any{"report": shown, "cuts": cuts, "paths": p.paths(cuts)}) // with <, > and & escaped
	if err != nil {
		return err
	}
	d := &document{Report: p.Report, Title: p.title(), Style: template.CSS(style), Script: template.JS(script), Data: template.JS(data)}
	d.Policy = fmt.Sprintf("default-src 'none'; script-src 'sha256-%s'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'", hash(script), hash(style))
	for i := range p.Report.Results {
		d.Results = append(d.Results, p.result(i))
	}
	summary, made := p.listed()
	if summary != nil {
		d.Summary = summary.shown(len(made))
	}
	for i := range made {
		d.Made = append(d.Made, made[i].shown(i))
	}
	for i := range p.Sources {
		d.Sources = append(d.Sources, highlighted(i, &p.Sources[i]))
	}
	if m := p.Report.Model; m != nil {
		for _, c := range m.Components {
			if c.States > 0 {
				d.Components = append(d.Components, c)
			}
		}
	}
	d.Pictures = p.pictures(-1)
	t, err := parsed()
	if err != nil {
		return err
	}
	var out bytes.Buffer // so that nothing is written of what cannot be finished
	if err := t.Execute(&out, d); err != nil {
		return err
	}
	_, err = out.WriteTo(w)
	return err
}

// parsed is the template, parsed when it is first used.
var parsed = sync.OnceValues(func() (*template.Template, error) {
	return template.New("page").Funcs(template.FuncMap{"breakable": breakable}).Parse(asset("page.html"))
})

func asset(name string) string {
	text, err := Assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is in the program
	}
	return string(text)
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Of a stem or a loop of more than mostSteps steps, the first ones and the last lastSteps are
// in a document.
const (
	mostSteps = 2000
	lastSteps = 500
)

// cut says that steps are left out of a run.
type cut struct {
	Result int    `json:"result"`
	Part   string `json:"part"`  // "stem" or "loop"
	After  int    `json:"after"` // so many steps of it
	Steps  int    `json:"steps"`
}

// shortened is a report without most steps of very long runs, and what is left out.
func shortened(r *report.Report) (*report.Report, []cut) {
	short, cuts := *r, []cut{}
	short.Schema = report.Schema
	short.Results = append([]report.Result{}, r.Results...)
	for i := range short.Results {
		whole := short.Results[i].Counterexample
		if whole == nil || len(whole.Stem) <= mostSteps && len(whole.Loop) <= mostSteps {
			continue
		}
		c := *whole
		for _, part := range []struct {
			name  string
			steps *[]report.Step
		}{{"stem", &c.Stem}, {"loop", &c.Loop}} {
			if all := *part.steps; len(all) > mostSteps {
				first := mostSteps - lastSteps
				*part.steps = append(all[:first:first], all[len(all)-lastSteps:]...)
				cuts = append(cuts, cut{Result: i, Part: part.name, After: first, Steps: len(all) - mostSteps})
			}
		}
		short.Results[i].Counterexample = &c
	}
	return &short, cuts
}
