package svcomp

import (
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/seltl/seltl/internal/lists"
)

// Texts as YAML has them, in the order of the format.
type (
	entryText struct {
		Type     string   `yaml:"entry_type"`
		Metadata metaText `yaml:"metadata"`
		Content  any      `yaml:"content"`
	}
	metaText struct {
		Version  string       `yaml:"format_version"`
		UUID     string       `yaml:"uuid"`
		Created  string       `yaml:"creation_time"`
		Producer producerText `yaml:"producer"`
		Task     taskText     `yaml:"task"`
	}
	producerText struct {
		Name          string `yaml:"name"`
		Version       string `yaml:"version"`
		Configuration string `yaml:"configuration,omitempty"`
	}
	taskText struct {
		Files         []string          `yaml:"input_files"`
		Hashes        map[string]string `yaml:"input_file_hashes"`
		Specification string            `yaml:"specification"`
		Model         string            `yaml:"data_model"`
		Language      string            `yaml:"language"`
	}
	placeText struct {
		File     string `yaml:"file_name"`
		Line     int    `yaml:"line"`
		Column   int    `yaml:"column,omitempty"`
		Function string `yaml:"function,omitempty"`
	}
	invariantText struct {
		Invariant invariantFields `yaml:"invariant"`
	}
	invariantFields struct {
		Type     string    `yaml:"type"`
		Location placeText `yaml:"location"`
		Value    string    `yaml:"value"`
		Format   string    `yaml:"format"`
	}
	segmentText struct {
		Segment []waypointText `yaml:"segment"`
	}
	waypointText struct {
		Waypoint waypointFields `yaml:"waypoint"`
	}
	waypointFields struct {
		Type       string          `yaml:"type"`
		Action     string          `yaml:"action"`
		Location   placeText       `yaml:"location"`
		Constraint *constraintText `yaml:"constraint,omitempty"`
	}
	constraintText struct {
		Value  string `yaml:"value"`
		Format string `yaml:"format,omitempty"`
	}
)

// formats are what constraints are written in, by the type of their waypoint.
var formats = map[string]string{Assumption: "c_expression", FunctionReturn: "acsl_expression"}

// Write writes a witness of format 2.0. The error is out's.
func (w *Witness) Write(out io.Writer) error {
	e := entryText{Type: "invariant_set", Metadata: metaText{
		Version: "2.0", UUID: w.Meta.UUID, Created: w.Meta.Created,
		Producer: producerText{w.Meta.Producer, w.Meta.Version, w.Meta.Configuration},
		Task:     taskText{w.Meta.Files, w.Meta.Hashes, w.Meta.Specification, w.Meta.Model, "C"},
	}}
	if w.Violation {
		e.Type, e.Content = "violation_sequence", w.segments()
	} else {
		e.Content = w.invariants()
	}
	enc := yaml.NewEncoder(out)
	enc.SetIndent(2)
	if err := enc.Encode([]entryText{e}); err != nil {
		return err
	}
	return enc.Close()
}

func (l Location) text() placeText { return placeText{l.File, l.Line, l.Column, l.Function} }

func (w *Witness) invariants() []invariantText {
	all := []invariantText{}
	for _, i := range w.Invariants {
		kind := "location_invariant"
		if i.Loop {
			kind = "loop_invariant"
		}
		all = append(all, invariantText{invariantFields{kind, i.Location.text(), i.Value, "c_expression"}})
	}
	return all
}

func (w *Witness) segments() []segmentText {
	all := []segmentText{}
	point := func(p Waypoint, action string) waypointText {
		f := waypointFields{Type: p.Type, Action: action, Location: p.Location.text()}
		if p.Constraint != "" {
			f.Constraint = &constraintText{p.Constraint, formats[p.Type]}
		}
		return waypointText{f}
	}
	for _, s := range w.Segments {
		points := lists.Append(nil, s.Avoid, func(a Waypoint) waypointText { return point(a, "avoid") })
		all = append(all, segmentText{append(points, point(s.Follow, "follow"))})
	}
	return all
}
