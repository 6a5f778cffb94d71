package main

import (
	"encoding/json"
	"fmt"

	"github.com/urfave/cli/v2"
)

func statsCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "stats",
		Usage:     "figures of the composition of a model",
		ArgsUsage: "MODEL",
		Description: `Builds the reachable composition of a process and prints its figures: states,
transitions, alphabet, propositions, degrees, strongly connected components, silent
steps.

EXAMPLES
   seltl stats model.lts --process SYSTEM
   seltl stats system.aut --json`,
		Flags: concat(modelFlags(), limitFlags(), []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no progress"},
		}),
		Action: func(c *cli.Context) error { return stats(c, s) },
	}
}

func stats(c *cli.Context, s streams) error {
	m, err := build(c, s)
	if err != nil {
		return err
	}
	st := m.Stats()
	states := st.States - st.Errors
	if c.Bool("json") {
		enc := json.NewEncoder(s.out)
		enc.SetIndent("", "  ")
		return enc.Encode(map[string]any{
			"schema": "seltl.stats/1", "process": m.Name(), "states": states, "transitions": st.Transitions, "initial": st.Initial,
			"alphabet": st.Alphabet, "propositions": st.Props, "labels": st.Labels, "tau": st.Silent,
			"deadlocks": st.Deadlocks, "ends": st.Ends, "error_reachable": st.Errors > 0, "max_out": st.MaxOut, "max_in": st.MaxIn,
			"average_out": st.AverageOut(), "sccs": st.Components, "largest_scc": st.LargestComponent, "terminal_sccs": st.Terminal,
			"deterministic": st.Deterministic,
		})
	}
	yes := map[bool]string{true: "yes", false: "no"}
	for _, line := range []struct {
		name  string
		value any
	}{
		{"process", m.Name()}, {"states", states}, {"transitions", st.Transitions}, {"initial states", st.Initial},
		{"alphabet", st.Alphabet}, {"propositions", st.Props}, {"different labels", st.Labels},
		{"silent steps", fmt.Sprintf("%d (%.1f %%)", st.Silent, 100*st.SilentShare())},
		{"deadlocks", st.Deadlocks}, {"terminated", st.Ends}, {"error reachable", yes[st.Errors > 0]},
		{"out-degree", fmt.Sprintf("%.2f on average, %d at most", st.AverageOut(), st.MaxOut)}, {"in-degree", fmt.Sprintf("%d at most", st.MaxIn)},
		{"strongly connected components", fmt.Sprintf("%d, the largest of %d states, %d terminal", st.Components, st.LargestComponent, st.Terminal)},
		{"deterministic", yes[st.Deterministic]},
	} {
		if _, err := fmt.Fprintf(s.out, "%-30s %v\n", line.name, line.value); err != nil {
			return err
		}
	}
	return nil
}
