//go:build !unix

package smt

import "os/exec"

func setAttributes(*exec.Cmd) {}
