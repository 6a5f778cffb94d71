/* An array that is filled in order is sorted: of any two elements, the later one is not less. With BAD, steps may be negative. */
int input(void);
int a[100000];

int main(void) {
    int n = input(), i, x = 0;
    if (n < 0 || n > 100000)
        return 0;
    for (i = 0; i < n; i++) {
        int step = input();
#ifdef BAD
        if (step < -1 || step > 1000 || x > 1000000)
#else
        if (step < 0 || step > 1000 || x > 1000000)
#endif
            return 0;
        x = x + step;
        a[i] = x;
    }
    int k = input(), l = input();
    if (0 <= k && k < l && l < n && a[k] > a[l])
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
