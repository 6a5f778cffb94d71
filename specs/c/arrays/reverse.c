/* Reversed twice, an array is what it was. With BAD, the second time ends one element too early. */
int input(void);
int a[100000], b[100000], c[100000];

int main(void) {
    int n = input(), i;
    if (n < 0 || n > 100000)
        return 0;
    for (i = 0; i < n; i++)
        a[i] = input();
    for (i = 0; i < n; i++)
        b[n - 1 - i] = a[i];
#ifdef BAD
    for (i = 0; i + 1 < n; i++)
#else
    for (i = 0; i < n; i++)
#endif
        c[n - 1 - i] = b[i];
    int k = input();
    if (0 <= k && k < n && a[k] != c[k])
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
