// An unsigned number grows until it is 0 again.
unsigned input(void);

int main(void) {
    unsigned n = input(), rounds = 0;
    while (n != 0) {
        n++;
        rounds++;
    }
    return rounds == 0;
}
