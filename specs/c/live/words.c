/* Loops that end, and loops that do not, with machine words: signed numbers wrap, as gcc has
   it with -fwrapv. With -D INT='signed char' -D UINT='unsigned char' the verdicts are the same
   where the bounds of the arguments are near enough to the ends of the range; then there are so
   few values that explicit search decides them. */

#ifndef INT
#define INT int
#define UINT unsigned
#define HIGHEST 2147483647
#endif

int choose(void); /* 0 or 1 */
INT any(void);

/* N decreases to 0. */
void down(INT n) {
    while (n > 0)
        n--;
done:
    return;
}

/* A negative n comes to 0 around the smallest number: n as an unsigned number decreases. */
void down_to_zero(INT n) {
    while (n != 0)
        n--;
done:
    return;
}

/* An odd n is never 0, also behind the smallest number. */
void by_two(INT n) {
    while (n != 0)
        n -= 2;
done:
    return;
}

/* N - i decreases, and does not overflow as long as i < n. */
void up(INT n) {
    INT i = 0;
    while (i < n)
        i++;
done:
    return;
}

/* I <= n holds of all i for the largest n. */
void up_inclusive(INT n) {
    INT i = 0;
    while (i <= n)
        i++;
done:
    return;
}

/* N + 1 - i decreases; n is not the largest number. */
void up_inclusive_bounded(INT n) {
    INT i = 0;
    if (n < HIGHEST)
        while (i <= n)
            i++;
done:
    return;
}

/* (n - i, m - j) decreases lexicographically. */
void nested(INT n, INT m) {
    INT i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            ;
done:
    return;
}

/* (n - i, i - j). */
void triangular(INT n) {
    INT i = 0, j;
    while (i < n) {
        j = 0;
        while (j < i)
            j++;
        i++;
    }
done:
    return;
}

/* With n > 1 and m > 0, i never gets beyond 1. */
void reset(INT n, INT m) {
    INT i = 0, j;
    while (i < n) {
        j = 0;
        while (j < m) {
            j++;
            i = 0;
        }
        i++;
    }
done:
    return;
}

/* (x, y) decreases lexicographically; no linear function does. */
void lexicographic(INT x, INT y) {
    while (x > 0 && y > 0)
        if (choose()) {
            x--;
            y = any();
        } else
            y--;
done:
    return;
}

/* X + y decreases; as words it may overflow, (x, y) does not. */
void either(INT x, INT y) {
    while (x > 0 && y > 0)
        if (choose())
            x--;
        else
            y--;
done:
    return;
}

/* Both stay positive, and the larger decreases. */
void gcd(INT a, INT b) {
    if (a > 0 && b > 0)
        while (a != b)
            if (a > b)
                a -= b;
            else
                b -= a;
done:
    return;
}

/* With a = 0 and b > 0 nothing changes any more. */
void gcd_of_zero(INT a, INT b) {
    if (a >= 0 && b >= 0)
        while (a != b)
            if (a > b)
                a -= b;
            else
                b -= a;
done:
    return;
}

/* A % b < b. */
void euclid(UINT a, UINT b) {
    UINT t;
    while (b != 0) {
        t = a % b;
        a = b;
        b = t;
    }
done:
    return;
}

/* N / 2 < n for n > 1. */
void halve(INT n) {
    while (n > 1)
        n /= 2;
done:
    return;
}

/* For an n above the largest power of two, i becomes the smallest number, and then 0 for ever. */
void double_up(INT n) {
    INT i = 1;
    while (i < n)
        i *= 2;
done:
    return;
}

/* The absolute value decreases; there is no linear function that does. */
void towards_zero(INT x) {
    while (x != 0)
        if (x > 0)
            x--;
        else
            x++;
done:
    return;
}

/* Y gets around the largest number before x does; y - x stays the same as unbounded numbers. */
void drift(INT x, INT y) {
    while (x < y) {
        x++;
        y++;
    }
done:
    return;
}

/* X and y stay apart, around the largest number too. */
void chase(INT x, INT y) {
    while (x != y) {
        x++;
        y++;
    }
done:
    return;
}

/* No unsigned number is negative. */
void unsigned_down(UINT n) {
    UINT i = n;
    while (i >= 0)
        i--;
done:
    return;
}

/* For the largest n, i is even, and gets around it. */
void unsigned_by_two(UINT n) {
    UINT i = 0;
    while (i < n)
        i += 2;
done:
    return;
}

/* N - i, which is no negative number, decreases. */
void unsigned_up(UINT n) {
    UINT i = 0;
    while (i != n)
        i++;
done:
    return;
}

/* 4 - i decreases. */
void find(INT key) {
    static const INT keys[4] = {1, 3, 5, 7};
    INT i = 0;
    while (i < 4 && keys[i] != key)
        i++;
done:
    return;
}

/* High - low decreases. */
void search(INT n) {
    INT low = 0, high = n, middle;
    if (n < 0 || n > 50)
        high = 0;
    while (low < high) {
        middle = (low + high) / 2;
        if (choose())
            low = middle + 1;
        else
            high = middle;
    }
done:
    return;
}

/* With high = low + 1, middle is low. */
void stuck_search(INT n) {
    INT low = 0, high = n, middle;
    if (n < 0 || n > 50)
        high = 0;
    while (low < high) {
        middle = (low + high) / 2;
        if (choose())
            low = middle;
        else
            high = middle;
    }
done:
    return;
}

/* I goes up to n, then down below 0; up changes once. */
void phases(INT n) {
    INT i = 0, up = 1;
    while (i >= 0 && n > 0 && n < 50) {
        if (i == n)
            up = 0;
        if (up)
            i++;
        else
            i--;
    }
done:
    return;
}
