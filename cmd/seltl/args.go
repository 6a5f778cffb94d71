package main

import (
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/cmd/seltl/internal/words"
	"github.com/seltl/seltl/internal/cmdline"
)

var grammar = cmdline.Grammar{
	Program: "seltl",
	Check:   "verify",
	Words:   ask.LoneOperators,
	Optional: map[[2]string]string{
		{"translate", "stats"}:  words.DefaultStatsFormat,
		{"automaton", "stats"}:  "%F: %s states, %e edges, %a acceptance sets (%g), deterministic: %d, %r s",
		{"formula", "simplify"}: "all", {"formula", "relabel"}: "pnn", {"formula", "relabel-bool"}: "pnn", {"formula", "unique"}: "formula",
		{"formula", "from-ltlf"}: "alive",
	},
}
