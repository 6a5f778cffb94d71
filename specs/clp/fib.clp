// expect: holds
// Fibonacci's numbers, whose rule calls itself twice. None is negative: 0 and 1 are not,
// and a sum of two that are not is not.
var n, a, b, r: int;
query negative;

fib(n, r) :-
    0 <= n && n <= 1 && r == n
    || n >= 2 && fib(n - 1, a) && fib(n - 2, b) && r == a + b;

negative() :- fib(n, r) && r < 0;
