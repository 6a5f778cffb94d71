package buchi_test

import (
	"errors"
	"testing"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/ltl"
)

func TestNilFormula(t *testing.T) {
	if _, err := buchi.Translate(nil, buchi.Options{}); !errors.Is(err, ltl.ErrNil) {
		t.Errorf("Translate: %v", err)
	}
	if _, err := buchi.Prefixes(nil, buchi.Options{}); !errors.Is(err, ltl.ErrNil) {
		t.Errorf("Prefixes: %v", err)
	}
	if _, err := buchi.Classify(nil, buchi.Options{}); !errors.Is(err, ltl.ErrNil) {
		t.Errorf("Classify: %v", err)
	}
}
