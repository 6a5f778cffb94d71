package svcomp

import (
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// Task is a program with questions about it.
type Task struct {
	Files    []string // of the program, as they are written: relative to the folder of the task
	Language string   // "C", "" if it does not say
	Model    string   // "ILP32", "LP64", "" if it does not say
	Asked    []Asked
}

// Asked is a property of a task.
type Asked struct {
	File string      // the property's, as it is written
	At   source.Span // where
	// Expected is the verdict that should come, as far as Known.
	Expected, Known bool
	Subproperty     string // that a program expected to fail violates
}

// ParseTask reads a task definition. The error is a source.List.
func ParseTask(src *source.File) (*Task, error) {
	r := &reader{src: src, code: "svcomp-task"}
	root := r.parse()
	t := &Task{}
	all := r.fields(root, "a task")
	if version := r.text(r.needed(all, root, "format_version"), "format_version"); root != nil && len(r.list) == 0 && version != "1.0" && version != "2.0" && !strings.HasPrefix(version, "2.") {
		r.fail(r.at(all["format_version"]), "format_version %s is not known, only 2.0", source.Shown(version))
	}
	for _, n := range r.items(r.needed(all, root, "input_files"), "input_files", true) {
		t.Files = append(t.Files, r.text(n, "a file"))
	}
	if len(t.Files) == 0 && root != nil {
		r.fail(r.at(root), "the task has no input files")
	}
	for _, n := range r.items(all["properties"], "properties", false) {
		fields := r.fields(n, "a property")
		a := Asked{File: r.text(r.needed(fields, n, "property_file"), "property_file"), Subproperty: r.text(fields["subproperty"], "subproperty")}
		if at := fields["property_file"]; at != nil {
			a.At = r.at(at)
		}
		if v := fields["expected_verdict"]; v != nil {
			switch word := r.text(v, "expected_verdict"); strings.ToLower(word) {
			case "true", "false":
				a.Expected, a.Known = strings.EqualFold(word, "true"), true
			case "", "unknown":
			default:
				r.fail(r.at(v), "expected_verdict is true or false")
			}
		}
		t.Asked = append(t.Asked, a)
	}
	options := r.fields(all["options"], "options")
	t.Language, t.Model = r.text(options["language"], "language"), r.text(options["data_model"], "data_model")
	if len(r.list) > 0 {
		return nil, r.list
	}
	return t, nil
}
