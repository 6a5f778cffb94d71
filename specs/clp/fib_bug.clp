// expect: fails
// Fibonacci's numbers are not below 8: the one for 6 is 8.
var n, a, b, r: int;
query large;

fib(n, r) :-
    0 <= n && n <= 1 && r == n
    || n >= 2 && fib(n - 1, a) && fib(n - 2, b) && r == a + b;

large() :- fib(n, r) && r >= 8;
