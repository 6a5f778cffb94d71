/* The sum of the numbers below a bound, computed by a loop, and by a formula. A task of the competition on software
 * verification: sum.yml says which properties it has. */
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int i = 0, sum = 0;
    if (n < 0 || n > 100) return 0;
    while (i < n) {
        sum = sum + i;
        i = i + 1;
    }
    if (i != n) reach_error();
    return sum + n;
}
