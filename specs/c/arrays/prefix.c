/* Sums of the first elements, none of which is negative, never get less. With BAD, an element may be -1. */
int input(void);
int a[100000], sum[100001];

int main(void) {
    int n = input(), i;
    if (n < 0 || n > 100000)
        return 0;
    for (i = 0; i < n; i++)
        a[i] = input();
    sum[0] = 0;
    for (i = 0; i < n; i++) {
#ifdef BAD
        if (a[i] < -1 || a[i] > 1000 || sum[i] > 1000000)
#else
        if (a[i] < 0 || a[i] > 1000 || sum[i] > 1000000)
#endif
            return 0;
        sum[i + 1] = sum[i] + a[i];
    }
    int k = input();
    if (0 <= k && k < n && sum[k] > sum[k + 1])
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
