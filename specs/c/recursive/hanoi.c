/* The towers of Hanoi: moves are counted in a global variable, and there is at least one
 * for each disk. With BAD: two disks take three moves. */
int input(void);
int moves;

void hanoi(int disks) {
    if (disks == 0) return;
    hanoi(disks - 1);
    moves++;
    hanoi(disks - 1);
}

int main(void) {
    int n = input();
    if (n < 0 || n > 20) return 0;
    hanoi(n);
#ifdef BAD
    if (n == 2 && moves == 3) goto ERROR;
#else
    if (moves < n) goto ERROR;
#endif
    return 0;
ERROR:
    return 1;
}
