/* Two pointers: what is negative goes to the left. With BAD, zeros stay on the left, too. */
int input(void);
int a[100000];

int main(void) {
    int n = input(), i, lo = 0, hi;
    if (n < 0 || n > 100000)
        return 0;
    for (i = 0; i < n; i++)
        a[i] = input();
    hi = n - 1;
    while (lo <= hi) {
#ifdef BAD
        if (a[lo] <= 0)
#else
        if (a[lo] < 0)
#endif
            lo++;
        else {
            int t = a[lo];
            a[lo] = a[hi];
            a[hi] = t;
            hi--;
        }
    }
    int k = input();
    if (0 <= k && k < n && (k < lo ? a[k] >= 0 : a[k] < 0))
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
