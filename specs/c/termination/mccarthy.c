// McCarthy's function: that the outer call gets nearer to 100 rests on what the inner one returns.
int input(void);

int mc91(int n) {
    if (n > 100)
        return n - 10;
    return mc91(mc91(n + 11));
}

int main(void) {
    return mc91(input());
}
