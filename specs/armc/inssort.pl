:- multifile s/5.
:- multifile r/4.

:- multifile b/3.

r(p(init,K,N,I),    p(for,K1,N,I),    {K1= 1.0},  1).
r(p(for,K,N,I),    p(entryA1,K,N,I), {K=<N-1.0}, 2).
r(p(entryA1,K,N,I), p(while,K,N,I1), {I1=K-1.0}, 3).
r(p(while,K,N,I),  p(entryA2,K,N,I), {I>= 0.0},  5).
r(p(entryA2,K,N,I), p(while,K,N,I1), {I1=I-1.0}, 6).
r(p(while,K,N,I),  p(entryA3,K,N,I), {I=< -1.0}, 7).
r(p(entryA3,K,N,I), p(for,K1,N,I),    {K1=K+1.0}, 8).
r(p(for,K,N,I),    p(end,K,N,I),      {K>=N},    9).

s(0, p(entryA1,K,N,I), {K>=N},      1, (0,0)).
s(0, p(entryA1,K,N,I), {K=< -1.0},  2, (0,0)).
s(0, p(entryA3,K,N,I), {I>=N-1.0},  3, (0,0)).
s(0, p(entryA3,K,N,I), {I=< -2.0},  4, (0,0)).
s(0, p(entryA2,K,N,I), {I=< -1.0},  5, (0,0)).
s(0, p(entryA2,K,N,I), {I=< -2.0},  6, (0,0)).
s(0, p(entryA2,K,N,I), {I>=N-1.0},  7, (0,0)).
s(0, p(entryA2,K,N,I), {I>=N},      8, (0,0)).

b(p(for,_,_,_), {}, 2).
b(p(entryA1,_,_,_), {}, 3).
b(p(while,_,_,_), {}, 4).
b(p(entryA2,_,_,_), {}, 5).
b(p(entryA3,_,_,_), {}, 6).
b(p(end,_,_,_), {}, 7).
