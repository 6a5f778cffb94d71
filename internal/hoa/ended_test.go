package hoa

import (
	"io"
	"strings"
	"testing"
)

// TestNoText: a NUL character ends reading, and is told once.
func TestNoText(t *testing.T) {
	r := NewReader("a", strings.NewReader("HOA: v1\nSta\x00tes: 1\n--END--\nHOA: v1\n"))
	if _, err := r.Next(); err == nil || !strings.Contains(err.Error(), "NUL") || !strings.Contains(err.Error(), "2:4") {
		t.Errorf("%v", err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("%v, wanted the end", err)
	}
}
