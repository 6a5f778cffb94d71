package programcmds

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/report/html"
	"github.com/seltl/seltl/safety"
)

func ProgramCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:      "program",
		Usage:     "print what the front end understood of a C program",
		ArgsUsage: "FILE...",
		Description: `Prints the simplified program: one instruction a line with the line of the
source that it comes from, conversions written out, short circuits, loops and
switches as jumps.

--chc and --gcl write what "seltl reach" decides, with calls inlined and memory
as variables, for other tools: linear Horn clauses in SMT-LIB, which have a
solution (sat) if the program cannot fail, and guarded commands. With recursion,
clauses have a relation for each routine, and are not linear. Both count with
unbounded integers, or with --integers=machine with machine words; beside the
failures of the program, the ways out of what is modelled (an index outside of
its array, a division by zero) are errors.

--html writes a page beside what is printed: sizes, the simplified program, the
control-flow graphs of routines that are not large, and the sources.

EXAMPLES
   seltl program specs/c/lock.c
   seltl program specs/c/lock.c --svg lock.svg
   seltl program specs/c/lock.c --html lock.html
   seltl program specs/c/lock.c --stats
   seltl program specs/c/lock.c --chc lock.smt2
   z3 fp.engine=spacer lock.smt2
   seltl program specs/c/lock.c --gcl lock.gcl --blocks=small
   seltl reach lock.gcl`,
		Flags: cmdline.Concat([]cli.Flag{
			&cli.BoolFlag{Name: "stats", Usage: "print sizes instead: routines, blocks, instructions, and of what reach works on"},
			&cli.StringFlag{Name: "svg", Usage: "draw control-flow graphs into `FILE` instead"},
			&cli.StringFlag{Name: "dot", Usage: "draw control-flow graphs into `FILE` instead, for Graphviz"},
			checkFlag(),
			&cli.StringFlag{Name: "chc", Usage: "write Horn clauses into `FILE` instead"},
			&cli.StringFlag{Name: "gcl", Usage: "write guarded commands into `FILE` instead"},
			&cli.StringFlag{Name: "integers", Value: "math", Usage: "with --chc and --gcl: `INTEGERS`: math (unbounded), machine (words)"},
			&cli.StringFlag{Name: "blocks", Value: "large", Usage: "with --chc and --gcl, a relation or location for: `BLOCKS`: small (every step), spliced (what several paths go through), large (loops, as far as possible)"},
			cmdline.HTMLFlag(),
		}, cFlags()),
		Action: func(c *cli.Context) error { return showProgram(c, s) },
	}
}

// runsProgram reports whether what is asked about a program depends on where it begins.
func runsProgram(c *cli.Context) bool {
	return c.IsSet("entry") || c.Bool("stats") || c.IsSet("chc") || c.IsSet("gcl")
}

func showProgram(c *cli.Context, s cmdline.Streams) error {
	files := cFiles(c)
	if files == nil {
		return cmdline.Usagef(c, "C sources are needed (.c, .i, .pp)")
	}
	if err := cmdline.CheckOutputs(c); err != nil {
		return err
	}
	prog, err := loadC(c, s, files)
	if err != nil {
		return err
	}
	if err := cmdline.DrawInto(c, prog.Diagrams); err != nil {
		return err
	}
	exported := c.IsSet("chc") || c.IsSet("gcl")
	if exported {
		if err := exportC(c, prog); err != nil {
			return err
		}
	}
	sizes := sizesOf(prog)
	switch {
	case c.Bool("stats"):
		searched, err := searchedSizes(c, prog)
		if err != nil {
			return err
		}
		sizes = append(sizes, searched...)
		for _, line := range sizes {
			if _, err := fmt.Fprintln(s.Out, line.text()); err != nil {
				return err
			}
		}
	case exported || c.IsSet("dot") || c.IsSet("svg"):
	default:
		if err := prog.WriteC(s.Out); err != nil {
			return err
		}
	}
	return understood(c, s, prog, sizes)
}

// sizeLine is a line of sizes: of what, and how large it is.
type sizeLine struct{ of, size string }

// text is the line as --stats prints it; that of the program itself has no beginning.
func (l sizeLine) text() string {
	switch l.of {
	case "data model":
		return l.of + " " + l.size
	case "routines", "program":
		return l.size
	}
	return l.of + ": " + l.size
}

// sizesOf are the sizes of a program as it was read.
func sizesOf(prog *ir.Program) []sizeLine {
	blocks, instrs, bodies := 0, 0, 0
	for _, f := range prog.Funcs {
		if !f.Extern() {
			bodies++
		}
		blocks += len(f.Blocks)
		instrs += instructions(f)
	}
	return []sizeLine{{"data model", prog.Model.String()},
		{"routines", count(bodies, "routine") + " with a body, " + count(len(prog.Funcs)-bodies, "routine") + " without"},
		{"program", count(len(prog.Globals), "global") + ", " + count(blocks, "block") + ", " + count(instrs, "instruction")}}
}

