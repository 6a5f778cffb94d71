/* Ackermann's function grows: its value is above its second argument, by induction over
 * both. With BAD: ackermann(1, 1) is 3. */
int input(void);

int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
    int m = input(), n = input();
    if (m < 0 || n < 0) return 0;
    int r = ackermann(m, n);
#ifdef BAD
    if (m == 1 && n == 1 && r == 3) goto ERROR;
#else
    if (r <= n) goto ERROR;
#endif
    return 0;
ERROR:
    return 1;
}
