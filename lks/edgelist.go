package lks

// edgeList collects edges in pieces. A slice that grows by append is copied again and
// again, and leaves the old copies to the garbage collector: at the largest, several times
// what it holds. The zero value is empty.
type edgeList struct {
	full [][]Edge // pieces without room
	last []Edge
	len  int // of all pieces
}

// Pieces grow with the list, from the least to the most.
const (
	leastPiece = 16
	mostPiece  = 1 << 16
)

func (l *edgeList) append(edges []Edge) {
	l.len += len(edges)
	for len(edges) > 0 {
		if len(l.last) == cap(l.last) {
			l.grow()
		}
		k := min(len(edges), cap(l.last)-len(l.last))
		l.last = append(l.last, edges[:k]...)
		edges = edges[k:]
	}
}

func (l *edgeList) grow() {
	if len(l.last) > 0 {
		l.full = append(l.full, l.last)
	}
	l.last = make([]Edge, 0, min(max(leastPiece, l.len), mostPiece))
}

// join returns the edges as one slice, without room for more. Of the list only len is
// valid afterwards.
func (l *edgeList) join() []Edge {
	edges := make([]Edge, 0, l.len)
	for _, piece := range l.full {
		edges = append(edges, piece...)
	}
	edges = append(edges, l.last...)
	l.full, l.last = nil, nil
	return edges
}
