// expect: holds
// Two relations that call each other. No number is both even and odd: the rules count down
// by 1 and change sides each time, and end at 0, which is even.
var n: int;
query both;

even(n) :- n == 0 || n > 0 && odd(n - 1);

odd(n) :- n > 0 && even(n - 1);

both() :- even(n) && odd(n);
