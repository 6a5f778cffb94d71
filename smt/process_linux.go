package smt

import (
	"os/exec"
	"syscall"
)

// setAttributes keeps an interrupt typed at the terminal away from the child: it
// would end an idle z3 in the middle of our own orderly end. And the child ends
// with us if we are killed, even in the middle of a query, when it does not look at
// its input. (The kernel means the thread that started the child. Should the Go
// runtime end that thread, the solver is started again, as after a crash.)
func setAttributes(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
