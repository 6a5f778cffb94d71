// Command translate measures the translation of LTL formulas on the reference
// sets (dac, eh, sb, hkrss, p, families, random), whose sizes by Spot 2.12 are
// in the same files, and on the surge protector of [Chaki05], table 8.1. It
// prints Markdown tables and lists every formula where our automaton has more
// states than Spot's.
//
//	go run ./bench/translate [-oracle ../shared/oracle/ltl/raw] [-spot folder]
//	go run ./bench/translate -surge
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/internal/heap"
)

func main() {
	oracle := flag.String("oracle", filepath.Join("..", "shared", "oracle", "ltl", "raw"), "folder of the reference sets")
	names := flag.String("sets", strings.Join(sets, ","), "the sets to translate")
	forms := flag.String("kinds", "ba,tgba,det", "the kinds of automata: state-based, generalised, deterministic")
	limit := flag.Duration("limit", time.Minute, "processor time for each formula")
	spot := flag.String("spot", "", "folder of ltl2tgba, to measure its time in the same run")
	list := flag.Int("list", 10, "how many of the formulas where we are larger are listed, of each kind")
	surge := flag.Bool("surge", false, "the surge protector instead")
	flag.Parse()
	heap.Roomy(64<<20, 200) // as seltl translate
	var err error
	if *surge {
		err = surgeTable()
	} else {
		err = tables(*oracle, strings.Split(*names, ","), strings.Split(*forms, ","), measurement{*limit, *spot}, *list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "translate:", err)
		os.Exit(1)
	}
}

// tables prints a table for each kind and the formulas where we are larger, or
// more than five times slower.
func tables(folder string, names, forms []string, m measurement, list int) error {
	for _, k := range kinds {
		if !slices.Contains(forms, k.name) {
			continue
		}
		fmt.Printf("## %s\n\n", k.title)
		fmt.Println("| set | formulas | states | Spot | edges | Spot | smaller | larger | by at most | not compared | s | Spot |")
		fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|")
		var all []outcome
		var worst []outcome
		spotAll := time.Duration(0)
		for _, set := range names {
			rows, err := load(folder, set)
			if err != nil {
				return err
			}
			out, spot, err := m.set(k, rows)
			if err != nil {
				return err
			}
			printRow(set, out, spot)
			all = append(all, out...)
			spotAll += spot
		}
		printRow("all", all, spotAll)
		for _, o := range all {
			if o.larger() > 0 {
				worst = append(worst, o)
			}
		}
		slices.SortStableFunc(worst, func(x, y outcome) int { return y.larger() - x.larger() })
		printList("Larger than Spot's", worst, list)
		printList("More than five times Spot's time", slices.DeleteFunc(slices.Clone(all), func(o outcome) bool { return !o.slow() }), list)
		slowest := slices.Clone(all)
		slices.SortStableFunc(slowest, func(x, y outcome) int { return int(y.time - x.time) })
		printList("Slowest", slowest[:min(list, len(slowest))], list)
		printList("Not compared", slices.DeleteFunc(slices.Clone(all), func(o outcome) bool { return o.compared || !o.row.deterministic && k.name == "det" }), list)
		fmt.Println()
	}
	return nil
}

// printRow sums up the outcomes of a set. What was not finished, or is not
// deterministic where Spot's is, is in no sum but those of times.
func printRow(set string, outcomes []outcome, spotTime time.Duration) {
	var our, spot size
	var ours time.Duration
	compared, smaller, larger, most := 0, 0, 0, 0
	for _, o := range outcomes {
		ours += o.time
		if !o.compared {
			continue
		}
		compared++
		our.add(o.size)
		spot.add(o.spot)
		switch d := o.larger(); {
		case d > 0:
			larger++
			most = max(most, d)
		case d < 0:
			smaller++
		}
	}
	fmt.Printf("| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %.2f | %.2f |\n", set, len(outcomes), our.states, spot.states,
		our.edges, spot.edges, smaller, larger, most, len(outcomes)-compared, ours.Seconds(), spotTime.Seconds())
}

func printList(title string, outcomes []outcome, most int) {
	if len(outcomes) == 0 {
		return
	}
	fmt.Printf("\n%s: %d\n\n", title, len(outcomes))
	for i, o := range outcomes {
		if i == most && most > 0 {
			break
		}
		fmt.Println("-", o)
	}
}
