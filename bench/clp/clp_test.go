package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/bench/internal/decide"
)

// TestSummary: what is counted, and that answers that differ are an error.
func TestSummary(t *testing.T) {
	answer := func(verdict string) decide.Answer { return decide.Answer{Verdict: verdict, CPU: time.Second} }
	b := &bench{lanes: lanes[:1], rows: []row{
		{query: query{"x", "x/a"}, expect: "safe", answers: []decide.Answer{answer("safe"), answer("safe")}},
		{query: query{"x", "x/b"}, answers: []decide.Answer{answer("unsafe"), answer("unknown")}},
		{query: query{"y", "y/c"}, answers: []decide.Answer{answer("unknown"), answer("safe")}},
	}}
	var out strings.Builder
	b.header(&out)
	b.summary(&out)
	for _, want := range []string{"| car | 2 | 1 | 1 | 0 | 100% | 1 | 1 | 1.0 | 1.0 |", "| spacer | 2 | 2 | 0 | 0 | 100% | 0 | 0 | 2.0 | 2.0 |",
		"| x | 2 | 2 | 1 |", "| y | 1 | 0 | 1 |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s\nlacks %s", out.String(), want)
		}
	}
	if err := b.verdict(io.Discard); err != nil {
		t.Error(err)
	}
	b.rows[0].answers[0] = answer("unsafe")
	if b.verdict(io.Discard) == nil {
		t.Error("a wrong answer is no error")
	}
}

// TestQueries: the queries of specs say what they expect.
func TestQueries(t *testing.T) {
	files, err := queriesIn(filepath.Join("..", "..", "specs", "clp"))
	if err != nil || len(files) < 9 {
		t.Fatal(files, err)
	}
}
