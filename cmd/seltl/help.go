package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

const exitStatuses = `EXIT STATUS
   0    holds / no deadlock / conforms
   1    violated / deadlock / does not conform: a counterexample is printed
        (of what the model expects by "// expect: fails": 0 as expected,
        1 otherwise)
   2    the input or the command line is wrong: nothing was checked
   3    unknown: a limit was reached (the message says which, and what to try),
        or a search that can miss states found nothing
   4    internal error: a bug in seltl (the message says how to report it)
   130  interrupted, after printing what was explored
   With several properties in one run: the worst, in the order 4, 2, 1, 3, 0.
`

const commandTemplate = `NAME
   seltl {{.Name}} - {{.Usage}}

USAGE
   seltl {{.Name}}{{with .ArgsUsage}} {{.}}{{end}}

{{if .Description}}{{.Description}}

{{end}}OPTIONS (before or after the other arguments)
{{range .VisibleFlags}}   {{flag .}}
{{end}}
` + exitStatuses

const appTemplate = `seltl {{.Version}}
Checks concurrent systems given as labeled Kripke structures or FSP.

USAGE
   seltl COMMAND [ARGUMENT...] [OPTION...]

COMMANDS
{{range .VisibleCommands}}   {{printf "%-19s" .Name}}{{.Usage}}
{{end}}
TOPICS (seltl help TOPIC)
   formulas           the formula language SE-LTL
   language           the modelling language (.lks, .lts, .fsp)
   json               the JSON form of reports, and its schema
   memory             what to do when memory or time is short

EXAMPLES
   seltl verify specs/first.lks "G(press & dark -> X lit)"
   seltl verify specs/thesis/8-4-surge.lks -D R=12
   seltl translate "G(a -> F b)" --dot

` + exitStatuses

func helpCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:      "help",
		Usage:     "explain a command or a topic",
		ArgsUsage: "[COMMAND | TOPIC]",
		Action: func(c *cli.Context) error {
			name := c.Args().First()
			if name == "" {
				cmdline.ShowTemplate(s.Out, appTemplate, c.App)
				return nil
			}
			if topic, ok := topics[name]; ok {
				_, err := io.WriteString(s.Out, topic)
				return err
			}
			if name == "json" {
				_, err := fmt.Fprintf(s.Out, "%s\n%s", jsonTopic, report.SchemaJSON)
				return err
			}
			command := c.App.Command(name)
			if command == nil {
				known := []string{"formulas", "language", "json", "memory"}
				for _, k := range c.App.VisibleCommands() {
					known = append(known, k.Name)
				}
				return &cmdline.Error{Text: fmt.Sprintf("no help for %q", name), Help: source.DidYouMean(name, known)}
			}
			cmdline.ShowTemplate(s.Out, commandTemplate, command)
			return nil
		},
	}
}

const jsonTopic = `REPORTS AS JSON
   With --json a command prints one object on standard output, whatever the
   verdict; after an error one with "messages" and no "results". Its "schema" is
   "` + report.Schema + `"; within a version, fields are only added. "results"
   has one entry per property, in the order they were given; "exit" is the exit
   status. The JSON schema (draft 2020-12):
`

