// First y grows until it is positive, whatever x does; from then on x decreases.
int input(void);

int main(void) {
    int x = input(), y = input();
    if (x > 1000 || y < -1000)
        return 0;
    while (x > 0) {
        x = x - y;
        if (y < 1)
            y = y + 1;
    }
    return 0;
}
