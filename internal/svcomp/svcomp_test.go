package svcomp

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seltl/seltl/internal/source"
)

func TestProperty(t *testing.T) {
	for text, want := range map[string]Property{
		"CHECK( init(main()), LTL(G ! call(reach_error())) )":        {Kind: UnreachCall, Target: "reach_error", Entry: "main"},
		"CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\n": {Kind: UnreachCall, Target: "__VERIFIER_error", Entry: "main"},
		"CHECK(init(go()),LTL(G !call(reach_error())))":              {Kind: UnreachCall, Target: "reach_error", Entry: "go"},
		"CHECK( init(main()), LTL(G ! label(ERROR)) )":               {Kind: UnreachLabel, Target: "ERROR", Entry: "main"},
		"CHECK( init(main()), LTL(G ! overflow) )":                   {Kind: NoOverflow, Entry: "main"},
		"CHECK( init(main()), LTL(F end) )":                          {Kind: Termination, Entry: "main"},
		"CHECK( init(main()), LTL(G ! data-race) )":                  {Kind: NoDataRace, Entry: "main"},
		"CHECK( init(main()), LTL(G valid-memcleanup) )":             {Kind: ValidMemclean, Entry: "main"},
		"CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\nCHECK( init(main()), LTL(G valid-memtrack) )": {Kind: ValidMemsafety, Entry: "main"},
		"CHECK( init(main()), LTL(G valid-deref) )": {Kind: ValidDeref, Entry: "main"},
		"CHECK( init(main()), LTL(G F x) )":         {Kind: Other, Entry: "main"},
	} {
		p, err := ParseProperty(source.NewFile("x/name.prp", text))
		if err != nil || p.Kind != want.Kind || p.Target != want.Target || p.Entry != want.Entry || p.Name != "name" {
			t.Errorf("%q: %+v, %v", text, p, err)
			continue
		}
		again, err := ParseProperty(source.NewFile("b.prp", p.String()))
		if err != nil || !again.Same(p) {
			t.Errorf("%q: written as %q", text, p)
		}
	}
	for _, text := range []string{"", "G ! overflow", "CHECK( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )", "CHECK( init(main()), LTL(F end) )\nCHECK( init(go()), LTL(F end) )", "CHECK("} {
		if p, err := ParseProperty(source.NewFile("a.prp", text)); err == nil {
			t.Errorf("%q is read as %+v", text, p)
		}
	}
	for _, k := range Kinds() {
		if p := Named(string(k)); p == nil || p.Kind != k {
			t.Errorf("%s: %+v", k, p)
		}
	}
}

func TestTask(t *testing.T) {
	task, err := ParseTask(source.NewFile("a.yml", `format_version: '2.0'
input_files:
  - 'a.i'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: false
  - property_file: ../properties/valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-deref
  - property_file: ../properties/termination.prp
options:
  language: C
  data_model: ILP32
additional_information: {anything: [1, 2]}
`))
	want := &Task{Files: []string{"a.i"}, Language: "C", Model: "ILP32", Asked: []Asked{
		{File: "../properties/unreach-call.prp", Known: true}, {File: "../properties/valid-memsafety.prp", Known: true, Subproperty: "valid-deref"}, {File: "../properties/termination.prp"}}}
	if diff := cmp.Diff(want, task, cmpopts.IgnoreFields(Asked{}, "At")); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	for text, message := range map[string]string{
		"":                                    "empty",
		"- a\n":                               "has fields",
		"format_version: '2.0'\n":             "there is no input_files",
		"format_version: '3'\ninput_files: a": "is not known",
		"format_version: '2.0'\ninput_files: a\nproperties:\n  - expected_verdict: true":                      "there is no property_file",
		"format_version: '2.0'\ninput_files: a\nproperties:\n  - {property_file: p, expected_verdict: maybe}": "true or false",
		"format_version: '2.0'\ninput_files: &a b\nproperties: *a":                                            "aliases",
		"format_version: '2.0'\nformat_version: '2.0'\n":                                                      "twice",
		"a: [":                    "no YAML",
		strings.Repeat("[", 2000): "nested",
		"input_files: a\nformat_version: " + strings.Repeat("[", 50) + strings.Repeat("]", 50): "nested",
	} {
		if _, err := ParseTask(source.NewFile("a.yml", text)); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%.60q: %v, want %s", text, err, message)
		}
	}
}

