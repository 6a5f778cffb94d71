package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/ltl"
)

var sets = []string{"dac", "eh", "sb", "hkrss", "p", "random", "families"}

// size is the size of an automaton, or of several together.
type size struct{ states, edges int }

func (s *size) add(t size) {
	s.states += t.states
	s.edges += t.edges
}

// kind is a kind of automata that is compared.
type kind struct {
	name, title string
	options     buchi.Options
	spot        []string // options of ltl2tgba
}

var kinds = []kind{
	{"ba", "State-based Büchi", buchi.Options{Acceptance: buchi.StateBuchi}, []string{"-B"}},
	{"tgba", "Generalised", buchi.Options{}, nil},
	{"det", "Deterministic, state-based, where Spot's is", buchi.Options{Acceptance: buchi.StateBuchi, Prefer: buchi.Deterministic}, []string{"-D", "-B"}},
}

// row is a formula with the sizes of Spot's automata, by kind.
type row struct {
	set, text     string
	formula       *ltl.Formula
	spot          map[string]size
	deterministic bool // whether Spot's of the kind det is
}

// columns of a file for each kind.
var columns = map[string]string{"ba": "ba_", "tgba": "tgba_", "det": "det_"}

func load(folder, set string) ([]row, error) {
	f, err := os.Open(filepath.Join(folder, set+".csv"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = ';'
	r.LazyQuotes = true
	records, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	header := records[0]
	number := func(rec []string, name string) (int, error) {
		i := slices.Index(header, name)
		if i < 0 {
			return 0, nil // the simplified sets have fewer columns
		}
		return strconv.Atoi(rec[i])
	}
	var rows []row
	for _, rec := range records[1:] {
		// Spot's strong next is X on infinite words.
		formula, err := ltl.ParseString(strings.ReplaceAll(rec[0], "X[!]", "X"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", set, err)
		}
		w := row{set: set, text: rec[0], formula: formula, spot: map[string]size{}}
		var errs []error
		for name, prefix := range columns {
			states, err1 := number(rec, prefix+"states")
			edges, err2 := number(rec, prefix+"edges")
			w.spot[name] = size{states, edges}
			errs = append(errs, err1, err2)
		}
		deterministic, err := number(rec, "deterministic")
		if err := errors.Join(append(errs, err)...); err != nil {
			return nil, fmt.Errorf("%s: %w", set, err)
		}
		w.deterministic = deterministic == 1
		rows = append(rows, w)
	}
	return rows, nil
}
