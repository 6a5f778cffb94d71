package check

import (
	"context"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/internal/testing/sight"
	"github.com/seltl/seltl/lks"
)

// compositions are those of the processes of all models of specs that have few states.
func compositions(t *testing.T, most int) map[string]*lks.LKS {
	t.Helper()
	all := map[string]*lks.LKS{}
	err := filepath.WalkDir(filepath.Join("..", "specs"), func(path string, d fs.DirEntry, err error) error {
		if filepath.Ext(path) != ".lks" {
			return err
		}
		opts := Options{}
		opts.Limits.States = int64(most)
		m, err := Load(context.Background(), path, LoadOptions{})
		if err != nil {
			return nil // it needs parameters
		}
		if built, _, err := Compose(context.Background(), m, Unminimised, opts); err == nil && built.NumStates() <= most {
			all[filepath.Base(path)] = built
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestPictures: in pictures of the models of specs nothing lies on what it should not, and
// lines cross no more often than in those of Graphviz, where that is installed, nor are these
// smaller.
func TestPictures(t *testing.T) {
	most := 60
	if testing.Short() {
		most = 40
	}
	_, noDot := exec.LookPath("dot")
	crossings, theirs, area, their := 0, 0, 0.0, 0.0
	clear, clearer := 0, 0 // of what dot draws with few crossings: people look at lines there
	models := compositions(t, most)
	if len(models) < 10 {
		t.Fatalf("only %d small models", len(models))
	}
	for name, m := range models {
		var svg strings.Builder
		if err := lks.WriteSVG(&svg, m); err != nil {
			t.Fatal(err)
		}
		p, err := sight.Read(svg.String(), diagram.Width)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range p.Overlaps() {
			t.Errorf("%s: %s", name, o)
		}
		for _, both := range p.Pierced() {
			t.Errorf("%s: the line from %s to %s runs through the arrowhead from %s to %s", name, both[1].From, both[1].To, both[0].From, both[0].To)
		}
		if noDot != nil || testing.Short() {
			continue
		}
		best, c := 0.0, 0
		for _, right := range []bool{false, true} {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			d, err := p.Graphviz(ctx, right)
			cancel()
			if err == nil && (best == 0 || d.Width*d.Height < best) {
				best, c = d.Width*d.Height, d.Crossings()
			}
		}
		if best == 0 {
			t.Logf("%s: dot takes more than 10 s", name)
			continue
		}
		ours := p.Crossings()
		t.Logf("%-20s %3d states: %4.0f x %4.0f; %4d crossings, of dot %4d; %.2f times the area", name, m.NumStates(), p.Width, p.Height, ours, c, p.Area()/best)
		crossings, theirs, area, their = crossings+ours, theirs+c, area+p.Area(), their+best
		if c <= 100 {
			clear, clearer = clear+ours, clearer+c
		}
	}
	if theirs > 0 {
		t.Logf("%d crossings, %d in pictures of dot (%.2f times), where these have few %d and %d; %.2f times the area", crossings, theirs, float64(crossings)/float64(theirs), clear, clearer, area/their)
		if clear > clearer || area > their {
			t.Error("worse than dot")
		}
	}
}
