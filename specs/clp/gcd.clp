// expect: holds
// The greatest common divisor by subtraction. Of positive numbers it is positive and not
// above either: both stay positive and get smaller, and in the end it is both of them.
var a, b, r: int;
query wrong;

gcd(a, b, r) :-
    a == b && r == a
    || a > b && gcd(a - b, b, r)
    || a < b && gcd(a, b - a, r);

wrong() :- a > 0 && b > 0 && gcd(a, b, r) && (r <= 0 || r > a || r > b);
