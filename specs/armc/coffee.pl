:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

% Variables:
%
% C1 - first counter
% C2 - second counter
% E - event counter
% W - wait counter
% Paid - paid amount
% Price - coffee price

% transitions:
r(p(init, C1, C2, E, W, Paid, Price),
  p(pay, C1, C2, Ep, W, Paid, Price),
  {}, 1). % from init to pay

r(p(pay, C1, C2, E, W, Paid, Price),

    p(pay, C1, C2, Ep, W, Paidp, Price),
    {Paid < Price, Paidp := Paid + N, N >= 0}, 2).
% from pay to pay, if Paid < Price, Paidp = Paid + N

r(p(pay, C1, C2, E, W, Paid, Price),
  p(button, C1, C2p, Ep, Wp, Paid, Price),
  {Paid >= Price, C2p:=0, Ep:=0, Wp:=0}, 3).
% from pay to button if Paid >= Price

r(p(button, C1, C2, E, W, Paid, Price),
  p(cup, C1p, C2, Ep, W, Paid, Price),
  {C2 < 15, E > 0, C1p:=0, Ep:=0}, 4). % from button to cup

r(p(cup, C1, C2, E, W, Paid, Price),
  p(coffee, C1, C2, Ep, W, Paid, Price),
  {C1 >= 2, C2 < 15, E > 0, Ep:=0}, 5). % from cup to coffee

% time in the states
r(p(init, C1, C2, E, W, Paid, Price),
  p(init, C1p, C2p, Ep, Wp, Paid, Price),
  {C1p:=C1+1, C2p:=C2+1, Ep:=E+1, Wp:=W+1}, 10).
r(p(pay, C1, C2, E, W, Paid, Price),
  p(pay, C1p, C2p, Ep, Wp, Paid, Price),
  {C1p:=C1+1, C2p:=C2+1, Ep:=E+1, Wp:=W+1}, 11).
r(p(button, C1, C2, E, W, Paid, Price),
  p(button, C1p, C2p, Ep, Wp, Paid, Price),
  {C1p:=C1+1, C2p:=C2+1, Ep:=E+1, Wp:=W+1}, 12).
r(p(cup, C1, C2, E, W, Paid, Price),
  p(cup, C1p, C2p, Ep, Wp, Paid, Price),
  {C1p:=C1+1, C2p:=C2+1, Ep:=E+1, Wp:=W+1}, 13).
r(p(coffee, C1, C2, E, W, Paid, Price),
  p(coffee, C1p, C2p, Ep, Wp, Paid, Price),
  {C1p:=C1+1, C2p:=C2+1, Ep:=E+1, Wp:=W+1}, 14).

s(0, p(coffee, C1, C2, E, W, Paid, Price), {W =< 15}, 1, (0,0)).

b(p(pay,_,_,_,_,_), {}, 2).
b(p(button,_,_,_,_,_), {}, 3).
b(p(cup,_,_,_,_,_), {}, 4).
b(p(coffee,_,_,_,_,_), {}, 5).
