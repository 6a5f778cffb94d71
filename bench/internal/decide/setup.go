package decide

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Setup is what benchmarks run programs with.
type Setup struct {
	Limits    Limits
	Seltl, Z3 string // programs
	Dir       string // for files
}

// Flags adds the flags that set it; limit is for one of what is decided, and operands is
// what the usage says of arguments.
func (s *Setup) Flags(name, operands string, limit time.Duration, one string) {
	flag.DurationVar(&s.Limits.Time, "limit", limit, "for one "+one+" and program")
	flag.BoolVar(&s.Limits.CPU, "cpu", false, "the limit is one of processor time, for busy machines (on Linux)")
	flag.StringVar(&s.Seltl, "seltl", "", "the program (by default it is built)")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: %s [flags] %s\n", name, operands)
		flag.PrintDefaults()
	}
}

// Prepare makes the folder, which the caller removes, builds seltl where no program was
// named (as make build does), and finds Z3.
func (s *Setup) Prepare(name string) (err error) {
	if s.Dir, err = os.MkdirTemp("", name); err != nil {
		return err
	}
	if s.Seltl == "" {
		s.Seltl = filepath.Join(s.Dir, "seltl")
		build := exec.Command("go", "build", "-tags", "urfave_cli_no_docs", "-o", s.Seltl, "./cmd/seltl")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	s.Z3, err = exec.LookPath("z3")
	return err
}
