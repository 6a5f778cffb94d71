/* A Fibonacci number is never negative, by induction: both that it is the sum of are not.
 * With BAD: fib(4) is 3. */
int input(void);

int fib(int n) {
    if (n < 1) return 0;
    if (n == 1) return 1;
    return fib(n - 1) + fib(n - 2);
}

int main(void) {
    int n = input(), r = fib(n);
#ifdef BAD
    if (n == 4 && r == 3) goto ERROR;
#else
    if (r < 0) goto ERROR;
#endif
    return 0;
ERROR:
    return 1;
}