var topics = map[string]string{
	"memory": `WHEN MEMORY OR TIME IS SHORT

   FIRST make the state space smaller: smaller constants (-D N=3), hiding, and
   for verify --por=on, --reduce=components or --reduce=tree. seltl deadlock
   without any of the flags below follows stubborn sets or refines abstractions,
   which often need a small part of the states.

   THEN keep the states in less memory. --profile says how many bytes each
   takes, and where the time goes.

   --store=auto      numbered states with what traces need, about 20 bytes a
                     state; after 65,536 of them (with one worker, tens of
                     millions) the exact store
   --store=exact     about 12 bytes for a state of up to 64 bits; longer ones
                     are compressed, mostly to 11 to 18 bytes
   --store=compact   about 5 bytes, and more time
   --store=hash      about 6 bytes for states of any size: a hash of each
   --store=bitstate  two bits of an array of --store-bytes SIZE
   --disk DIR        files in DIR, for some times as many states as fit into
                     memory

   With hash and bitstate a new state can be taken for a known one, and so be
   missed. What they find is replayed and real. Where they find nothing the
   verdict is "NO VIOLATION FOUND" with exit status 3, "unknown" in JSON, and an
   estimate of what was missed: it proves nothing. The estimate is about the
   states that were met; those that can be reached only by way of missed ones
   are not in it.

   command           -j   --store  --disk, --checkpoint
   deadlock          yes  any      yes   plain search of all states
   check             yes  any      yes   deadlock and safety (--only)
   stats             yes  any      yes
   verify            yes  any      no    nested search, without fairness
   progress, assert  no   no       no    fair choice needs numbered states

   Long runs: --checkpoint FILE saves the search every minute
   (--checkpoint-every), when it is interrupted and when it reaches a limit; the
   same command goes on from there, after a crash too. When the search is
   complete the file is removed. The number of workers must be the same again,
   and the folder of --disk, where the states stay as long.

   The trace to what was found with exact, compact, hash, bitstate or disk is
   found by exploring again, with about 20 bytes a state, up to where it ends.
   If memory does not suffice for that, the verdict is unknown and names the
   state that was found.

EXAMPLES
   seltl stats large.lks --profile
   seltl deadlock large.lks --store=compact -j 2 --max-memory 8G
   seltl deadlock large.lks --store=bitstate --store-bytes 4G
   seltl check large.lks --only=deadlock,safety --disk /var/tmp
   seltl deadlock large.lks --checkpoint run.ckpt
`,
	"formulas": `FORMULAS: SE-LTL, linear temporal logic over states and events

   p, phil[0].eat     a proposition of the model, or an event, whichever it is
   S.p, E.p           the proposition p, the event p (where the model has both)
   {a, b[0..2]}       any of these events;  tau  the silent one
   m = 2, m <= 2      for indexed propositions m[0], m[1], ...
   "any text"         a name that is none of the above
   deadlock           no step is possible;  enabled(a)  the event a is possible

   ! f      not           X f    in the next position
   f & g    and           F f    now or later     F[2..4] f  in 2 to 4 steps
   f | g    or            G f    now and always   G[0..5] f
   f xor g  either        f U g  f until g, and g comes
   f -> g   implies       f W g  f until g, or f for ever
   f <-> g  iff           f R g  g until f and g, or g for ever
                          f M g  g until f and g, and that comes
   Y f  at the position before, which there is    O f  now or before  O[1..3] f
   Z f  there, or there is none                   H f  now and always before
   f S g  g now or before, and f since then       f T g  g since f, or always
   forall [i:0..2] f,  exists [i:R] f    expanded before anything else

   {r}[]-> f   f at the end of every match of r     {r}[]=> f  one step later
   {r}<>-> f   f at the end of some match of r      {r}<>=> f  one step later
   {r}!        r is matched      {r}  r is matched, or can be as far as one sees
   r is a sequence of Boolean formulas: a; !b[*]; c    r:s  one step shared
   r|s  r&&s (same length)  r&s  r[*] r[+] r[*2..4]  [*] anything  [*0] nothing
   b[->2] to the second b   b[=2] two b's   r[:*2] fused   first_match(r)

   Loosest to tightest: -> <-> (right), |, xor, &, U W R M S T (right),
   F G X O H Y Z !.
   Also read: && || /\ \/ ~ => --> <=> [] <> () and or not implies iff xor next
   always eventually until yesterday once historically since triggered. GFa
   needs no blanks: atoms start with a lower-case letter.

MEANING
   A run is s0 -a0-> s1 -a1-> s2 ... A proposition is true at position i if it
   labels si; an event is true at position i if it is ai, the step that leaves
   si. So G(c -> F r) says: whenever c is taken, r holds in that state or in a
   later one. A property holds if it is true of every run.

   A run that ends is prolonged (--finite=stutter): its last state repeats with
   no event true. --finite=ignore looks at infinite runs only; --finite=error
   refuses models with runs that end. The verdict says when that mattered.

   --finite-words reads formulas of finite words, the runs that end: X f is weak
   there, true at the last position, and X[!] f strong.

   "ltl NAME = f" in a model file declares a property of this kind.
   "assert NAME = f" is LTSA's: there an action a stands for "a was the last
   action" and a fluent for its value after it, so that assert [](a -> r) with a
   fluent r is G(a -> X r) here.

EXAMPLES
   seltl verify m.lks "G(call -> F reply)"
   seltl verify m.lks "forall [i:0..4] G F phil[i].eat"
   seltl verify m.lks "G !deadlock"
   seltl verify m.lks "G(grant -> O request)"
   seltl verify m.lks "G({req; !grant[*]; cancel}[]-> X ack)"
`,
	"language": `MODELS: FSP with state labels (files .lks, .lts, .fsp)

   // A buffer of N places: local processes COUNT[i], guards, indexed names.
   const N = 3
   range SLOT = 0..N

   BUFFER = COUNT[0],
   COUNT[i:SLOT] {level[i], when (i==0) empty}
          = (when (i<N) put -> COUNT[i+1] | when (i>0) get -> COUNT[i-1]).

   PRODUCER = (put -> PRODUCER).
   ||SYSTEM = (PRODUCER || BUFFER).

   ltl BOUNDED = G(put -> level < 3)

   a -> P             does a, then like P       P {p, q[i]} = ...  state labels
   (a -> P | b -> Q)  choice                    when (e) a -> P    guard
   STOP, END, ERROR   stuck, finished, wrong    P + {a, b}         more alphabet
   ||S = (P || Q)     in parallel: shared actions happen together
   a:P                every name prefixed       {a,b}::P           shared
   P / {new/old}      renamed actions           P \ {a}, P @ {a}   hidden, kept

   // expect: holds, // expect: fails behind a property, // expect: deadlock,
   // expect: error behind a composite: check, verify and progress end with
   status 0 if it comes out so.

   The whole language, with an example for every construct: docs/language.md.

WHICH PROCESS IS CHECKED
   --process NAME; else the last composite (||NAME) of the file; else the only
   process; else all processes of the file in parallel.
`,
}
