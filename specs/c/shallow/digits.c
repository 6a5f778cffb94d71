/* A parser of decimal numbers, with a character from the input each time, that is to stop
 * before its result is too large for an int. With BAD: it looks at how many digits there
 * were, and lets ten pass, of which the last may be too many. */
int input(void);
void reach_error(void);

int main(void) {
    int value = 0, digits = 0;
    for (;;) {
        int c = input();
        if (c < '0' || c > '9') break;
        int before = value;
#ifdef BAD
        if (digits == 10) break;
#else
        if (digits == 9) break;
#endif
        value = (int)((unsigned)value * 10u + (unsigned)(c - '0'));
        digits++;
        if (value < before) reach_error();
    }
    return 0;
}
