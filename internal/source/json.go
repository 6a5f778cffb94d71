package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// JSON reads one value, so large as Read's MaxText allows, with nothing behind it. what is
// what it should be, for messages: null is none. The error is r's, a List for a longer text,
// or says what is wrong.
func JSON[T any](what string, r io.Reader) (*T, error) {
	text, err := Read("<"+what+">", r, MaxText)
	if err != nil {
		return nil, err
	}
	var value *T
	in := json.NewDecoder(strings.NewReader(text.Text()))
	if err := in.Decode(&value); err != nil {
		return nil, fmt.Errorf("not a %s: %w", what, err)
	}
	if value == nil {
		return nil, fmt.Errorf("not a %s: null", what)
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("not a %s: more text follows it", what)
	}
	return value, nil
}
