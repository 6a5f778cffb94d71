package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// JSON reads one value, so large as Read's MaxText allows, with nothing behind it. what is
// what it should be, for messages: null is none. They name the text as r does, if it has a name.
// The error is r's, or a List. With the value comes its text, for messages about its parts.
func JSON[T any](what string, r io.Reader) (*T, *JSONText, error) {
	file, err := Read(NameOf(r, "<"+what+">"), r, MaxText)
	if err != nil {
		return nil, nil, err
	}
	return JSONOf[T](what, file)
}

// JSONOf is JSON of a text that was read.
func JSONOf[T any](what string, file *File) (*T, *JSONText, error) {
	text := &JSONText{file}
	wrong := func(at int, format string, args ...any) error {
		var errs List
		at = min(max(at, 0), len(file.Text()))
		errs.Errorf(file.Span(at, min(at+1, len(file.Text()))), "json", "this is no %s: %s", what, fmt.Sprintf(format, args...))
		return errs
	}
	var value *T
	in := json.NewDecoder(strings.NewReader(file.Text()))
	if err := in.Decode(&value); err != nil {
		var syntax *json.SyntaxError
		var other *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			return nil, nil, wrong(int(syntax.Offset)-1, "%v", syntax)
		case errors.As(err, &other):
			return nil, nil, wrong(int(other.Offset)-1, "here is %s %s, where something else is expected", article(other.Value), other.Value)
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil, nil, wrong(len(file.Text()), "it ends too early")
		}
		return nil, nil, wrong(0, "%v", err)
	}
	if value == nil {
		return nil, nil, wrong(0, "null")
	}
	end := in.InputOffset()
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, nil, wrong(text.skip(int(end)), "more text follows it")
	}
	return value, text, nil
}

// NameOf is the name that a reader has, or else another one.
func NameOf(r io.Reader, other string) string {
	if named, is := r.(interface{ Name() string }); is {
		return named.Name()
	}
	return other
}

func article(word string) string {
	if strings.ContainsAny(word[:1], "aeio") {
		return "an"
	}
	return "a"
}

// Reader reads the text; it has the file's name.
func (f *File) Reader() io.Reader { return Named(strings.NewReader(f.text), f.name) }

// Named is a reader with a name, by which messages call what is read.
func Named(r io.Reader, name string) io.Reader { return namedReader{r, name} }

type namedReader struct {
	io.Reader
	name string
}

func (r namedReader) Name() string { return r.name }

// JSONText is the text of a value.
type JSONText struct{ file *File }

// At is where a part of the value begins, by names of members and numbers of elements; of what
// is not there, the place of what should have it. Time O(length of the text).
func (t *JSONText) At(path ...any) Span {
	start, end := t.find(json.NewDecoder(strings.NewReader(t.file.Text())), path)
	return t.file.Span(start, end)
}

// Errorf is an error at a part of the value, a List.
func (t *JSONText) Errorf(path []any, code, format string, args ...any) error {
	var errs List
	errs.Errorf(t.At(path...), code, format, args...)
	return errs
}

// Within is an error about the text in a string of the value: where it has places, they are in that
// text, and the string's own is said, too.
func (t *JSONText) Within(path []any, err error) error {
	var errs List
	if !errors.As(err, &errs) || len(errs) == 0 {
		return t.Errorf(path, "json", "%v", err)
	}
	errs = append(List(nil), errs...)
	errs[0].Related = append(errs[0].Related[:len(errs[0].Related):len(errs[0].Related)], Related{t.At(path...), "in this text"})
	return errs
}

// find goes to a part of the next value.
func (t *JSONText) find(in *json.Decoder, path []any) (start, end int) {
	start = t.skip(int(in.InputOffset()))
	token, err := in.Token()
	end = int(in.InputOffset())
	if err != nil || len(path) == 0 {
		return start, end
	}
	for n := 0; in.More(); n++ {
		var here any = n
		if token == json.Delim('{') {
			key, err := in.Token()
			if err != nil {
				return start, end
			}
			here = key
		} else if token != json.Delim('[') {
			return start, end
		}
		if here == path[0] {
			return t.find(in, path[1:])
		}
		var other json.RawMessage
		if in.Decode(&other) != nil {
			return start, end
		}
	}
	return start, end
}

// skip passes over blanks and what separates values.
func (t *JSONText) skip(at int) int {
	text := t.file.Text()
	for at < len(text) && strings.IndexByte(" \t\r\n,:", text[at]) >= 0 {
		at++
	}
	return at
}
