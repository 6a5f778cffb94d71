/* A program without input: twelve numbers are sorted, looked at, and searched. With BAD:
 * the inner loop ends one too soon. */
void reach_error(void);

#define N 12
#ifdef BAD
#define LAST (N - 2)
#else
#define LAST (N - 1)
#endif

static int a[N] = {31, 4, 15, 92, 65, 35, 89, 79, 32, 38, 46, 2};

static int find(int x) {
    int low = 0, high = N - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (a[middle] == x) return middle;
        if (a[middle] < x) low = middle + 1;
        else high = middle - 1;
    }
    return -1;
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < N; i++) sum += a[i];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < LAST; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
    for (int i = 0; i + 1 < N; i++)
        if (a[i] > a[i + 1]) reach_error();
    for (int i = 0; i < N; i++) sum -= a[i];
    if (sum != 0 || find(65) != 8 || find(3) != -1) reach_error();
    return 0;
}
