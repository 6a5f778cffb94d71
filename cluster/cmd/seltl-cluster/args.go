package main

import "github.com/seltl/seltl/internal/cmdline"

var grammar = cmdline.Grammar{Program: "seltl-cluster", Check: "run"}
