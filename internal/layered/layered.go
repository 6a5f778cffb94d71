// Package layered draws directed graphs from top to bottom: nodes in layers, so that edges
// go down but for those that close circles, and few of them cross (Sugiyama, Tagawa and Toda,
// 1981).
package layered

import (
	"cmp"
	"slices"
)

// Graph is what is to be drawn. Nodes are numbered from 0; the first has nothing above it
// where that can be.
type Graph struct {
	Sizes []Size // by node
	Edges []Edge
}

// Size is that of a node, in pixels.
type Size struct{ Width, Height float64 }

// Edge leads from a node to another, or the same.
type Edge struct{ From, To int }

// Point is a place, in pixels from the upper left corner.
type Point struct{ X, Y float64 }

// Drawing is a graph with places.
type Drawing struct {
	Width, Height float64
	Nodes         []Point   // centres
	Edges         [][]Point // from the border of a node through some points to that of the other
}

// Distances, in pixels.
const (
	gap   = 24.0 // between nodes of a layer
	drop  = 36.0 // between layers
	frame = 12.0 // around everything
	loop  = 18.0 // how far an edge from a node to itself reaches out
)

// Draw lays a graph out. It takes time linear in nodes and in the layers that edges
// pass, but for sorting layers a fixed number of times. The same graph is drawn the same way.
func Draw(g *Graph) *Drawing {
	d := newDrawer(g)
	d.rank()
	d.bend()
	d.order()
	d.place()
	return d.drawing()
}

// item is a node, or a bend of an edge that passes a layer.
type item struct {
	node     int // -1 of a bend
	rank     int
	size     Size
	up, down []int // items in the layers above and below
	at       float64
	index    int // in its layer
}

type drawer struct {
	g        *Graph
	items    []item
	layers   [][]int
	reversed []bool  // by edge: it goes up
	chains   [][]int // by edge: items from the upper end to the lower
	tops     []float64
	heights  []float64
}

func newDrawer(g *Graph) *drawer {
	d := &drawer{g: g, reversed: make([]bool, len(g.Edges)), chains: make([][]int, len(g.Edges))}
	for n, s := range g.Sizes {
		d.items = append(d.items, item{node: n, size: s})
	}
	return d
}

// rank turns edges around that close circles in a depth-first search, and gives each node
// the length of a longest way to it.
func (d *drawer) rank() {
	out := make([][]int, len(d.g.Sizes))
	for i, e := range d.g.Edges {
		out[e.From] = append(out[e.From], i)
	}
	const open, done = 1, 2
	state := make([]uint8, len(out))
	var order []int // every node behind those that it leads to
	type visit struct{ node, next int }
	for n := range out {
		if state[n] != 0 {
			continue
		}
		state[n] = open
		for stack := []visit{{n, 0}}; len(stack) > 0; {
			top := &stack[len(stack)-1]
			if top.next == len(out[top.node]) {
				state[top.node] = done
				order = append(order, top.node)
				stack = stack[:len(stack)-1]
				continue
			}
			i := out[top.node][top.next]
			top.next++
			switch to := d.g.Edges[i].To; state[to] {
			case open:
				d.reversed[i] = true
			case 0:
				state[to] = open
				stack = append(stack, visit{to, 0})
			}
		}
	}
	slices.Reverse(order)
	for _, n := range order {
		for _, i := range out[n] {
			if to := d.g.Edges[i].To; !d.reversed[i] {
				d.items[to].rank = max(d.items[to].rank, d.items[n].rank+1)
			}
		}
	}
}

// bend gives edges that pass layers an item in each.
func (d *drawer) bend() {
	for i, e := range d.g.Edges {
		upper, lower := e.From, e.To
		if d.reversed[i] {
			upper, lower = lower, upper
		}
		chain := []int{upper}
		for r := d.items[upper].rank + 1; r < d.items[lower].rank; r++ {
			chain = append(chain, len(d.items))
			d.items = append(d.items, item{node: -1, rank: r, size: Size{Width: 4}})
		}
		if upper != lower {
			chain = append(chain, lower)
		}
		for k := range len(chain) - 1 {
			a, b := chain[k], chain[k+1]
			d.items[a].down, d.items[b].up = append(d.items[a].down, b), append(d.items[b].up, a)
		}
		d.chains[i] = chain
	}
	for k, x := range d.items {
		for len(d.layers) <= x.rank {
			d.layers = append(d.layers, nil)
		}
		d.layers[x.rank] = append(d.layers[x.rank], k)
	}
}

// sweeps is how often layers are sorted, downwards and upwards in turn.
const sweeps = 12

