/* The average of two numbers that are read. The sum of two may not fit an int: that violates no-overflow, and not
 * unreach-call, since what comes out lies between both as long as it does. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {}

static int average(int a, int b) {
    return (a + b) / 2;
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 0 || b < a) abort();
    int m = average(a, b);
    if (a < 1000 && b < 1000 && (m < a || m > b)) reach_error();
    return m;
}
