package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks"
)

// plugin is a network as a model for LTSmin, with what its partial-order reduction
// wants to know. A transition group is a command; a guard is a component being in
// a local state.
type plugin struct {
	net      *lks.Network
	commands []command
	guards   []guard // sorted
	props    []prop
	base     []int     // by rule: its first command
	parts    [][]table // by rule and part
}

type guard struct{ component, state int32 }

// table says what a part of a rule does in every local state of its component.
type table struct {
	component int32
	to        []int32 // the target, -1 where the part is not possible
	number    []int   // adds to the number of the rule's command
}

// newPlugin refuses what newPromela refuses, and parts of rules with several targets.
func newPlugin(n *lks.Network, o observed) (*plugin, error) {
	if err := plainNetwork(n); err != nil {
		return nil, err
	}
	p := &plugin{net: n, commands: commands(n), props: o.props}
	next := 0
	for _, r := range n.Rules() {
		tables, count, err := tablesOf(n, r)
		if err != nil {
			return nil, err
		}
		p.base = append(p.base, next)
		p.parts = append(p.parts, tables)
		next += count
	}
	for _, c := range p.commands {
		for _, m := range c.moves {
			g := guard{m.component, m.from}
			if at, found := slices.BinarySearchFunc(p.guards, g, compareGuards); !found {
				p.guards = slices.Insert(p.guards, at, g)
			}
		}
	}
	return p, nil
}

func compareGuards(a, b guard) int {
	if a.component != b.component {
		return int(a.component - b.component)
	}
	return int(a.state - b.state)
}

// tablesOf returns the tables of a rule, and the number of its commands.
func tablesOf(n *lks.Network, r lks.Rule) ([]table, int, error) {
	tables := make([]table, len(r.Parts))
	stride := 1
	for i := len(r.Parts) - 1; i >= 0; i-- { // the last part varies fastest, as in commands
		m := n.Components()[r.Parts[i].Component]
		t := table{component: r.Parts[i].Component, to: slices.Repeat([]int32{-1}, m.NumStates()), number: make([]int, m.NumStates())}
		for k, step := range moves(m, r.Parts[i]) {
			if t.to[step.from] >= 0 {
				return nil, 0, fmt.Errorf("%s has a choice of targets", m.Name())
			}
			t.to[step.from], t.number[step.from] = step.to, k*stride
		}
		stride *= len(moves(m, r.Parts[i]))
		tables[i] = t
	}
	return tables, stride, nil
}

// needs reports whether the command needs the guard, enables whether it can make it
// true, disables whether it makes it false.
func (c *command) needs(g guard) bool {
	return slices.ContainsFunc(c.moves, func(m move) bool { return m.component == g.component && m.from == g.state })
}

func (c *command) enables(component int32, states []int32) bool {
	return slices.ContainsFunc(c.moves, func(m move) bool {
		return m.component == component && !slices.Contains(states, m.from) && slices.Contains(states, m.to)
	})
}

func (c *command) disables(component int32, states []int32) bool {
	return slices.ContainsFunc(c.moves, func(m move) bool {
		return m.component == component && slices.Contains(states, m.from) && !slices.Contains(states, m.to)
	})
}

// accord reports whether two commands, where both are possible, commute: in every
// component of both neither moves it, unless they can never be possible together.
func accord(a, b *command) bool {
	together := true
	for _, m := range a.moves {
		for _, o := range b.moves {
			if m.component != o.component {
				continue
			}
			if m.from != o.from {
				return true
			}
			together = together && m.from == m.to && o.from == o.to
		}
	}
	return together
}

// labels returns the state labels: guards, then propositions.
func (p *plugin) labels() []prop {
	var all []prop
	for _, g := range p.guards {
		all = append(all, prop{g.component, []int32{g.state}})
	}
	return append(all, p.props...)
}

