// expect: holds
// The example program of [Flanagan04], figure 1, with the bug removed: a rational number
// is a numerator n and a denominator d, maps over objects; h says which objects exist.
var x, y, i, r, this: int;
var n, d, h, n', d', h': array[int] of int;
query Emain;

// The constructor: a new object with the numerator x and the denominator y.
TRat(x, y, n, d, h, n', d', h', this) :-
    h[this] == 0
    && h' == store(h, this, 1)
    && n' == store(n, this, x)
    && d' == store(d, this, y);

// trunc fails where the denominator is 0.
Etrunc(this, n, d) :- d[this] == 0;

// Any integer may be read.
TreadInt(r) :- true;

// The loop fails if this round does, or a later one.
Eloop(this, i, n, d) :-
    i < 100000
    && (Etrunc(this, n, d) || Eloop(this, i + 1, n, d));

Emain() :-
    TreadInt(x)
    && TreadInt(y)
    && y != 0
    && TRat(x, y, n, d, h, n', d', h', this)
    && Eloop(this, 0, n', d');
