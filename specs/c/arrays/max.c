/* No element is greater than the largest one. With BAD, the loop begins with the second element and compares with 0. */
int input(void);
int a[100000];

int main(void) {
    int n = input(), i;
    if (n <= 0 || n > 100000)
        return 0;
    for (i = 0; i < n; i++)
        a[i] = input();
#ifdef BAD
    int max = 0;
#else
    int max = a[0];
#endif
    for (i = 1; i < n; i++)
        if (a[i] > max)
            max = a[i];
    int k = input();
    if (0 <= k && k < n && a[k] > max)
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