// text returns the plug-in's C source.
func (p *plugin) text() string {
	var b strings.Builder
	b.WriteString(pluginHead)
	fmt.Fprintf(&b, "enum { N = %d, GROUPS = %d, GUARDS = %d, LABELS = %d, ACTIONS = %d };\n",
		len(p.net.Components()), len(p.commands), len(p.guards), len(p.guards)+len(p.props), len(p.net.Alphabet()))
	p.writeCommands(&b)
	b.WriteString(pluginTell)
	p.writeLabels(&b)
	p.writeAll(&b)
	p.writeNames(&b)
	p.writeRelations(&b)
	b.WriteString(pluginInit)
	return b.String()
}

// writeCommands writes the commands as rows { component, from, to }.
func (p *plugin) writeCommands(b *strings.Builder) {
	b.WriteString("static const struct { int component, from, to; } moves[] = {\n")
	first := []string{"0"}
	count := 0
	for _, c := range p.commands {
		for _, m := range c.moves {
			fmt.Fprintf(b, "{%d,%d,%d},", m.component, m.from, m.to)
		}
		count += len(c.moves)
		first = append(first, fmt.Sprint(count))
	}
	fmt.Fprintf(b, "\n};\nstatic const int first[] = {%s};\n", strings.Join(first, ","))
	b.WriteString("static int labelOf[] = {")
	for _, c := range p.commands {
		fmt.Fprintf(b, "%d,", c.action)
	}
	b.WriteString("};\n")
}

func (p *plugin) writeLabels(b *strings.Builder) {
	b.WriteString("static int label(model_t self, int l, int *s) {\n\t(void)self;\n\tswitch (l) {\n")
	for i, l := range p.labels() {
		fmt.Fprintf(b, "\tcase %d: return %s;\n", i, l.condition())
	}
	b.WriteString("\t}\n\treturn 0;\n}\n")
	b.WriteString("static void guardLabels(int *s, int *l) {\n")
	for i, g := range p.guards {
		fmt.Fprintf(b, "\tl[%d] = s[%d]==%d;\n", i, g.component, g.state)
	}
	b.WriteString("}\n")
}

func (q prop) condition() string {
	cases := []string{"0"}
	for _, s := range q.states {
		cases = append(cases, fmt.Sprintf("s[%d]==%d", q.component, s))
	}
	return strings.Join(cases, " || ")
}

// writeAll writes the function that all of a search's time is spent in: for every
// rule, tables instead of a case for every command.
func (p *plugin) writeAll(b *strings.Builder) {
	for r, tables := range p.parts {
		for i, t := range tables {
			fmt.Fprintf(b, "static const int to%d_%d[] = {%s};\n", r, i, join(t.to))
			fmt.Fprintf(b, "static const int no%d_%d[] = {%s};\n", r, i, join(t.number))
		}
	}
	b.WriteString("static int all(model_t self, int *s, TransitionCB found, void *context) {\n\tint count = 0, d[N];\n\t(void)self;\n")
	for r, tables := range p.parts {
		if len(tables) == 0 || slices.ContainsFunc(tables, func(t table) bool { return !slices.ContainsFunc(t.to, func(s int32) bool { return s >= 0 }) }) {
			continue
		}
		var possible, numbers, updates []string
		for i, t := range tables {
			possible = append(possible, fmt.Sprintf("to%d_%d[s[%d]]>=0", r, i, t.component))
			numbers = append(numbers, fmt.Sprintf("no%d_%d[s[%d]]", r, i, t.component))
			updates = append(updates, fmt.Sprintf("d[%d] = to%d_%d[s[%d]];", t.component, r, i, t.component))
		}
		fmt.Fprintf(b, "\tif (%s) {\n\t\tmemcpy(d, s, sizeof d);\n\t\t%s\n", strings.Join(possible, " && "), strings.Join(updates, " "))
		fmt.Fprintf(b, "\t\ttell(%d + %s, d, found, context);\n\t\tcount++;\n\t}\n", p.base[r], strings.Join(numbers, " + "))
	}
	b.WriteString("\treturn count;\n}\n")
}

