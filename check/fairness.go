package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// Fairness says which runs count. What the model declares (fair strong {a}) is assumed
// beside what is asked for, unless it is set aside.
type Fairness uint8

const (
	// AutoFair is fair choice for assert, as in LTSA, and what the model declares for ltl.
	AutoFair Fairness = iota
	// EveryRun sets aside what the model declares, too.
	EveryRun
	// FairDeclared assumes nothing but what the model declares.
	FairDeclared
	// FairProcesses, and those after it, are those of package product.
	FairProcesses
	FairActions
	StrongFairActions
	FairTransitions
	// FairChoice is LTSA's (fairchoice.Verify): stronger than the fairness of
	// transitions, since it is about sequences of them.
	FairChoice
)

var fairnesses = names.Of[Fairness]("fairness", "auto", "none", "declared", "process", "action", "strong-action", "transition", "choice")

func (f Fairness) String() string                   { return fairnesses.String(f) }
func (f Fairness) MarshalText() ([]byte, error)     { return fairnesses.Marshal(f) }
func (f *Fairness) UnmarshalText(text []byte) error { return fairnesses.Unmarshal(text, f) }

// Names lists the texts of all values.
func (Fairness) Names() []string { return fairnesses.List() }

var EngineFairness = map[Fairness]product.Fairness{
	FairDeclared: product.NoFairness, FairProcesses: product.ProcessFairness, FairActions: product.ActionFairness,
	StrongFairActions: product.StrongActionFairness, FairTransitions: product.ChoiceFairness,
}

var fairTexts = map[product.Fairness]string{
	product.ProcessFairness:      "weak fairness of processes: one of {%s} that always can move moves again and again (--fair=process)",
	product.ActionFairness:       "weak fairness of actions: one of {%s} that is always possible occurs again and again (--fair=action)",
	product.StrongActionFairness: "strong fairness of actions: one of {%s} that is possible again and again occurs again and again (--fair=strong-action)",
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

// runs says which runs count for a question.
func (q *Question) runs(asked Fairness) fairRuns {
	if asked == AutoFair {
		asked = FairDeclared
		if q.Kind == "assert" {
			asked = FairChoice
		}
	}
	switch asked {
	case EveryRun:
		return fairRuns{aside: q.declares}
	case FairChoice:
		return fairRuns{choice: true}
	}
	return fairRuns{kind: EngineFairness[asked], sets: q.fair}
}

// FairText says what is assumed, of which processes or actions.
func FairText(kind product.Fairness, of []string) string {
	if kind == product.ChoiceFairness {
		return fairTexts[kind]
	}
	return fmt.Sprintf(fairTexts[kind], strings.Join(report.Listed(of), ", "))
}

// subjects are what fairness is assumed of: the processes of a network, or its actions.
func subjects(kind product.Fairness, net *lks.Network) (all []string) {
	if kind != product.ProcessFairness {
		occurs := make([]bool, len(net.Alphabet()))
		for _, r := range net.Rules() {
			occurs[r.Action] = true
		}
		for a, name := range net.Alphabet() {
			if occurs[a] {
				all = append(all, name)
			}
		}
		slices.Sort(all)
		return all
	}
	return net.Processes().Names
}

// assumptions says with the verdict which runs of a network count.
func (f fairRuns) assumptions(net *lks.Network) []string {
	var all []string
	if len(f.sets) > 0 {
		all = append(all, "the fairness that the model declares (--fair=declared): "+setsText(f.sets))
	}
	if f.kind != product.NoFairness {
		all = append(all, FairText(f.kind, subjects(f.kind, net)))
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
	c.Fairness = whyFair(net, res.Lasso, res.Fair)
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
func (s *session) requireFairness(questions []Question) error {
	if s.m.FSP == nil {
		return nil
	}
	for i := range questions {
		q := &questions[i]
		declared, err := s.m.FSP.Fairness(s.m.Process, q.net)
		if err != nil && (s.asked.Fair != EveryRun || Limited(err)) {
			return err
		}
		q.declares = err != nil || len(declared) > 0
		q.fair = fairSets(declared)
	}

	return nil
}
