package cross

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
)

// Translator makes automata of formulas.
type Translator struct {
	Name      string
	translate func(ctx context.Context, f *ltl.Formula, l budget.Limits) (*omega.Automaton, error)
}

// ownOptions are the options of seltl's translator.
var ownOptions = []string{"ba", "tba", "tgba", "det", "low", "complete", "parity"}

// ParseTranslator reads a translator: "seltl" or "seltl:OPTION,...", or a command for the
// shell in which %f, %s or %l stands for the formula, and %O for a file that it writes. A name
// may stand before a command in braces.
func ParseTranslator(text string) (Translator, error) {
	name, options, hasOptions := strings.Cut(text, ":")
	if name == "seltl" && !strings.Contains(text, "%") {
		if !hasOptions {
			return own(text, nil)
		}
		return own(text, strings.Split(options, ","))
	}
	title, command := text, text
	if rest, ok := strings.CutPrefix(text, "{"); ok {
		if t, c, ok := strings.Cut(rest, "}"); ok {
			title, command = t, strings.TrimSpace(c)
		}
	}
	reads := false
	for i := 0; i < len(command); i++ {
		if command[i] != '%' {
			continue
		}
		if i++; i == len(command) || !strings.ContainsRune("fslO%", rune(command[i])) {
			return Translator{}, fmt.Errorf("translator %q: after %% is one of f, s, l (the formula for Spot, SPIN, LBT), O (the output file) and %% needed", text)
		}
		reads = reads || strings.IndexByte("fsl", command[i]) >= 0
	}
	if !reads {
		return Translator{}, fmt.Errorf("translator %q: it is given no formula: write %%f, %%s or %%l for it, as in 'ltl2tgba -B %%f', or name ours: seltl, seltl:det", text)
	}
	return Translator{Name: title, translate: func(ctx context.Context, f *ltl.Formula, l budget.Limits) (*omega.Automaton, error) {
		return runCommand(ctx, title, command, f, l.Time)
	}}, nil
}

// own is seltl's translator.
func own(name string, options []string) (Translator, error) {
	var opts buchi.Options
	parity := false
	for _, o := range options {
		switch o {
		case "ba":
			opts.Acceptance = buchi.StateBuchi
		case "tba":
			opts.Acceptance = buchi.Buchi
		case "tgba":
			opts.Acceptance = buchi.Generalised
		case "det":
			opts.Prefer = buchi.Deterministic
		case "low":
			opts.Level = buchi.Low
		case "complete":
			opts.Complete = true
		case "parity":
			parity = true
		default:
			text := fmt.Sprintf("translator %q: options are %s", name, strings.Join(ownOptions, ", "))
			if near := source.DidYouMean(o, ownOptions); near != "" {
				text += "; " + near
			}
			return Translator{}, errors.New(text)
		}
	}
	return Translator{Name: name, translate: func(ctx context.Context, f *ltl.Formula, l budget.Limits) (*omega.Automaton, error) {
		opts := opts
		opts.Meter = budget.New(ctx, l, nil)
		b, err := buchi.Translate(f, opts)
		if err != nil {
			return nil, err
		}
		a := omega.FromBuchi(b).Named()
		if parity {
			return a.Determinise(opts.Meter)
		}
		return a, nil
	}}, nil
}

// NotRunnable is the error of a command that the shell does not find or may not run.
type NotRunnable struct{ Command, Said string }

func (e *NotRunnable) Error() string {
	return fmt.Sprintf("translator %q cannot be run: %s", e.Command, e.Said)
}

// maxOutput bounds what is read of one automaton.
const maxOutput = 64 << 20

// bounded keeps what is written, and refuses more than its limit.
type bounded struct {
	bytes.Buffer
	limit int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.limit {
		return 0, fmt.Errorf("it has written more than %s", budget.FormatBytes(int64(b.limit)))
	}
	return b.Buffer.Write(p)
}

// runCommand has the shell run a translator, and reads its one automaton. Overdue, the child
// and its children are killed, and the error is *budget.Exhausted.
func runCommand(ctx context.Context, name, command string, f *ltl.Formula, limit time.Duration) (*omega.Automaton, error) {
	text, file, err := spell(command, f)
	if file != "" {
		defer os.Remove(file)
	}
	if err != nil {
		return nil, err
	}
	whole := ctx
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	out, said := &bounded{limit: maxOutput}, &bounded{limit: maxOutput}
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", text)
	cmd.Stdout, cmd.Stderr = out, said
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
	err = cmd.Run()
	if whole.Err() != nil {
		return nil, budget.ErrInterrupted
	}
	if ctx.Err() != nil {
		return nil, &budget.Exhausted{What: "time", Limit: limit.String()}
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && (exit.ExitCode() == 126 || exit.ExitCode() == 127):
		return nil, &NotRunnable{command, lastLine(said.String())}
	case errors.As(err, &exit):
		return nil, fmt.Errorf("%v: %s", err, lastLine(said.String()))
	case err != nil:
		return nil, err
	}
	var in io.Reader = &out.Buffer
	if file != "" {
		opened, err := os.Open(file)
		if err != nil {
			return nil, errors.New("it has written no file %O")
		}
		defer opened.Close()
		in = io.LimitReader(opened, maxOutput)
	}
	return readOne(name, in)
}

// readOne reads the only automaton of a text.
func readOne(name string, in io.Reader) (*omega.Automaton, error) {
	r := omega.NewReader("<"+name+">", in)
	a, err := r.Next()
	if err == io.EOF {
		return nil, errors.New("it has written no automaton")
	}
	if err != nil {
		return nil, err
	}
	if _, err := r.Next(); err != io.EOF {
		return nil, errors.New("it has written something behind its automaton")
	}
	return a, nil
}

// lastLine is what people read of an error output.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return "it says nothing about it"
}

// spell puts the formula into a command. The file is that of %O, if there is one.
func spell(command string, f *ltl.Formula) (text, file string, err error) {
	var b strings.Builder
	for i := 0; i < len(command); i++ {
		if command[i] != '%' {
			b.WriteByte(command[i])
			continue
		}
		i++
		word := ""
		switch command[i] {
		case '%':
			b.WriteByte('%')
			continue
		case 'O':
			if file == "" {
				out, err := os.CreateTemp("", "seltl-cross-*")
				if err != nil {
					return "", "", err
				}
				file = out.Name()
				out.Close()
			}
			word = file
		case 'f':
			word, err = ltl.Format(f, ltl.Spot)
		case 's':
			word, err = ltl.Format(f, ltl.SPIN)
		case 'l':
			word, err = ltl.Format(f, ltl.LBT)
		}
		if err != nil {
			return "", file, err
		}
		b.WriteString("'" + strings.ReplaceAll(word, "'", `'\''`) + "'")
	}
	return b.String(), file, nil
}
