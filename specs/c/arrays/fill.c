int input(void);
int a[100000];
int main(void) {
    int n = input();
    if (n < 0 || n > 100000) return 0;
    for (int i = 0; i < n; i++)
        a[i] = 7;
    for (int i = 0; i < n; i++)
        if (a[i] != 7) { ERROR: return 1; }
    return 0;
}
