package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seltl/seltl/bench/internal/decide"
	"github.com/seltl/seltl/internal/testing/gcc"
)

// reading are the options that say how a task is read.
func (b *bench) reading() []string {
	if b.model == "" {
		return nil
	}
	return []string{"--data-model=" + b.model}
}

// decide asks everybody about one task, and checks what seltl shows for its verdict.
func (b *bench) decide(t task) row {
	r := row{Task: t.Name, Answers: map[string]decide.Answer{}, expect: t.expect}
	harness, certificate, clauses := filepath.Join(b.Dir, "harness.c"), filepath.Join(b.Dir, "certificate"), filepath.Join(b.Dir, "clauses.smt2")
	for _, c := range b.columns {
		for _, f := range []string{harness, certificate, clauses} {
			os.Remove(f)
		}
		if c.name == "spacer" {
			r.Answers[c.name] = b.spacer(t, clauses)
			continue
		}
		options := append(append([]string{"--harness=" + harness, "--certificate=" + certificate}, b.reading()...), c.options...)
		a := b.Limits.Seltl(b.Seltl, t.path, options...)
		r.Answers[c.name] = a
		b.shout(r, c.name, a)
		switch {
		case a.Verdict == "unsafe" && r.Harness == "":
			if r.Harness = b.tryHarness(harness); r.Harness != "fails" {
				fmt.Fprintf(b.complain, "HARNESS: %s (%s): %s\n", t.Name, c.name, r.Harness)
			}
		case a.Verdict == "safe" && c.name != "math" && r.Checked == "":
			if r.Checked = b.tryCertificate(t, certificate); r.Checked != "accepted" {
				fmt.Fprintf(b.complain, "CERTIFICATE: %s (%s): %s\n", t.Name, c.name, r.Checked)
			}
		}
	}
	return r
}

// shout tells of a wrong verdict at once.
func (b *bench) shout(r row, column string, a decide.Answer) {
	if a.Solved() && r.expect != "" && a.Verdict != r.expect {
		fmt.Fprintf(b.complain, "WRONG: %s: %s says %s, not %s\n", r.Task, column, a.Verdict, r.expect)
	}
}

// spacer asks Z3 about the clauses that seltl exports. That they have no solution may
// also mean that a run leaves what is modelled.
func (b *bench) spacer(t task, clauses string) decide.Answer {
	a, out := b.Limits.Run(b.Seltl, append([]string{"program", t.path, "--chc=" + clauses}, b.reading()...)...)
	if _, err := os.Stat(clauses); err != nil {
		a.Verdict, a.Why = "refused", lastLine(out)
		return a
	}
	return b.Limits.Spacer(b.Z3, clauses, false)
}

func lastLine(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return lines[len(lines)-1]
}

// tryHarness compiles and runs a harness.
func (b *bench) tryHarness(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return "there is none"
	}
	bits := 32
	if strings.Contains(string(text), "gcc -m64") {
		bits = 64
	}
	exe, err := gcc.Build(b.Dir, string(text), bits)
	if errors.Is(err, gcc.ErrMissing) {
		return err.Error()
	}
	if err != nil {
		return "gcc refuses it"
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	status, _, said, err := gcc.Run(ctx, exe)
	if err != nil || status != 1 {
		return fmt.Sprintf("it ends with status %d, %s", status, strings.ReplaceAll(strings.TrimSpace(said), "\n", "; "))
	}
	return "fails"
}

// tryCertificate has a certificate checked.
func (b *bench) tryCertificate(t task, file string) string {
	if _, err := os.Stat(file); err != nil {
		return "there is none"
	}
	a, out := b.Limits.Run(b.Seltl, append([]string{"check-certificate", t.path, file}, b.reading()...)...)
	if strings.HasPrefix(out, "HOLDS") || strings.Contains(out, "\nHOLDS") {
		return "accepted"
	}
	if a.Wall >= b.Limits.Wall() {
		return "no answer in time"
	}
	return "refused: " + lastLine(out)
}
