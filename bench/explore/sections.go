package main

import (
	"fmt"
	"slices"
)

// searchSection explores all models completely.
func (b *bench) searchSection() error {
	chosen, err := choose(instances, b.only)
	if err != nil {
		return err
	}
	fmt.Print("\n## Complete explorations\n\n")
	printHeader("model")
	for _, i := range chosen {
		if err := b.searchContest(i); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) searchContest(i instance) error {
	c, err := b.contest(i, "")
	if err != nil {
		return err
	}
	defer c.close()
	c.ours("seltl numbered", job{Store: "numbered"})
	c.ours("seltl exact", job{Store: "exact"})
	c.ours("seltl compact", job{Store: "compact"})
	c.ours("seltl exact, 2 workers", job{Store: "exact", Workers: 2})
	c.spinRow(spinWay{flat: true, bfs: true, all: true})
	c.spinRow(spinWay{flat: true, all: true})
	if p, err := newPromela(c.net, false); err == nil && !p.rendezvous() {
		c.spinRow(spinWay{bfs: true, all: true})
	}
	c.ltsminRows(
		ltsminWay{"tree", 1, false, nil},
		ltsminWay{"Cleary tree", 1, false, []string{"--state=cleary-tree"}},
		ltsminWay{"tree, 2 workers", 2, false, nil})
	measure(c.rows, b.runs)
	printRows(i.String(), c.rows)
	if b.limit > 0 {
		return nil
	}
	return same(i.String(), "states", c.rows, func(f figures) float64 { return f.States })
}

// ltlSection decides the questions with a formula, unreduced.
func (b *bench) ltlSection() error {
	fmt.Print("\n## LTL, unreduced\n\n")
	printHeader("question")
	for _, q := range b.asked() {
		if err := b.ltlContest(q); err != nil {
			return err
		}
	}
	return nil
}

// asked returns the questions about the models that -model chooses.
func (b *bench) asked() []question {
	var all []question
	for _, q := range questions {
		if is, err := choose([]instance{q.instance}, b.only); err == nil {
			q.instance = is[0]
			all = append(all, q)
		}
	}
	return all
}

func (b *bench) ltlContest(q question) error {
	c, err := b.contest(q.instance, q.formula)
	if err != nil {
		return err
	}
	defer c.close()
	c.ours("seltl ndfs", job{Formula: q.formula, Search: "ndfs"})
	c.ours("seltl scc", job{Formula: q.formula, Search: "scc"})
	c.ours("seltl ndfs, 2 workers", job{Formula: q.formula, Search: "ndfs", Workers: 2})
	c.spinRow(spinWay{flat: true})
	c.spinRow(spinWay{})
	c.ltsminRows(
		ltsminWay{"ndfs", 1, false, []string{"--strategy=ndfs"}},
		ltsminWay{"cndfs, 2 workers", 2, false, []string{"--strategy=cndfs"}})
	return b.finish(q, c.rows)
}

// finish measures the rows of a question, prints them, and compares the verdicts
// with each other and with the truth.
func (b *bench) finish(q question, rows []*row) error {
	measure(rows, b.runs)
	verdict := "violated"
	if q.holds {
		verdict = "holds"
	}
	subject := fmt.Sprintf("%s, %s: %s", q.instance, q, verdict)
	printRows(subject, rows)
	for _, r := range rows {
		if r.err == nil && r.runs[0].Violated == q.holds {
			return fmt.Errorf("%s: %s has another verdict", subject, r.name)
		}
	}
	if !q.holds {
		return nil // how much is seen before a violation depends on the search
	}
	// Multi-core nested search explores some states again, reductions leave some out.
	whole := slices.DeleteFunc(slices.Clone(rows), func(r *row) bool { return r.workers > 1 || r.reduced })
	return same(subject, "states", whole, func(f figures) float64 { return f.States })
}

// porSection asks everything with partial-order reduction.
func (b *bench) porSection() error {
	fmt.Print("\n## Partial-order reduction\n\n")
	printHeader("question")
	chosen, err := choose(instances, b.only)
	if err != nil {
		return err
	}
	var all []question
	for _, i := range chosen {
		all = append(all, question{i, "", i.Process != phildl.Process})
	}
	for _, q := range slices.Concat(all, b.asked()) {
		if err := b.porContest(q); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) porContest(q question) error {
	c, err := b.contest(q.instance, q.formula)
	if err != nil {
		return err
	}
	defer c.close()
	j := job{Formula: q.formula, Deadlock: q.formula == "", Search: "ndfs"}
	c.ours("seltl without reduction", j)
	j.POR = true
	c.ours("seltl with reduction", j)
	if q.formula != "" {
		j.Reduce = true
		c.ours("seltl with reduction, minimised components", j)
	}
	c.spinRow(spinWay{por: true})
	c.ltsminRows(ltsminWay{"with reduction", 1, true, c.ltsminReduced("heur")}, ltsminWay{"with reduction (del)", 1, true, c.ltsminReduced("del")})
	return b.finish(q, c.rows)
}

// ltsminReduced returns LTSmin's options for one of its reductions.
func (c *contest) ltsminReduced(kind string) []string {
	if c.ltl.text == "" {
		return []string{"--por=" + kind, "--deadlock"}
	}
	return []string{"--por=" + kind, "--strategy=cndfs", "--proviso=cndfs"}
}
