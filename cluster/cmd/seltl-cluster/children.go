package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/seltl/seltl/cluster/broker"
)

// children are the worker processes of run: this program again, with the command work and
// --child. Their standard input says how to connect, and they end when it does, which is
// also when this process is no more.
type children struct {
	access  broker.Access
	env     []string
	profile string // where their processor profiles go, with a number; "": none
	gone    func(pid int, lived time.Duration, why string)

	mu      sync.Mutex
	started int
	running map[int]*child
	ended   bool
	all     sync.WaitGroup
	last    string // what a child said before it ended badly
}

type child struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	says  *tail
}

// start starts one child.
func (c *children) start() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return nil
	}
	args := []string{"work", "--child"}
	if c.started++; c.profile != "" {
		args = append(args, "--cpuprofile", fmt.Sprintf("%s.%d", c.profile, c.started))
	}
	k := &child{cmd: exec.Command(program, args...), says: &tail{}}
	k.cmd.Stderr = k.says
	k.cmd.Env = append(os.Environ(), c.env...)
	detach(k.cmd) // from the keyboard: this process says when they end
	if k.stdin, err = k.cmd.StdinPipe(); err != nil {
		return err
	}
	if err := k.cmd.Start(); err != nil {
		return err
	}
	pid, born := k.cmd.Process.Pid, time.Now()
	c.running[pid] = k
	c.all.Go(func() {
		text, err := json.Marshal(c.access)
		if err == nil {
			_, err = k.stdin.Write(append(text, '\n'))
		}
		// A child that cannot be told ends, and that is seen here.
		waited := k.cmd.Wait()
		c.mu.Lock()
		delete(c.running, pid)
		ended, gone := c.ended, c.gone
		why := "it ended"
		if waited != nil {
			why = waited.Error()
		} else if err != nil {
			why = err.Error()
		}
		if text := k.says.text(); text != "" && waited != nil {
			c.last = text
			why += ": " + text
		}
		c.mu.Unlock()
		if !ended {
			gone(pid, time.Since(born), why)
		}
	})
	return nil
}

// stop ends all: first by closing what they read, then by force.
func (c *children) stop(patience time.Duration) {
	c.mu.Lock()
	c.ended = true
	for _, k := range c.running {
		_ = k.stdin.Close()
	}
	c.mu.Unlock()
	done := make(chan struct{})
	go func() {
		c.all.Wait()
		close(done)
	}()
	select {
	case <-done:
		return
	case <-time.After(patience):
	}
	c.mu.Lock()
	for _, k := range c.running {
		_ = k.cmd.Process.Kill()
	}
	c.mu.Unlock()
	<-done
}

// tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	end []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p...)
	if n := len(t.end) - 2000; n > 0 {
		t.end = append(t.end[:0], t.end[n:]...)
	}
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.end))
}

// parent reads what run tells a child, and calls gone when run is no more.
func parent(in io.Reader, gone context.CancelFunc) (a broker.Access, err error) {
	decoder := json.NewDecoder(in)
	if err := decoder.Decode(&a); err != nil {
		return a, fmt.Errorf("a child of `seltl-cluster run` reads how to connect from its standard input: %w", err)
	}
	go func() {
		_, _ = io.Copy(io.Discard, in) // until it ends, however
		gone()
	}()
	return a, nil
}
