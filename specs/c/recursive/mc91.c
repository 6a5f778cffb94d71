/* McCarthy's function: 91 for all numbers up to 101. Above 101 it is n - 10, so that 102
 * gives 92: with BAD, the claim is wrong there. */
int input(void);

int mc91(int n) {
    if (n > 100)
        return n - 10;
    return mc91(mc91(n + 11));
}

int main(void) {
    int n = input(), r = mc91(n);
#ifdef BAD
    if (n <= 102 && r != 91) goto ERROR;
#else
    if (n <= 101 && r != 91) goto ERROR;
#endif
    return 0;
ERROR:
    return 1;
}
