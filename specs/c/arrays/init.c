/* All elements below n are written. With BAD, the last one is not. */
int input(void);
int a[100000];

int main(void) {
    int n = input();
    if (n < 0 || n > 100000)
        return 0;
#ifdef BAD
    for (int i = 0; i + 1 < n; i++)
#else
    for (int i = 0; i < n; i++)
#endif
        a[i] = 7;
    int k = input();
    if (0 <= k && k < n && a[k] != 7)
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
