package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// Values of --fair that product.Fairness does not have.
const (
	// fairnessDefault stands for "as the kind of property has it".
	fairnessDefault product.Fairness = -1 - iota
	// ltsaChoice is fair choice as LTSA has it (fairchoice.Verify): stronger
	// than the fairness of transitions, since it is about sequences of them.
	ltsaChoice
	// everyRun sets aside what the model declares, too.
	everyRun
)

var fairnessNames = map[string]product.Fairness{
	"":              fairnessDefault,
	"none":          everyRun,
	"declared":      product.NoFairness,
	"process":       product.ProcessFairness,
	"action":        product.ActionFairness,
	"strong-action": product.StrongActionFairness,
	"transition":    product.ChoiceFairness,
	"choice":        ltsaChoice,
}

var fairTexts = map[product.Fairness]string{
	product.ProcessFairness:      "weak fairness of processes: a process that always can move moves again and again (--fair=process)",
	product.ActionFairness:       "weak fairness of actions: an action that is always possible occurs again and again (--fair=action)",
	product.StrongActionFairness: "strong fairness of actions: an action that is possible again and again occurs again and again (--fair=strong-action)",
	product.ChoiceFairness:       "strong fairness of transitions: one whose source is visited again and again is taken again and again (--fair=transition)",
}

const choiceText = "fair choice: whatever is possible again and again happens again and again (--fair=choice)"

// fairRuns says which runs count for one question.
type fairRuns struct {
	kind   product.Fairness
	choice bool              // LTSA's fair choice, which implies all others
	sets   []product.FairSet // what the model declares, if it applies
	aside  bool              // what the model declares does not apply
}

// fairness reads the value of --fair for a question: what the model declares is
// assumed beside what is asked for.
func (q *question) fairness(asked product.Fairness) fairRuns {
	if asked == fairnessDefault {
		asked = product.NoFairness
		if q.kind == "assert" {
			asked = ltsaChoice
		}
	}
	switch asked {
	case everyRun:
		return fairRuns{aside: q.declares}
	case ltsaChoice:
		return fairRuns{choice: true}
	}
	return fairRuns{kind: asked, sets: q.fair}
}

// assumptions says with the verdict which runs count.
func (f fairRuns) assumptions() []string {
	var all []string
	if len(f.sets) > 0 {
		all = append(all, "the fairness that the model declares (--fair=declared): "+setsText(f.sets))
	}
	if f.kind != product.NoFairness {
		all = append(all, fairTexts[f.kind])
	}
	if f.choice {
		all = append(all, choiceText)
	}
	if f.aside {
		all = append(all, "nothing of the fairness that the model declares (--fair=none)")
	}
	return all
}

// setsText lists requirements, the first few of them.
func setsText(sets []product.FairSet) string {
	const most = 6
	var parts []string
	for i, s := range sets {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(sets)-most))
			break
		}
		if len(s.Actions) > most {
			s.Actions = append(slices.Clone(s.Actions[:most]), fmt.Sprintf("%d more", len(s.Actions)-most))
		}
		parts = append(parts, s.String())
	}
	return strings.Join(parts, ", ")
}

// explain says beside a counterexample why it is one of the runs that count.
func (f fairRuns) explain(c *report.Counterexample, net *lks.Network, res *product.Result) {
	c.Fairness = report.Fairness(net, res.Lasso, res.Fair)
	if f.choice && !res.Lasso.Stutters() {
		c.Note = "a random walk violates the property with positive probability; this is one way"
		if res.Certain {
			c.Note = fmt.Sprintf("after the run to state %d, a random walk violates the property with probability 1; the loop is one way to go on", len(res.Lasso.Stem))
		}
	}
}

func fairSets(declared []fsp.Fairness) []product.FairSet {
	var sets []product.FairSet
	for _, d := range declared {
		sets = append(sets, product.FairSet{Actions: d.Actions, Strong: d.Strong})
	}
	return sets
}

// requireFairness gives every question the requirements that the model declares,
// as they apply to its network. They must make sense even where fair choice implies
// them, but not where they are set aside.
func (a *analysis) requireFairness(questions []question) error {
	if a.m.fsp == nil {
		return nil
	}
	for i := range questions {
		q := &questions[i]
		declared, err := a.m.fsp.Fairness(a.m.process, q.net)
		if err != nil && (a.opts.Fairness != everyRun || isLimit(err)) {
			return err
		}
		q.declares = err != nil || len(declared) > 0
		q.fair = fairSets(declared)
	}
	a.m.warnings = a.m.fsp.Warnings()
	return nil
}
