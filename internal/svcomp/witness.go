package svcomp

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/seltl/seltl/internal/source"
)

// Witness is one of correctness, with invariants, or one of a violation, with segments.
type Witness struct {
	Violation bool
	Meta      Meta
	// Invariants hold whenever a run comes to where they stand.
	Invariants []Invariant
	// Segments are parts of a run, one after the other: each ends where its waypoint is passed for the first time. That
	// of the last one is the target.
	Segments []Segment
	Span     source.Span // where it stands
}

// Meta says what a witness is about, and who made it.
type Meta struct {
	UUID, Created                    string
	Producer, Version, Configuration string
	Files                            []string          // of the program, as they are called there
	Hashes                           map[string]string // SHA-256 by file
	Specification                    string
	Property                         *Property // that it is
	Model                            string    // "ILP32" or "LP64"
	Language                         string
}

// Location is a place in a program.
type Location struct {
	File         string
	Line, Column int    // from 1; Column is 0 if it is not said: then the leftmost place of the line that suits
	Function     string // "" if it is not said
	Span         source.Span
}

// Invariant is an expression that holds at a place.
type Invariant struct {
	Loop     bool // whenever the condition of the loop there is evaluated, not whenever the statement is begun
	Location Location
	Value    string // in C
	Span     source.Span
}

// Segment is a part of a run: on its way to Follow it passes none of Avoid.
type Segment struct {
	Follow Waypoint
	Avoid  []Waypoint
}

// Waypoint types.
const (
	Assumption     = "assumption"
	Branching      = "branching"
	FunctionEnter  = "function_enter"
	FunctionReturn = "function_return"
	Target         = "target"
)

// Waypoint is a place in a program, and what is to be the case there.
type Waypoint struct {
	Type       string
	Location   Location
	Constraint string // "" if there is none
	Span       source.Span
}

// maxSegments bounds the segments of a witness, and its invariants.
const maxSegments = 20_000

// ParseWitness reads a witness of format 2.0 or later. The error is a source.List.
func ParseWitness(src *source.File) (*Witness, error) {
	r := &reader{src: src, code: "svcomp-witness"}
	w := &Witness{}
	entries := r.items(r.parse(), "a witness", false)
	switch {
	case len(r.list) > 0:
	case len(entries) == 0:
		r.fail(src.Span(0, 0), "there is no witness in this file")
	case len(entries) > 1:
		r.fail(r.at(entries[1]), "there are several witnesses in this file: one is validated at a time")
	default:
		r.entry(w, entries[0])
	}
	if len(r.list) > 0 {
		return nil, r.list
	}
	return w, nil
}

func (r *reader) entry(w *Witness, n *yaml.Node) {
	w.Span = r.at(n)
	all := r.fields(n, "a witness")
	kind := r.text(r.needed(all, n, "entry_type"), "entry_type")
	w.Meta = r.meta(r.needed(all, n, "metadata"))
	content := r.items(r.needed(all, n, "content"), "content", false)
	if len(content) > maxSegments {
		r.fail(r.at(content[maxSegments]), "there are more than %d parts, which is the most that is read", maxSegments)
		return
	}
	switch kind {
	case "invariant_set":
		for _, c := range content {
			w.Invariants = append(w.Invariants, r.invariant(c))
		}
	case "violation_sequence":
		w.Violation = true
		for _, c := range content {
			w.Segments = append(w.Segments, r.segment(c))
		}
		r.targeted(w, n)
	case "":
	default:
		r.fail(r.at(all["entry_type"]), "entry_type %s is not known: invariant_set and violation_sequence are", source.Shown(kind))
	}
}

// targeted demands that the last segment, and no other, ends in the target.
func (r *reader) targeted(w *Witness, n *yaml.Node) {
	for i, s := range w.Segments {
		if last := i == len(w.Segments)-1; last != (s.Follow.Type == Target) && len(r.list) == 0 {
			r.fail(s.Follow.Span, "the target is the waypoint of the last segment, and of no other")
		}
		for _, a := range s.Avoid {
			if a.Type == Target {
				r.fail(a.Span, "a target cannot be avoided")
			}
		}
	}
	if len(w.Segments) == 0 && len(r.list) == 0 {
		r.fail(r.at(n), "there is no target: the content has no segments")
	}
}

