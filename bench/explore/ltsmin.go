package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/seltl/seltl/lks"
)

// ltsminTool is LTSmin's multi-core model checker for C plug-ins.
const ltsminTool = "pins2lts-mc"

// findLTSmin returns the folder where LTSmin is installed: the one given, or that of
// the tool on the PATH; empty if it is not there with its headers.
func findLTSmin(prefix string) string {
	if prefix == "" {
		path, err := exec.LookPath(ltsminTool)
		if err != nil {
			return ""
		}
		prefix = filepath.Dir(filepath.Dir(path))
	}
	for _, file := range []string{"bin/" + ltsminTool, "include/ltsmin/pins.h"} {
		if _, err := os.Stat(filepath.Join(prefix, file)); err != nil {
			return ""
		}
	}
	absolute, err := filepath.Abs(prefix)
	if err != nil {
		return ""
	}
	return absolute
}

// ltsminModel is the plug-in of one network, compiled.
type ltsminModel struct{ prefix, folder, formula string }

// buildLTSmin compiles a network, and the propositions of a formula, if there is
// one, in a folder of its own.
func buildLTSmin(prefix string, net *lks.Network, ltl observed) (*ltsminModel, error) {
	p, err := newPlugin(net, ltl)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "explore-ltsmin")
	if err != nil {
		return nil, err
	}
	m := &ltsminModel{prefix, folder, ltl.text}
	err = os.WriteFile(filepath.Join(folder, "model.c"), []byte(p.text()), 0o600)
	if err == nil {
		_, _, err = execute(folder, "gcc", optimise, "-w", "-shared", "-fPIC", "-I"+filepath.Join(prefix, "include"), "-o", "model.so", "model.c")
	}
	if err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

func (m *ltsminModel) close() { _ = os.RemoveAll(m.folder) } // a temporary folder: nothing is lost if it stays

// run explores with further options, in a table made for the expected states,
// and reads the report. Bytes are those of stored states and the queue.
func (m *ltsminModel) run(expected float64, options ...string) (figures, error) {
	args := append([]string{"-s", log2(8 * expected)}, options...)
	if m.formula != "" {
		args = append(args, "--ltl="+m.formula)
	}
	out, f, err := execute(m.folder, filepath.Join(m.prefix, "bin", ltsminTool), append(args, "./model.so")...)
	// The status says 1 when something was found, which the report says as well.
	var exit *exec.ExitError
	found := strings.Contains(out, "FOUND") || strings.Contains(out, "Deadlock found")
	if strings.Contains(out, "table full") {
		return f, errRoom
	}
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1 && found) {
		return f, err
	}
	f.Violated = found
	return f, readLTSmin(out, &f)
}

// readLTSmin takes the figures from the report.
func readLTSmin(out string, f *figures) error {
	perState, queue := 0.0, 0.0
	for pattern, to := range map[string]*float64{
		`Explored ([0-9]+) states`: &f.States, `Explored [0-9]+ states ([0-9]+) transitions`: &f.Transitions,
		`memory: [0-9.]+MB, ([0-9.]+) B/state`: &perState, `total height: [0-9]+, memory: ([0-9.]+)MB`: &queue,
	} {
		var err error
		if *to, err = number(out, pattern); err != nil {
			return fmt.Errorf("LTSmin: %w", err)
		}
	}
	f.Store = perState*f.States + queue*(1<<20)
	return nil
}
