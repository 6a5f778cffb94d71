package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cmdline"
)

// The command prints an address, answers there, and ends with its context.
func TestServe(t *testing.T) {
	out, w := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error, 1)
	go func() {
		s := cmdline.Streams{In: strings.NewReader(""), Out: w, Err: io.Discard, Opened: &check.Opened{}}
		ended <- newApp(s).RunContext(ctx, []string{"seltl", "serve", "--addr", "127.0.0.1:0", "--timeout", "1s", filepath.Join("..", "..", "specs", "classics")})
		w.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err, <-ended)
	}
	go io.Copy(io.Discard, out)
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+/\?token=\w{64}`).FindString(line)
	answer, err := http.Get(address)
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	page, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || answer.StatusCode != 200 || !strings.Contains(string(page), "<title>seltl</title>") {
		t.Errorf("%s: %d %v %.100s", address, answer.StatusCode, err, page)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// served finds the folder of models, wherever they lie.
func TestServed(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", "..", "specs"))
	if err != nil {
		t.Fatal(err)
	}
	in := func(names ...string) (all []string) {
		for _, n := range names {
			all = append(all, filepath.Join("..", "..", "specs", n))
		}
		return all
	}
	for _, c := range []struct {
		args   []string
		folder string
		models string
	}{
		{nil, ".", ""},
		{in("classics"), in("classics")[0], ""},
		{in("first.lks"), root, "first.lks"},
		{in("classics/mutex.lks", "classics/elevator.lks"), filepath.Join(root, "classics"), "mutex.lks elevator.lks"},
		{in("classics/mutex.lks", "fairness/kinds.lks", "first.lks"), root, "classics/mutex.lks fairness/kinds.lks first.lks"},
	} {
		folder, models, err := served(c.args)
		if got := strings.Join(models, " "); err != nil || folder != c.folder || filepath.ToSlash(got) != c.models {
			t.Errorf("%v: %s, %s, %v", c.args, folder, got, err)
		}
	}
}
