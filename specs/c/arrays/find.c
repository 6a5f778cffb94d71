/* What is not found is not there. With BAD, the search ends one element too early. */
int input(void);
int a[100000];

int main(void) {
    int n = input(), x = input(), i, found = 0;
    if (n < 0 || n > 100000)
        return 0;
    for (i = 0; i < n; i++)
        a[i] = input();
#ifdef BAD
    for (i = 0; i < n - 1; i++)
#else
    for (i = 0; i < n; i++)
#endif
        if (a[i] == x)
            found = 1;
    int k = input();
    if (!found && 0 <= k && k < n && a[k] == x)
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
