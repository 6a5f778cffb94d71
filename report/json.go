package report

import (
	_ "embed"
	"encoding/json"
	"io"
)

// SchemaJSON is the JSON schema (draft 2020-12) of the JSON form.
//
//go:embed schema.json
var SchemaJSON []byte

// JSON renders the whole report, indented, with a final newline.
func (r *Report) JSON(w io.Writer) error {
	if r.Results == nil {
		r.Results = []Result{}
	}
	r.Schema = Schema
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}
