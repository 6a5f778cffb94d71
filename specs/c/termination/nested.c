// A loop within a loop: the outer one counts up to a bound that the inner one leaves alone.
int input(void);

int main(void) {
    int n = input(), m = input(), area = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            area++;
    return area;
}
