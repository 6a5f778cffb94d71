// A loop without an end that one input leads to.
int input(void);

int main(void) {
    if (input() == 12345)
        for (;;) {
        }
    return 0;
}
