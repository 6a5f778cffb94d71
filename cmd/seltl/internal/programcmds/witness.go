package programcmds

import (
	"io"
	"os"
	"strconv"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/svcomp"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
)

// sources reads the sources once more, as text.
func (a *askedC) sources() (all []*source.File, err error) {
	for _, name := range a.files {
		src, err := check.ReadSource(name, a.s.Open)
		if err != nil {
			return nil, err
		}
		all = append(all, src)
	}
	return all, nil
}

// open reads a file that a source includes.
func (a *askedC) open(name string) (*source.File, error) { return check.ReadSource(name, a.s.Open) }

// validate decides whether what --witness names is one.
func (a *askedC) validate() error {
	c := a.c
	for _, flag := range append([]string{"check"}, single...) {
		if c.IsSet(flag) {
			return cmdline.Usagef(c, "%s is not for validating a witness, which says what it is about", cmdline.SpelledFlag(flag))
		}
	}
	name := c.String("witness")
	w, err := programs.LoadWitness(name, a.s.Open)
	if err != nil {
		return err
	}
	if p, err := propertyOf(c, a.s, a.chosen); err != nil {
		return err
	} else if p != nil && !p.Same(w.Meta.Property) {
		return cmdline.Usagef(c, "the witness is about another property: %s, not %s", source.Shown(w.Meta.Specification), p)
	}
	model, _ := programs.ModelNamed(w.Meta.Model)
	if given := a.chosen.One("data-model"); given != "" && given != model.String() {
		return cmdline.Usagef(c, "--data-model=%s: the witness is about %s", given, w.Meta.Model)
	}
	if entry := a.chosen.One("entry"); entry != "" && entry != w.Meta.Property.Entry {
		return cmdline.Usagef(c, "--entry %s: the witness is about runs that begin in %s()", entry, w.Meta.Property.Entry)
	}
	v := &programs.WitnessC{Name: name, Witness: w, Calls: a.calls, Engine: a.engine, Integers: a.integers, Without: a.without, Clauses: clp.Options{Method: a.method}}
	if v.Clauses.Rounds, err = maxRounds(c); err != nil {
		return err
	}
	v.Options, err = a.reading(model, w.Meta.Property.Entry)
	if err != nil {
		return err
	}
	if v.Sources, err = a.sources(); err != nil {
		return err
	}
	r, err := programs.ValidateC(c.Context, v, a.opts)
	a.done()
	if budget.Stopped(err) {
		r, err = check.NotLoaded(c.Command.Name, err, a.opts), nil
	}
	if err != nil {
		return err
	}
	return finishC(c, a.s, r, nil)
}

// reading says how the sources are read.
func (a *askedC) reading(model ir.DataModel, entry string) (cfront.Options, error) {
	o := cfront.Options{Model: model, Context: a.c.Context, Defines: a.chosen["D"], Include: a.c.StringSlice("I"), Entry: entry, System: programs.SystemHeaders(model)}
	o.Open = a.open
	return o, Surroundings(a.c, a.chosen, &o)
}

// writeWitness writes what --write-witness asks for.
func (a *askedC) writeWitness(r *report.Report, found *foundC, asked *svcomp.Property) error {
	name := a.c.String("write-witness")
	if name == "" || r == nil || len(r.Results) != 1 {
		return nil
	}
	warn := func(text string) {
		r.Messages = append(r.Messages, report.Message{Severity: "warning", Code: "c-witness", Text: "--write-witness: " + text})
	}
	if r.Results[0].Verdict == report.Unknown {
		warn("none is written, since there is no verdict")
		return nil
	}
	if r.Results[0].Verdict == report.Holds && a.integers == safety.MathIntegers {
		warn("none is written, since the proof is not one for machine words")
		return nil
	}
	if asked == nil && a.chosen.One("check") != "" {
		warn("none is written, since witnesses are about properties of the competition: ask one (--property)")
		return nil
	}
	files, err := a.sources()
	if err != nil {
		return err
	}
	o, err := a.reading(found.enc.Program.Model, found.enc.Entry.Name)
	if err != nil {
		return err
	}
	w, err := programs.Witness(found.enc, found.invariant, found.run, files, o, asked)
	if err != nil {
		return err
	}
	w.Meta.Producer, w.Meta.Version, w.Meta.Created = "seltl", cmdline.VersionText(), created().Format(time.RFC3339)
	if w.LeftOut != "" {
		warn("left out: " + w.LeftOut)
	}
	return cmdline.WriteFile(name, func(out io.Writer) error { return w.Write(out) })
}

// created is when a witness is written: now, or what SOURCE_DATE_EPOCH says, so that builds can be repeated.
func created() time.Time {
	if seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(seconds, 0).UTC()
	}
	return time.Now()
}