// order sorts each layer by the means of the neighbours' indices.
func (d *drawer) order() {
	for _, layer := range d.layers {
		for i, k := range layer {
			d.items[k].index = i
		}
	}
	for s := range sweeps {
		for l := range d.layers {
			if s%2 == 1 {
				l = len(d.layers) - 1 - l
			}
			layer := d.layers[l]
			for i, k := range layer {
				near := d.items[k].up
				if s%2 == 1 {
					near = d.items[k].down
				}
				d.items[k].at = float64(i)
				if len(near) > 0 {
					sum := 0
					for _, n := range near {
						sum += d.items[n].index
					}
					d.items[k].at = float64(sum) / float64(len(near))
				}
			}
			slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(d.items[a].at, d.items[b].at) })
			for i, k := range layer {
				d.items[k].index = i
			}
		}
	}
}

// place gives items their places: each layer is put where the means of its neighbours are,
// as far as there is room.
func (d *drawer) place() {
	y := frame
	for _, layer := range d.layers {
		height := 0.0
		for _, k := range layer {
			height = max(height, d.items[k].size.Height)
		}
		d.tops, d.heights = append(d.tops, y), append(d.heights, height)
		y += height + drop
		d.pack(layer, nil)
	}
	for s := range sweeps {
		for l := range d.layers {
			if s%2 == 1 {
				l = len(d.layers) - 1 - l
			}
			wanted := make([]float64, len(d.layers[l]))
			for i, k := range d.layers[l] {
				near := d.items[k].up
				if s%2 == 1 {
					near = d.items[k].down
				}
				wanted[i] = d.items[k].at
				if len(near) > 0 {
					wanted[i] = 0
					for _, n := range near {
						wanted[i] += d.items[n].at / float64(len(near))
					}
				}
			}
			d.pack(d.layers[l], wanted)
		}
	}
}

// pack puts the items of a layer where they are wanted, side by side from the left if that
// is nil: runs of items that touch are moved together (pool adjacent violators).
func (d *drawer) pack(layer []int, wanted []float64) {
	type run struct {
		first, count int
		sum, at      float64 // of wanted places less offsets; of the first item
	}
	offset := make([]float64, len(layer))
	for i := 1; i < len(layer); i++ {
		offset[i] = offset[i-1] + (d.items[layer[i-1]].size.Width+d.items[layer[i]].size.Width)/2 + gap
	}
	var runs []run
	for i := range layer {
		w := 0.0
		if wanted != nil {
			w = wanted[i] - offset[i]
		}
		runs = append(runs, run{i, 1, w, w})
		for n := len(runs); n > 1 && runs[n-2].at > runs[n-1].at; n = len(runs) {
			a, b := runs[n-2], runs[n-1]
			a.count, a.sum = a.count+b.count, a.sum+b.sum
			a.at = a.sum / float64(a.count)
			runs = append(runs[:n-2], a)
		}
	}
	for _, r := range runs {
		for i := r.first; i < r.first+r.count; i++ {
			d.items[layer[i]].at = r.at + offset[i]
		}
	}
}

func (d *drawer) drawing() *Drawing {
	left, right := 0.0, 0.0
	for i, x := range d.items {
		l, r := x.at-x.size.Width/2, x.at+x.size.Width/2
		if i == 0 || l < left {
			left = l
		}
		if i == 0 || r > right {
			right = r
		}
	}
	out := &Drawing{Nodes: make([]Point, len(d.g.Sizes)), Edges: make([][]Point, len(d.g.Edges))}
	shift := frame - left
	middle := func(k int) float64 { return d.tops[d.items[k].rank] + d.heights[d.items[k].rank]/2 }
	for n := range out.Nodes {
		out.Nodes[n] = Point{d.items[n].at + shift, middle(n)}
	}
	for i, chain := range d.chains {
		if len(chain) == 1 {
			p, s := out.Nodes[chain[0]], d.g.Sizes[chain[0]]
			x := p.X + s.Width/2
			out.Edges[i] = []Point{{x, p.Y - s.Height/4}, {x + loop, p.Y - s.Height/4}, {x + loop, p.Y + s.Height/4}, {x, p.Y + s.Height/4}}
			right = max(right, x+loop-shift)
			continue
		}
		var way []Point
		for j, k := range chain {
			x, half := d.items[k].at+shift, d.items[k].size.Height/2
			switch j {
			case 0:
				way = append(way, Point{x, middle(k) + half})
			case len(chain) - 1:
				way = append(way, Point{x, middle(k) - half})
			default: // straight down past the layer's nodes
				r := d.items[k].rank
				way = append(way, Point{x, d.tops[r]}, Point{x, d.tops[r] + d.heights[r]})
			}
		}
		if d.reversed[i] {
			slices.Reverse(way)
		}
		out.Edges[i] = way
	}
	out.Width = right - left + 2*frame
	if n := len(d.tops); n > 0 {
		out.Height = d.tops[n-1] + d.heights[n-1] + frame
	}
	return out
}
