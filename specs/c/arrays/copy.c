/* A copy has the elements of the original. With BAD, it skips every element that is 0, and b has something else there. */
int input(void);
int a[100000], b[100000];

int main(void) {
    int n = input(), i;
    if (n < 0 || n > 100000)
        return 0;
    for (i = 0; i < n; i++)
        a[i] = input();
    for (i = 0; i < n; i++)
        b[i] = input();
    for (i = 0; i < n; i++) {
#ifdef BAD
        if (a[i] == 0)
            continue;
#endif
        b[i] = a[i];
    }
    int k = input();
    if (0 <= k && k < n && a[k] != b[k])
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
