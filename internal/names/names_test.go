package names_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/names"
)

type colour int

const (
	red colour = iota
	green
	blue
)

var colours = names.Of[colour]("colour", "red", "green", "blue")

func (c colour) String() string                   { return colours.String(c) }
func (c colour) MarshalText() ([]byte, error)     { return colours.Marshal(c) }
func (c *colour) UnmarshalText(text []byte) error { return colours.Unmarshal(text, c) }

func TestTable(t *testing.T) {
	var got []colour
	if err := json.Unmarshal([]byte(`["blue", "red", "green"]`), &got); err != nil || !slices.Equal(got, []colour{blue, red, green}) {
		t.Errorf("%v, %v", got, err)
	}
	if text, err := json.Marshal(got); string(text) != `["blue","red","green"]` || err != nil {
		t.Errorf("%s, %v", text, err)
	}
	if list := colours.List(); !slices.Equal(list, []string{"red", "green", "blue"}) {
		t.Error(list)
	}
}

func TestUnknown(t *testing.T) {
	c := green
	for text, want := range map[string]string{
		"":       `unknown colour "": one of red, green, blue is needed`,
		"gren":   `unknown colour "gren": one of red, green, blue is needed; did you mean "green"?`,
		"Red":    `unknown colour "Red": one of red, green, blue is needed; did you mean "red"?`,
		"yellow": `unknown colour "yellow": one of red, green, blue is needed`,
	} {
		if err := c.UnmarshalText([]byte(text)); err == nil || err.Error() != want || c != green {
			t.Errorf("%q: %v, %v, want %s", text, err, c, want)
		}
	}
	for _, none := range []colour{-1, 3} {
		if text := fmt.Sprint(none); text != fmt.Sprintf("colour %d", none) {
			t.Error(text)
		}
		if text, err := json.Marshal(none); err == nil {
			t.Errorf("%s is written", text)
		}
	}
}