const violation = `- entry_type: violation_sequence
  metadata:
    format_version: "2.0"
    uuid: 1
    creation_time: now
    producer: {name: x, version: y}
    task:
      input_files: [a.c]
      input_file_hashes: {a.c: ABC}
      specification: G ! call(reach_error())
      data_model: LP64
      language: C
  content:
  - segment:
    - waypoint: {type: branching, action: avoid, constraint: {value: 'true'}, location: {file_name: a.c, line: 3, column: 4}}
    - waypoint: {type: assumption, action: follow, constraint: {value: x > 1, format: c_expression}, location: {file_name: a.c, line: 3}}
  - segment:
    - waypoint: {type: target, action: follow, location: {file_name: a.c, line: 9, function: f}}
`

func TestWitness(t *testing.T) {
	w, err := ParseWitness(source.NewFile("w.yml", violation))
	if err != nil {
		t.Fatal(err)
	}
	if !w.Violation || len(w.Segments) != 2 || len(w.Segments[0].Avoid) != 1 || w.Segments[0].Follow.Constraint != "x > 1" || w.Meta.Hashes["a.c"] != "abc" || w.Meta.Property.Kind != UnreachCall {
		t.Errorf("%+v", w)
	}
	var b bytes.Buffer
	if err := w.Write(&b); err != nil {
		t.Fatal(err)
	}
	again, err := ParseWitness(source.NewFile("w.yml", b.String()))
	same := []cmp.Option{cmpopts.IgnoreFields(Location{}, "Span"), cmpopts.IgnoreFields(Invariant{}, "Span"), cmpopts.IgnoreFields(Waypoint{}, "Span"), cmpopts.IgnoreFields(Witness{}, "Span")}
	if diff := cmp.Diff(w, again, same...); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, c := range []struct{ old, new, message string }{
		{"violation_sequence", "something", "not known"},
		{`"2.0"`, `"1.0"`, "not known"},
		{"LP64", "LLP64", "data_model"},
		{"language: C", "language: Java", "language"},
		{"specification: G ! call(reach_error())", "specification: CHECK(", "no property"},
		{"type: target, action: follow", "type: target, action: avoid", "follow"},
		{"type: target", "type: assumption", "constraint"},
		{"type: assumption, action: follow, constraint: {value: x > 1, format: c_expression}", "type: target, action: follow", "last segment"},
		{"line: 9", "line: 0", "number"},
		{"line: 9", "line: x", "number"},
		{"file_name: a.c, line: 9", "line: 9", "file_name"},
		{"c_expression", "acsl", "format"},
		{"action: avoid", "action: follow", "one waypoint to follow"},
		{"action: avoid", "action: wander", "follow or avoid"},
		{"value: 'true'", "valu: 'true'", "branching"},
		{"      input_file_hashes: {a.c: ABC}\n", "", "input_file_hashes"},
		{"type: target, ", "type: target, thread_id: 1, ", "threads"},
	} {
		text := strings.Replace(violation, c.old, c.new, 1)
		if text == violation {
			t.Fatalf("%q is not there", c.old)
		}
		if _, err := ParseWitness(source.NewFile("w.yml", text)); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s for %s: %v", c.new, c.old, err)
		}
	}
	if _, err := ParseWitness(source.NewFile("w.yml", violation+violation)); err == nil || !strings.Contains(err.Error(), "several") {
		t.Error(err)
	}
}

// FuzzRead: no text panics, or takes long; what is read as a witness is read again when it is written.
func FuzzRead(f *testing.F) {
	f.Add(violation)
	f.Add("format_version: '2.0'\ninput_files: a.c\nproperties:\n - property_file: p\n   expected_verdict: true\n")
	f.Add("CHECK( init(main()), LTL(G ! call(reach_error())) )")
	f.Add("a: &b [*b]")
	f.Fuzz(func(t *testing.T, text string) {
		src := source.NewFile("a", text)
		if p, err := ParseProperty(src); err == nil {
			if again, err := ParseProperty(source.NewFile("a", p.String())); err != nil || !again.Same(p) {
				t.Errorf("%q is written as %q", text, p)
			}
		}
		_, _ = ParseTask(src)
		w, err := ParseWitness(src)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := w.Write(&b); err != nil {
			t.Fatal(err)
		}
		if again, err := ParseWitness(source.NewFile("a", b.String())); err != nil || len(again.Segments) != len(w.Segments) || len(again.Invariants) != len(w.Invariants) {
			t.Errorf("%q is written as %q: %v", text, b.String(), err)
		}
	})
}
