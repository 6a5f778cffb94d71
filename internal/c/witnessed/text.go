package witnessed

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// insertion is text that is put around a part of a source.
type insertion struct {
	from, to   int
	open, shut string
	mark       int // of what it says, -1 if nobody asks
	// blank: there is nothing in between, and a 1 is to be.
	blank bool
}

// filled are insertions in which the blank ones of a place are one.
func filled(all []insertion) (some []insertion) {
	at := map[int]int{}
	for _, x := range all {
		k, known := at[x.to]
		switch {
		case !x.blank:
			some = append(some, x)
		case known:
			some[k].open, some[k].shut = some[k].open+x.open, x.shut+some[k].shut
		default:
			at[x.to] = len(some)
			x.from = x.to
			some = append(some, x)
		}
	}
	for _, k := range at {
		some[k].open, some[k].shut = some[k].open+"1"+some[k].shut, ""
	}
	return some
}

// region is where inserted text stands in the new source.
type region struct{ from, to, mark int }

// woven is a source with insertions, which do not cross.
type woven struct {
	old, new *source.File
	regions  []region
	places   []place
}

// place is an offset in both.
type place struct{ old, new int }

// weave puts text into a source. Of insertions around the same part the first is outermost.
func weave(old *source.File, all []insertion) *woven {
	type end struct {
		at    int
		shut  bool
		other int // where the other end is
		nth   int
		text  string
		mark  int
	}
	var ends []end
	for i, x := range filled(all) {
		ends = append(ends, end{x.from, false, x.to, i, x.open, x.mark})
		if x.shut != "" {
			ends = append(ends, end{x.to, true, x.from, i, x.shut, -1})
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int {
		empty := func(e end) bool { return e.at == e.other }
		switch {
		case a.at != b.at:
			return a.at - b.at
		case empty(a) && empty(b) && a.nth == b.nth: // both ends of an empty part
			return cmp.Compare(toInt(a.shut), toInt(b.shut))
		case empty(a) || empty(b), a.shut != b.shut: // what ends here ends before what begins
			rank := func(e end) int {
				switch {
				case empty(e):
					return 1
				case e.shut:
					return 0
				}
				return 2
			}
			return cmp.Or(rank(a)-rank(b), a.nth-b.nth)
		case a.shut: // the inner ones first
			return cmp.Or(b.other-a.other, b.nth-a.nth)
		}
		return cmp.Or(b.other-a.other, a.nth-b.nth)
	})
	w := &woven{old: old}
	var b strings.Builder
	at := 0
	for _, e := range ends {
		b.WriteString(old.Text()[at:e.at])
		at = e.at
		from := b.Len()
		b.WriteString(e.text)
		if e.mark >= 0 {
			w.regions = append(w.regions, region{from, b.Len(), e.mark})
		}
		w.places = append(w.places, place{at, b.Len()})
	}
	b.WriteString(old.Text()[at:])
	w.new = source.NewFile(old.Name(), b.String())
	return w
}

func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// marked is the mark of the inserted text that an offset of the new source lies in, -1 if it is none.
func (w *woven) marked(at int) int {
	for _, r := range w.regions {
		if r.from <= at && at < r.to {
			return r.mark
		}
	}
	return -1
}

// back is what an offset of the new source is in the old one; of inserted text, where that was put.
func (w *woven) back(at int) int {
	last := place{0, 0}
	for i, p := range w.places {
		if p.new > at {
			old := last.old + at - last.new
			return min(old, w.places[i].old)
		}
		last = p
	}
	return last.old + at - last.new
}
