// Each round decreases x, or leaves it and decreases y; y begins anew with any number where x decreases.
int input(void);

int main(void) {
    int x = input(), y = input();
    while (x > 0 && y > 0) {
        if (input()) {
            x--;
            y = input();
        } else
            y--;
    }
    return 0;
}
