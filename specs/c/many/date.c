/* The day after a date. What comes out is a date again, and a later one. With BAD: years that
 * 100 divides are leap years. */
int input(void);
void reach_error(void);

struct date { int year, month, day; };

static int leap(int y) {
#ifdef BAD
    return y % 4 == 0;
#else
    return y % 4 == 0 && y % 100 != 0 || y % 400 == 0;
#endif
}

static int days(int y, int m) {
    static const int of[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return m == 2 ? of[1] + leap(y) : of[m - 1];
}

static struct date tomorrow(struct date x) {
    if (++x.day > days(x.year, x.month)) {
        x.day = 1;
        if (++x.month > 12) {
            x.month = 1;
            x.year++;
        }
    }
    return x;
}

int main(void) {
    struct date x = {input(), input(), input()};
    if (x.year < 1900 || x.year > 2100 || x.month < 1 || x.month > 12 || x.day < 1 || x.day > days(x.year, x.month)) return 0;
    struct date t = tomorrow(x);
    if (t.month < 1 || t.month > 12 || t.day < 1 || t.day > days(t.year, t.month)) reach_error();
    if (t.year <= x.year && t.month <= x.month && t.day <= x.day) reach_error();
    if (x.year == 1900 && t.month == 2 && t.day == 29) reach_error();
    return 0;
}
