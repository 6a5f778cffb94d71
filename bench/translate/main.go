// Command translate measures the translation of LTL formulas on the reference
// sets (dac, eh, sb, hkrss, p, families, random), whose sizes by Spot 2.12 are
// in the same files, and on the surge protector of [Chaki05], table 8.1. It
// prints Markdown tables and lists every formula where our automaton has more
// states than Spot's.
//
//	go run ./bench/translate [-oracle ../shared/oracle/ltl] [-runs 5]
//	go run ./bench/translate -surge
package main

import (
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/ltl"
)

var (
	patterns = []string{"dac", "eh", "sb", "hkrss", "p"}
	sets     = append(slices.Clone(patterns), "families", "random")
)

func main() {
	oracle := flag.String("oracle", filepath.Join("..", "shared", "oracle", "ltl"), "folder of the reference sets")
	runs := flag.Int("runs", 5, "runs of each set, of which the median time counts")
	surge := flag.Bool("surge", false, "the surge protector instead")
	flag.Parse()
	var err error
	if *surge {
		err = surgeTable()
	} else {
		err = tables(*oracle, *runs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "translate:", err)
		os.Exit(1)
	}
}

// sizes are the sizes of automata, of one formula or summed up.
type sizes struct{ states, edges, tgba int }

func (s *sizes) add(t sizes) {
	s.states += t.states
	s.edges += t.edges
	s.tgba += t.tgba
}

type row struct {
	text    string
	formula *ltl.Formula
	spot    sizes
}

func load(folder, set string) ([]row, error) {
	f, err := os.Open(filepath.Join(folder, set+".csv"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = ';'
	records, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, rec := range records[1:] {
		// Spot's strong next is X on infinite words.
		formula, err := ltl.ParseString(strings.ReplaceAll(rec[0], "X[!]", "X"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", set, err)
		}
		var n [3]int
		for i := range n {
			if n[i], err = strconv.Atoi(rec[i+1]); err != nil {
				return nil, err
			}
		}
		rows = append(rows, row{rec[0], formula, sizes{n[0], n[1], n[2]}})
	}
	return rows, nil
}

func tables(folder string, runs int) error {
	fmt.Println("| set | formulas | BA states | Spot | BA edges | Spot | TGBA states | Spot | larger | by at most | ms |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|")
	var larger []string
	var ours, spots sizes
	patternTime := time.Duration(0)
	for _, set := range sets {
		rows, err := load(folder, set)
		if err != nil {
			return err
		}
		our, spot, worst, list, err := compare(set, rows)
		if err != nil {
			return err
		}
		elapsed, err := median(rows, runs)
		if err != nil {
			return err
		}
		if slices.Contains(patterns, set) {
			patternTime += elapsed
		}
		fmt.Printf("| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %.0f |\n", set, len(rows), our.states, spot.states,
			our.edges, spot.edges, our.tgba, spot.tgba, len(list), worst, elapsed.Seconds()*1000)
		ours.add(our)
		spots.add(spot)
		larger = append(larger, list...)
	}
	fmt.Printf("| all | | %d | %d | %d | %d | %d | %d | %d | | |\n", ours.states, spots.states, ours.edges, spots.edges, ours.tgba, spots.tgba, len(larger))
	fmt.Printf("\nThe pattern sets together take %.0f ms.\n", patternTime.Seconds()*1000)
	if len(larger) > 0 {
		fmt.Println("\nMore states than Spot:")
		for _, l := range larger {
			fmt.Println("-", l)
		}
	}
	return nil
}

// compare sums up a set and lists the formulas where we have more states.
func compare(set string, rows []row) (our, spot sizes, worst int, larger []string, err error) {
	for _, r := range rows {
		ba, err := buchi.Translate(r.formula, buchi.Options{Acceptance: buchi.StateBuchi})
		if err != nil {
			return our, spot, 0, nil, err
		}
		tgba, err := buchi.Translate(r.formula, buchi.Options{})
		if err != nil {
			return our, spot, 0, nil, err
		}
		s := ba.Stats()
		our.add(sizes{s.States, s.Edges, tgba.NumStates()})
		spot.add(r.spot)
		if d := s.States - r.spot.states; d > 0 {
			larger = append(larger, fmt.Sprintf("%s: %d, Spot %d: `%s`", set, s.States, r.spot.states, r.text))
			worst = max(worst, d)
		}
	}
	return our, spot, worst, larger, nil
}

// median is the median time of translating all formulas of a set to Büchi
// automata.
func median(rows []row, runs int) (time.Duration, error) {
	var times []time.Duration
	for range max(runs, 1) {
		start := time.Now()
		for _, r := range rows {
			if _, err := buchi.Translate(r.formula, buchi.Options{Acceptance: buchi.StateBuchi}); err != nil {
				return 0, err
			}
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}