func (r *reader) meta(n *yaml.Node) (m Meta) {
	all := r.fields(n, "metadata")
	if version := r.text(r.needed(all, n, "format_version"), "format_version"); n != nil && !strings.HasPrefix(version, "2.") && len(r.list) == 0 {
		r.fail(r.at(all["format_version"]), "format_version %s is not known, only 2.0 and its kind", source.Shown(version))
	}
	m.UUID, m.Created = r.text(all["uuid"], "uuid"), r.text(all["creation_time"], "creation_time")
	producer := r.fields(all["producer"], "producer")
	m.Producer, m.Version, m.Configuration = r.text(producer["name"], "name"), r.text(producer["version"], "version"), r.text(producer["configuration"], "configuration")
	at := r.needed(all, n, "task")
	task := r.fields(at, "task")
	for _, f := range r.items(r.needed(task, at, "input_files"), "input_files", true) {
		m.Files = append(m.Files, r.text(f, "a file"))
	}
	m.Hashes = map[string]string{}
	for name, hash := range r.fields(r.needed(task, at, "input_file_hashes"), "input_file_hashes") {
		m.Hashes[name] = strings.ToLower(r.text(hash, "a hash"))
	}
	m.Specification = r.text(r.needed(task, at, "specification"), "specification")
	m.Model, m.Language = r.text(r.needed(task, at, "data_model"), "data_model"), r.text(task["language"], "language")
	if len(r.list) > 0 {
		return m
	}
	p, bad := parseProperty(m.Specification, true)
	if bad != nil {
		r.fail(r.at(task["specification"]), "specification: %s", bad.text)
	}
	m.Property = p
	if m.Language != "" && m.Language != "C" {
		r.fail(r.at(task["language"]), "language %s is not known, only C", source.Shown(m.Language))
	}
	if m.Model != "ILP32" && m.Model != "LP64" {
		r.fail(r.at(task["data_model"]), "data_model is ILP32 or LP64")
	}
	return m
}

func (r *reader) location(n *yaml.Node) (l Location) {
	all := r.fields(n, "a location")
	l.File = r.text(r.needed(all, n, "file_name"), "file_name")
	l.Line, l.Column = r.number(r.needed(all, n, "line"), "line"), r.number(all["column"], "column")
	l.Function = r.text(all["function"], "function")
	if n != nil {
		l.Span = r.at(n)
	}
	return l
}

func (r *reader) invariant(n *yaml.Node) (i Invariant) {
	at := r.needed(r.fields(n, "an invariant"), n, "invariant")
	all := r.fields(at, "an invariant")
	switch kind := r.text(r.needed(all, at, "type"), "type"); kind {
	case "loop_invariant", "location_invariant":
		i.Loop = kind == "loop_invariant"
	case "":
	default:
		r.fail(r.at(all["type"]), "invariants of the type %s are not known", source.Shown(kind))
	}
	i.Location = r.location(r.needed(all, at, "location"))
	value := r.needed(all, at, "value")
	if i.Value = r.text(value, "value"); value != nil {
		i.Span = r.at(value)
	}
	r.format(all["format"])
	return i
}

// format demands an expression of C.
func (r *reader) format(n *yaml.Node) {
	if format := r.text(n, "format"); format != "" && format != "c_expression" {
		r.fail(r.at(n), "the format %s is not read, only c_expression", source.Shown(format))
	}
}

func (r *reader) segment(n *yaml.Node) (s Segment) {
	at := r.needed(r.fields(n, "a segment"), n, "segment")
	follows := 0
	for _, c := range r.items(at, "a segment", false) {
		point := r.needed(r.fields(c, "a waypoint"), c, "waypoint")
		all := r.fields(point, "a waypoint")
		w := r.waypoint(point, all)
		switch action := r.text(r.needed(all, point, "action"), "action"); action {
		case "follow":
			follows++
			s.Follow = w
		case "avoid":
			s.Avoid = append(s.Avoid, w)
		case "":
		default:
			r.fail(r.at(all["action"]), "the action is follow or avoid, not %s", source.Shown(action))
		}
	}
	if follows != 1 && n != nil {
		r.fail(r.at(n), "a segment has one waypoint to follow")
	}
	return s
}

// kinds are the types of waypoints, in the order of the format.
var kinds = []string{Assumption, Target, FunctionEnter, FunctionReturn, Branching}

func (r *reader) waypoint(n *yaml.Node, all map[string]*yaml.Node) (w Waypoint) {
	if n == nil {
		return w
	}
	w.Span, w.Type = r.at(n), r.text(r.needed(all, n, "type"), "type")
	if w.Type != "" && !slices.Contains(kinds, w.Type) {
		r.fail(r.at(all["type"]), "waypoints of the type %s are not known", source.Shown(w.Type))
	}
	if all["thread_id"] != nil {
		r.fail(r.at(all["thread_id"]), "waypoints of threads are not supported")
	}
	w.Location = r.location(r.needed(all, n, "location"))
	constraint := r.fields(all["constraint"], "a constraint")
	w.Constraint = strings.TrimSpace(r.text(constraint["value"], "value"))
	switch w.Type {
	case Assumption:
		r.format(constraint["format"])
		if w.Constraint == "" {
			r.fail(w.Span, "an assumption has a constraint with a value")
		}
	case Branching:
		if w.Constraint == "" {
			r.fail(w.Span, "a branching has a constraint with a value: true, false, a number, or default")
		}
	case Target, FunctionEnter:
		if w.Constraint != "" && w.Constraint != "true" {
			r.fail(w.Span, "a waypoint of the type %s has no constraint", w.Type)
		}
		w.Constraint = ""
	}
	return w
}
