/* Euclid by subtraction: the greatest common divisor of positive numbers is positive, and
 * not above the first. With BAD: gcd(4, 6) is 2, less than both. */
int input(void);

int gcd(int a, int b) {
    if (a == b) return a;
    if (a > b) return gcd(a - b, b);
    return gcd(a, b - a);
}

int main(void) {
    int a = input(), b = input();
    if (a <= 0 || b <= 0) return 0;
    int r = gcd(a, b);
#ifdef BAD
    if (a == 4 && b == 6 && r == 2) goto ERROR;
#else
    if (r < 1 || r > a) goto ERROR;
#endif
    return 0;
ERROR:
    return 1;
}
