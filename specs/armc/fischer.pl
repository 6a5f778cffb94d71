:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

r(p(init,A,B,K), p(aa,A1,B1,K1), {K1= 0.0,A1= 0.0,B1= 0.0}, 0).

r(p(aa, A, B, K), p(ba, A1, B, K), {K= 0.0, A1= 0.0}, 11).
r(p(ab, A, B, K), p(bb, A1, B, K), {K= 0.0, A1= 0.0}, 12).
r(p(ac, A, B, K), p(bc, A1, B, K), {K= 0.0, A1= 0.0}, 13).
r(p(as, A, B, K), p(bs, A1, B, K), {K= 0.0, A1= 0.0}, 14).

r(p(ba, A, B, K), p(ca, A1, B, K1), {A=< 1.0, A1= 0.0, K1= 1.0}, 21).
r(p(bb, A, B, K), p(cb, A1, B, K1), {A=< 1.0, A1= 0.0, K1= 1.0}, 22).
r(p(bc, A, B, K), p(cc, A1, B, K1), {A=< 1.0, A1= 0.0, K1= 1.0}, 23).
r(p(bs, A, B, K), p(cs, A1, B, K1), {A=< 1.0, A1= 0.0, K1= 1.0}, 24).

r(p(ca, A, B, K), p(sa, A, B, K), {A>= 2.0, K= 1.0}, 31).
r(p(cb, A, B, K), p(sb, A, B, K), {A>= 2.0, K= 1.0}, 32).
r(p(cc, A, B, K), p(sc, A, B, K), {A>= 2.0, K= 1.0}, 33).
r(p(cs, A, B, K), p(ss, A, B, K), {A>= 2.0, K= 1.0}, 34).

r(p(ca, A, B, K), p(aa, A, B, K), {K=\= 1.0}, 41).
r(p(cb, A, B, K), p(ab, A, B, K), {K=\= 1.0}, 42).
r(p(cc, A, B, K), p(ac, A, B, K), {K=\= 1.0}, 43).
r(p(cs, A, B, K), p(as, A, B, K), {K=\= 1.0}, 44).

r(p(sa, A, B, K), p(aa, A, B, K1), {K1= 0.0}, 51).
r(p(sb, A, B, K), p(ab, A, B, K1), {K1= 0.0}, 52).
r(p(sc, A, B, K), p(ac, A, B, K1), {K1= 0.0}, 53).
r(p(ss, A, B, K), p(as, A, B, K1), {K1= 0.0}, 54).

r(p(aa, A, B, K), p(ab, A, B1, K), {K= 0.0, B1= 0.0}, 61).
r(p(ba, A, B, K), p(bb, A, B1, K), {K= 0.0, B1= 0.0}, 62).
r(p(ca, A, B, K), p(cb, A, B1, K), {K= 0.0, B1= 0.0}, 63).
r(p(sa, A, B, K), p(sb, A, B1, K), {K= 0.0, B1= 0.0}, 64).

r(p(ab, A, B, K), p(ac, A, B1, K1), {B =< 1.0, B1= 0.0, K1= 2.0}, 71).
r(p(bb, A, B, K), p(bc, A, B1, K1), {B =< 1.0, B1= 0.0, K1= 2.0}, 72).
r(p(cb, A, B, K), p(cc, A, B1, K1), {B =< 1.0, B1= 0.0, K1= 2.0}, 73).
r(p(sb, A, B, K), p(sc, A, B1, K1), {B =< 1.0, B1= 0.0, K1= 2.0}, 74).

r(p(ac, A, B, K), p(as, A, B, K), {B>= 2.0, K= 2.0}, 81).
r(p(bc, A, B, K), p(bs, A, B, K), {B>= 2.0, K= 2.0}, 82).
r(p(cc, A, B, K), p(cs, A, B, K), {B>= 2.0, K= 2.0}, 83).
r(p(sc, A, B, K), p(ss, A, B, K), {B>= 2.0, K= 2.0}, 84).

r(p(ac, A, B, K), p(aa, A, B, K), {K=\= 2.0}, 91).
r(p(bc, A, B, K), p(ba, A, B, K), {K=\= 2.0}, 92).
r(p(cc, A, B, K), p(ca, A, B, K), {K=\= 2.0}, 93).
r(p(sc, A, B, K), p(sa, A, B, K), {K=\= 2.0}, 94).

r(p(as, A, B, K), p(aa, A, B, K1), {K1= 0.0}, 101).
r(p(bs, A, B, K), p(ba, A, B, K1), {K1= 0.0}, 102).
r(p(cs, A, B, K), p(ca, A, B, K1), {K1= 0.0}, 103).

r(p(ss,A,B,K), p(sa,A,B,K1), {K1= 0.0},104).

s(0, p(ss,A,B,K), {}, 1, (0,0)).

b(p(aa,_,_,_), {}, 2).

b(p(ba,_,_,_), {}, 3).

b(p(ab,_,_,_), {}, 4).

b(p(bb,_,_,_), {}, 5).

b(p(ac,_,_,_), {}, 6).

b(p(bc,_,_,_), {}, 7).

b(p(as,_,_,_), {}, 8).

b(p(bs,_,_,_), {}, 9).

b(p(ca,_,_,_), {}, 10).

b(p(cb,_,_,_), {}, 11).

b(p(cc,_,_,_), {}, 12).

b(p(cs,_,_,_), {}, 13).

b(p(sa,_,_,_), {}, 14).

b(p(sb,_,_,_), {}, 15).

b(p(sc,_,_,_), {}, 16).

b(p(ss,_,_,_), {}, 17).