func instructions(f *ir.Func) (n int) {
	for _, b := range f.Blocks {
		n += len(b.Instrs)
	}
	return n
}

// searchedSizes are those of what reach works on, after each pass that did something, the last
// time.
func searchedSizes(c *cli.Context, prog *ir.Program) ([]sizeLine, error) {
	enc, err := encode.EncodeContext(c.Context, prog, c.String("entry"))
	if err != nil {
		return nil, err
	}
	whole := passes.Size{Locations: len(enc.Words.Locations), Edges: len(enc.Words.Edges), Variables: len(enc.Words.Vars)}
	sizes := []sizeLine{{"inlined", systemSize(whole) + "; " + count(len(enc.Lost), "way") + " to a place that is not modelled"}}
	p := passes.Apply(c.Context, enc.Numbers, passes.Default())
	last := map[passes.Pass]passes.Size{}
	for _, size := range p.Sizes[1:] {
		last[size.After] = size
	}
	for _, pass := range passes.Default() {
		if size, ok := last[pass]; ok {
			sizes = append(sizes, sizeLine{"after " + pass.String(), systemSize(size)})
		}
	}
	return append(sizes, sizeLine{"searched", systemSize(p.Sizes[len(p.Sizes)-1])}), nil
}

func count(n int, what string) string { return report.Counted(int64(n), what) }

func systemSize(size passes.Size) string {
	return count(size.Locations, "location") + ", " + count(size.Edges, "edge") + ", " + count(size.Variables, "variable")
}

// exportC writes the system of a program for other tools.
func exportC(c *cli.Context, prog *ir.Program) error {
	var how safety.Integers
	var blocks armc.Encoding
	if err := cmdline.Choose(c, "integers", &how); err != nil {
		return err
	}
	if how == safety.AutoIntegers {
		return cmdline.Usagef(c, "--integers=auto: one of math, machine is written")
	}
	if err := cmdline.Choose(c, "blocks", &blocks); err != nil {
		return err
	}
	enc, err := programs.AutoCalls.Encode(c.Context, prog, c.String("entry"))
	if err != nil {
		return err
	}
	if enc.Routines != nil {
		if c.IsSet("gcl") {
			return cmdline.Usagef(c, "--gcl: guarded commands have no recursion; --chc writes relations for the routines")
		}
		clauses, err := programs.ExportedRoutines(c.Context, enc, how)
		if err != nil {
			return err
		}
		return cmdline.WriteFile(c.String("chc"), clauses.Write)
	}
	sys := programs.ExportedC(enc, how, blocks)
	if name := c.String("chc"); name != "" {
		if err := cmdline.WriteFile(name, func(w io.Writer) error { return programs.WriteClauses(w, sys) }); err != nil {
			return err
		}
	}
	if name := c.String("gcl"); name != "" {
		return cmdline.WriteFile(name, func(w io.Writer) error { return programs.WriteGCL(w, sys) })
	}
	return nil
}

// Of a routine of a program up to so many blocks are drawn: its picture is a page then.
const mostBlocks = 40

// understood writes the report of a program as it was read: its sizes, the whole of it
// simplified, and its routines.
func understood(c *cli.Context, s cmdline.Streams, prog *ir.Program, sizes []sizeLine) error {
	g := ask.NewGallery(c)
	if g == nil {
		return nil
	}
	whole := html.Made{Title: prog.Name, Text: ask.TextOf("simplified.c", prog.WriteC)}
	for _, line := range sizes {
		whole.Facts = append(whole.Facts, [2]string{line.of, line.size})
	}
	g.Add(whole)
	for _, f := range prog.Funcs {
		if !f.Extern() {
			drawRoutine(g, f)
		}
	}
	return g.Write(c, s, &report.Report{Messages: programs.MessagesOfC(prog)})
}

// drawRoutine adds a routine with a body.
func drawRoutine(g *ask.Gallery, f *ir.Func) {
	made := html.Made{Title: f.Name + "()", Facts: [][2]string{{"size", count(len(f.Blocks), "block") + ", " + count(instructions(f), "instruction")}}}
	for _, p := range f.Params {
		made.Facts = append(made.Facts, [2]string{"parameter", ir.Declaration(p.Name, p.Type)})
	}
	if f.Library {
		made.Facts = append(made.Facts, [2]string{"source", "seltl's own, of a routine of the C library"})
	} else if f.Span.Valid() {
		made.Facts = append(made.Facts, [2]string{"source", fmt.Sprintf("%s, line %d", f.Span.File.Name(), f.Span.Pos().Line)})
	}
	if len(f.Blocks) <= mostBlocks {
		made.Picture = ask.Drawing("Control-flow graph", f.Diagram())
	} else {
		made.Facts = append(made.Facts, [2]string{"control-flow graph", fmt.Sprintf("not drawn: more than %d blocks; --svg draws it", mostBlocks)})
	}
	g.Add(made)
}
