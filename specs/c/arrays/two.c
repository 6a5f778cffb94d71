/* Two arrays are filled from different ends: their elements at the same place are equal. With BAD, one end is off by one. */
int input(void);
int a[100000], b[100001];

int main(void) {
    int n = input(), i;
    if (n < 0 || n > 100000)
        return 0;
    for (i = 0; i < n; i++)
        a[i] = i;
    for (i = n - 1; i >= 0; i--)
#ifdef BAD
        b[i + 1] = i;
#else
        b[i] = i;
#endif
    int k = input();
    if (0 <= k && k < n && a[k] != b[k])
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