func join[T int | int32](numbers []T) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, ",")
}

func (p *plugin) writeNames(b *strings.Builder) {
	b.WriteString("static const char *const actions[] = {\n")
	for _, a := range p.net.Alphabet() {
		fmt.Fprintf(b, "%q,", a)
	}
	b.WriteString("\n};\nstatic int initial[] = {")
	for _, m := range p.net.Components() {
		fmt.Fprintf(b, "%d,", m.Initial()[0])
	}
	b.WriteString("};\n")
}

// writeRelations writes what the matrices hold, as pairs of row and column, and the
// guards of every command.
func (p *plugin) writeRelations(b *strings.Builder) {
	var labels, enables, disables, together, not, guards [][2]int
	for i, l := range p.labels() {
		labels = append(labels, [2]int{i, int(l.component)})
		for g := range p.commands {
			if p.commands[g].enables(l.component, l.states) {
				enables = append(enables, [2]int{i, g})
			}
			if p.commands[g].disables(l.component, l.states) {
				disables = append(disables, [2]int{i, g})
			}
		}
	}
	for i, g := range p.guards {
		for k, h := range p.guards {
			if g.component != h.component || g.state == h.state {
				together = append(together, [2]int{i, k})
			}
		}
	}
	for i := range p.commands {
		for k := range p.commands {
			if !accord(&p.commands[i], &p.commands[k]) {
				not = append(not, [2]int{i, k})
			}
		}
		for k, g := range p.guards {
			if p.commands[i].needs(g) {
				guards = append(guards, [2]int{i, k})
			}
		}
	}
	for _, r := range []struct {
		name  string
		pairs [][2]int
	}{
		{"of_label", labels}, {"enables", enables}, {"disables", disables}, {"together", together}, {"not_accord", not}, {"guards", guards},
	} {
		fmt.Fprintf(b, "static const int %s_pairs[][2] = {", r.name)
		for _, pair := range r.pairs {
			fmt.Fprintf(b, "{%d,%d},", pair[0], pair[1])
		}
		b.WriteString("{-1,-1}};\n")
	}
}

const pluginHead = `#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <ltsmin/pins.h>
#include <ltsmin/pins-util.h>
#include <ltsmin/dlopen-api.h>
#include <ltsmin/ltsmin-standard.h>
#include <ltsmin/lts-type.h>

char pins_plugin_name[] = "network";
`

// pluginTell follows the commands.
const pluginTell = `
static void tell(int group, int *next, TransitionCB found, void *context) {
	transition_info_t info = { &labelOf[group], group, 0 };
	found(context, &info, next, NULL);
}

static int one(model_t self, int group, int *s, TransitionCB found, void *context) {
	int d[N];
	(void)self;
	for (int m = first[group]; m < first[group + 1]; m++)
		if (s[moves[m].component] != moves[m].from)
			return 0;
	memcpy(d, s, sizeof d);
	for (int m = first[group]; m < first[group + 1]; m++)
		d[moves[m].component] = moves[m].to;
	tell(group, d, found, context);
	return 1;
}

static void group_of_labels(model_t self, sl_group_enum_t which, int count) {
	sl_group_t *g = malloc(sizeof *g + count * sizeof(int));
	g->count = count;
	for (int i = 0; i < count; i++)
		g->sl_idx[i] = i;
	GBsetStateLabelGroupInfo(self, which, g);
}
`

