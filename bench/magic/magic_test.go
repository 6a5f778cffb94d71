package main

import (
	"path/filepath"
	"testing"
)

// TestColumns: what is measured without -columns is there, and what is not is an error.
func TestColumns(t *testing.T) {
	b := &bench{}
	if err := b.choose(allColumns(), "", filepath.Join(t.TempDir(), "none")); len(b.columns) != len(columns) {
		t.Errorf("%d columns, %v", len(b.columns), err)
	}
	if err := (&bench{}).choose("minimum", "", t.TempDir()); err == nil {
		t.Error("a column that there is not is chosen")
	}
}
