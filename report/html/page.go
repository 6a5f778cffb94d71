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

	"github.com/seltl/seltl/report"
)

// Assets has run.js, which shows runs, report.js, which begins with those of a document, and
// report.css.
//
//go:embed assets
var Assets embed.FS

// Page is what a document shows.
type Page struct {
	Report   *report.Report
	Sources  []Source
	Pictures []Picture
}

// Source is a text that was read. The same name stands in places of it.
type Source struct{ Name, Text string }

// Picture is a drawing in SVG, without scripts and styles: one that has any is left out.
type Picture struct {
	Title string
	SVG   []byte
	// Result is the number, from 0, of the result that it belongs to; -1: to the model.
	Result int
}

// cut says that steps are left out of a run.
type cut struct {
	Result int    `json:"result"`
	Part   string `json:"part"`  // "stem" or "loop"
	After  int    `json:"after"` // so many steps of it
	Steps  int    `json:"steps"`
}

// Of a stem or a loop of more than mostSteps steps, the first ones and lastSteps are in a
// document.
const (
	mostSteps = 2000
	lastSteps = 500
)

// document is what the template is given.
type document struct {
	Report         *report.Report
	Title          string
	Policy         string
	Style          template.CSS
	Script         template.JS
	Data           template.JS
	Results        []result
	Sources        []sourceView
	Pictures       []pictureView // of the model
	ScriptDisabled string
}

// Write writes the document. The error is the writer's.
func (p *Page) Write(w io.Writer) error {
	style, script := asset("report.css"), asset("run.js")+asset("report.js")
	shown, cuts := shortened(p.Report)
	data, err := json.Marshal(map[string]any{"report": shown, "cuts": cuts}) // <, > and & are escaped
	if err != nil {
		return err
	}
	d := &document{Report: p.Report, Title: title(p.Report),
		Policy: fmt.Sprintf("default-src 'none'; script-src 'sha256-%s'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'", hash(script), hash(style)),
		Style:  template.CSS(style), Script: template.JS(script), Data: template.JS(data)}
	for i := range p.Report.Results {
		d.Results = append(d.Results, p.result(i))
	}
	for i, s := range p.Sources {
		d.Sources = append(d.Sources, highlighted(i, s))
	}
	d.Pictures = p.pictures(-1)
	var out bytes.Buffer
	if err := page.Execute(&out, d); err != nil {
		return err
	}
	_, err = w.Write(out.Bytes())
	return err
}

// page is parsed when the program starts only if it is used.
var page = lazyTemplate{}

type lazyTemplate struct{ t *template.Template }

func (l *lazyTemplate) Execute(w io.Writer, d *document) error {
	if l.t == nil {
		t, err := template.New("page").Parse(asset("page.html"))
		if err != nil {
			return err
		}
		l.t = t
	}
	return l.t.Execute(w, d)
}