// pluginInit follows everything else.
const pluginInit = `
static void labels_of(model_t self, sl_group_enum_t which, int *s, int *l) {
	guardLabels(s, l);
	if (which != GB_SL_GUARDS)
		for (int i = GUARDS; i < LABELS; i++)
			l[i] = label(self, i, s);
}

static void describe(model_t self) {
	char name[32];
	lts_type_t t = lts_type_create();
	lts_type_set_state_length(t, N);
	int state = lts_type_add_type(t, "state", NULL), action = lts_type_add_type(t, "action", NULL);
	int truth = lts_type_add_type(t, "bool", NULL);
	lts_type_set_format(t, state, LTStypeDirect);
	lts_type_set_format(t, action, LTStypeEnum);
	lts_type_set_format(t, truth, LTStypeBool);
	for (int i = 0; i < N; i++) {
		snprintf(name, sizeof name, "v%d", i);
		lts_type_set_state_name(t, i, name);
		lts_type_set_state_typeno(t, i, state);
	}
	lts_type_set_edge_label_count(t, 1);
	lts_type_set_edge_label_name(t, 0, "action");
	lts_type_set_edge_label_typeno(t, 0, action);
	lts_type_set_state_label_count(t, LABELS);
	for (int i = 0; i < LABELS; i++) {
		snprintf(name, sizeof name, i < GUARDS ? "guard%d" : "q%d", i < GUARDS ? i : i - GUARDS);
		lts_type_set_state_label_name(t, i, name);
		lts_type_set_state_label_typeno(t, i, truth);
	}
	lts_type_validate(t);
	GBsetLTStype(self, t);
	for (int i = 0; i < ACTIONS; i++)
		pins_chunk_put_at(self, action, chunk_str((char *)actions[i]), i);
}

static void matrix(matrix_t *m, int rows, int columns, const int pairs[][2]) {
	dm_create(m, rows, columns);
	for (; (*pairs)[0] >= 0; pairs++)
		dm_set(m, (*pairs)[0], (*pairs)[1]);
}

static void guard_groups(model_t self) {
	static guard_t *guards[GROUPS];
	GBsetGuardsInfo(self, guards);
	for (int g = 0; g < GROUPS; g++) {
		guards[g] = malloc(sizeof(guard_t) + (first[g + 1] - first[g]) * sizeof(int));
		guards[g]->count = 0;
	}
	for (const int(*p)[2] = guards_pairs; (*p)[0] >= 0; p++)
		guards[(*p)[0]]->guard[guards[(*p)[0]]->count++] = (*p)[1];
}

void pins_model_init(model_t self) {
	static matrix_t reads, writes, both, of_label, enables, disables, together, not_accord;
	describe(self);
	GBsetInitialState(self, initial);
	GBsetNextStateLong(self, one);
	GBsetNextStateAll(self, all);
	GBsetStateLabelLong(self, label);
	GBsetStateLabelsGroup(self, labels_of);
	group_of_labels(self, GB_SL_GUARDS, GUARDS);
	group_of_labels(self, GB_SL_ALL, LABELS);
	dm_create(&reads, GROUPS, N);
	dm_create(&writes, GROUPS, N);
	dm_create(&both, GROUPS, N);
	for (int g = 0; g < GROUPS; g++)
		for (int m = first[g]; m < first[g + 1]; m++) {
			dm_set(&both, g, moves[m].component);
			dm_set(&reads, g, moves[m].component);
			if (moves[m].from != moves[m].to)
				dm_set(&writes, g, moves[m].component);
		}
	GBsetDMInfo(self, &both);
	GBsetDMInfoRead(self, &reads);
	GBsetDMInfoMayWrite(self, &writes);
	GBsetDMInfoMustWrite(self, &writes);
	matrix(&of_label, LABELS, N, of_label_pairs);
	matrix(&enables, LABELS, GROUPS, enables_pairs);
	matrix(&disables, LABELS, GROUPS, disables_pairs);
	matrix(&together, GUARDS, GUARDS, together_pairs);
	matrix(&not_accord, GROUPS, GROUPS, not_accord_pairs);
	GBsetStateLabelInfo(self, &of_label);
	GBsetGuardNESInfo(self, &enables);
	GBsetGuardNDSInfo(self, &disables);
	GBsetGuardCoEnabledInfo(self, &together);
	GBsetDoNotAccordInfo(self, &not_accord);
	guard_groups(self);
}
`
