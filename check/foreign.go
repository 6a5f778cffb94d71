package check

import (
	"fmt"
	"path/filepath"
	"strings"
)

// foreignFiles are the files of other tools that people have at hand, by their endings.
var foreignFiles = map[string]string{
	".pml": "a Promela model, of SPIN", ".prom": "a Promela model, of SPIN", ".promela": "a Promela model, of SPIN", ".spin": "a Promela model, of SPIN",
	".tla": "a TLA+ specification", ".cfg": "a configuration, of TLC perhaps",
	".smv": "a model of NuSMV or nuXmv", ".xmv": "a model of nuXmv",
	".csp": "a CSP script, of FDR or ProB", ".cspm": "a CSP script, of FDR or ProB", ".mch": "a B machine",
	".mcrl2": "a specification of mCRL2", ".lps": "a linear process of mCRL2", ".mcf": "a formula of mCRL2",
	".lnt": "a LNT specification, of CADP", ".lotos": "a LOTOS specification, of CADP", ".bcg": "a binary graph of CADP",
	".xta": "a model of UPPAAL", ".xml": "an XML file, of UPPAAL perhaps",
	".pm": "a model of PRISM", ".nm": "a model of PRISM", ".sm": "a model of PRISM", ".prism": "a model of PRISM", ".jani": "a JANI model",
	".als": "an Alloy model", ".dve": "a model of DiVinE", ".pnml": "a Petri net", ".hoa": "an automaton", ".rebeca": "a Rebeca model",
	".aag": "an AIGER circuit", ".aig": "an AIGER circuit", ".btor2": "a BTOR2 circuit",
	".c": "a C program", ".java": "a Java program", ".go": "a Go program", ".py": "a Python program",
}

// ForeignFile replaces what a parser says about a file of another tool, of which every
// line would be wrong.
func ForeignFile(name string, err error) error {
	if err != nil && IsSpec(name) {
		return &InputError{Code: "foreign-file", File: name, Text: fmt.Sprintf("%s: this is a specification of C programs, by its name, not a model", name),
			Help: "seltl conform NAME.c " + name + " (seltl help conform)"}
	}
	what, ok := foreignFiles[strings.ToLower(filepath.Ext(name))]
	if err == nil || !ok {
		return err
	}
	if IsC(name) {
		return &InputError{Code: "foreign-file", File: name, Text: fmt.Sprintf("%s: this is a C program, by its name, not a model", name),
			Help: "seltl reach " + name + ", seltl conform " + name + " NAME.spec"}
	}
	return &InputError{Code: "foreign-file", File: name, Text: fmt.Sprintf("%s: this is %s, by its name; seltl does not read it", name, what),
		Help: "seltl reads .lks, .lts and .fsp (FSP), .aut (Aldebaran), and .gcl, .pl and .smt2 (`seltl reach`)"}
}
