/* Why loops end, and why not, in the ways that people argue: by several functions in order, by
   phases, by what was true before the loop, by wrapping around; and with values for which they
   do not. INT and UINT are as in words.c. */

#ifndef INT
#define INT int
#define UINT unsigned
#define HIGHEST 2147483647
#endif

int choose(void); /* 0 or 1 */

/* A round without progress sets b, which is never taken back: (1 - b, x) decreases. */
void warm_up(INT x) {
    INT b = 0;
    while (x > 0) {
        if (b)
            x--;
        else
            b = 1;
    }
done:
    return;
}

/* Every second round takes one away: with turn first 0 and then 1, the two rounds together. */
void alternate(INT x) {
    INT turn = 0;
    while (x > 0) {
        if (turn) {
            x--;
            turn = 0;
        } else
            turn = 1;
    }
done:
    return;
}

/* What one round takes away, the next one gives back. */
void give_and_take(INT x) {
    INT turn = 0;
    while (x > 0) {
        if (turn) {
            x--;
            turn = 0;
        } else {
            x++;
            turn = 1;
        }
    }
done:
    return;
}

/* (n - i, m - j, k - l) decreases lexicographically. */
void three_deep(INT n, INT m, INT k) {
    INT i, j, l;
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            for (l = 0; l < k; l++)
                ;
done:
    return;
}

/* (x, y): y is filled again whenever x has become smaller. */
void refill(INT x, INT y, INT n) {
    while (x > 0) {
        if (y > 0)
            y--;
        else {
            x--;
            y = n;
        }
    }
done:
    return;
}

/* Filled again for nothing: with x > 0, y never decides anything. */
void refill_in_vain(INT x, INT y, INT n) {
    while (x > 0) {
        if (y > 0)
            y--;
        else
            y = n;
    }
done:
    return;
}

/* (y, n - x): what sends x back to the beginning happens y times. */
void setbacks(INT n, INT y) {
    INT x = 0;
    while (x < n) {
        if (y > 0 && choose()) {
            y--;
            x = 0;
        } else
            x++;
    }
done:
    return;
}

/* M - j is never set back: the inner loop does m rounds in all. */
void shared_bound(INT n, INT m) {
    INT i = 0, j = 0;
    while (i < n) {
        while (j < m && choose())
            j++;
        i++;
    }
done:
    return;
}

/* High - low decreases whichever end moves. */
void approach(INT low, INT high) {
    while (low < high) {
        if (choose())
            low++;
        else
            high--;
    }
done:
    return;
}

/* They meet, since they come nearer by one and the lower one is lower before. */
void meet(INT low, INT high) {
    if (low <= high)
        while (low != high) {
            if (choose())
                low++;
            else
                high--;
        }
done:
    return;
}

/* Two steps at once: from an odd distance they pass each other, and go on around the ends of
   the range; odd it stays. */
void pass_by(INT low, INT high) {
    while (low != high) {
        low++;
        high--;
    }
done:
    return;
}

/* The larger becomes smaller, down to the other one. */
void level_out(INT a, INT b) {
    while (a != b) {
        if (a > b)
            a--;
        else
            b--;
    }
done:
    return;
}

/* D is at least 1 before the loop, and does not change in it: n decreases. */
void stride_down(INT n, INT d) {
    if (d < 1)
        d = 1;
    while (n > 0)
        n -= d;
done:
    return;
}

/* With d = 0 nothing becomes smaller. */
void stride_of_zero(INT n, INT d) {
    if (d < 0)
        d = 0;
    while (n > 0)
        n -= d;
done:
    return;
}

/* The bound is so low, and the stride so short, that i does not overflow. */
void stride_up(INT n, INT d) {
    INT i = 0;
    if (d > 0 && d <= 8 && n <= HIGHEST - 8)
        while (i < n)
            i += d;
done:
    return;
}

/* For the largest n and d = 2, i overflows: from the largest even number to the smallest of
   all numbers, which is even too. */
void stride_over(INT n, INT d) {
    INT i = 0;
    if (d > 0)
        while (i < n)
            i += d;
done:
    return;
}

/* Upwards to 0: an unsigned number comes there around the largest one. */
void unsigned_around(UINT n) {
    while (n != 0)
        n++;
done:
    return;
}

/* I and 2 * n are even, and below the end of the range: they meet. */
void unsigned_by_two_to(UINT n) {
    UINT i = 0;
    if (n < 100)
        while (i != 2 * n)
            i += 2;
done:
    return;
}

/* Long strides while there is room for them, then short ones. */
void unsigned_strides(UINT n) {
    UINT i = 0;
    while (i < n) {
        if (n - i > 10)
            i += 10;
        else
            i++;
    }
done:
    return;
}

/* A bit less each time: n & n - 1 < n. */
void bits(UINT n) {
    while (n != 0)
        n &= n - 1;
done:
    return;
}

/* Odd numbers become even, even ones halves; both are smaller, for n > 1. */
void halve_or_less(INT n) {
    while (n > 1) {
        if (n % 2 != 0)
            n--;
        else
            n /= 2;
    }
done:
    return;
}

/* From above 0 at most once to below, then upwards: (x > 0, |x|). */
void overshoot_once(INT x) {
    while (x != 0) {
        if (x > 0)
            x -= 3;
        else
            x++;
    }
done:
    return;
}

/* From 1 to -2 and back. */
void overshoot(INT x) {
    while (x != 0) {
        if (x > 0)
            x -= 3;
        else
            x += 3;
    }
done:
    return;
}

/* Phase by phase, each of which ends: first x, then y; then nothing is left to do. */
void machine(INT x, INT y) {
    INT state = 0;
    while (state != 2) {
        if (state == 0) {
            if (x > 0)
                x--;
            else
                state = 1;
        } else {
            if (y > 0)
                y--;
            else
                state = 2;
        }
    }
done:
    return;
}

/* Back to the first phase from the second: for ever, if somebody chooses so. */
void machine_with_return(INT x, INT y) {
    INT state = 0;
    while (state != 2) {
        if (state == 0) {
            if (x > 0)
                x--;
            else
                state = 1;
        } else {
            if (choose())
                state = 0;
            else if (y > 0)
                y--;
            else
                state = 2;
        }
    }
done:
    return;
}

/* 3 and 5 follow each other; all other numbers come to 7. */
void trap(INT x) {
    while (x != 7) {
        if (x == 3)
            x = 5;
        else if (x == 5)
            x = 3;
        else
            x = 7;
    }
done:
    return;
}
