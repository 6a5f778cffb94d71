/* A surge protector (thesis 8.4): the threshold can be set to 0, 1 or 2, and the current is
   changed to what the threshold allows only. forgetful lets the current be 1 always. */

enum kind { THRESHOLD, CURRENT };

int next(void); /* what is asked for */
int level(void); /* a number from 0 to 2 */
void set_threshold(int m);
void set_current(int c);

void protector(void) {
    int m = 0, n;
    while (1) {
        if (next() == THRESHOLD) {
            m = level();
            set_threshold(m);
        } else {
            n = level();
            if (n == 0 || n == 1 && (m == 1 || m == 2) || n == 2 && m == 2)
                set_current(n);
        }
    }
}

/* The same for any range: the levels are what level returns. */
void ranged(void) {
    int m = 0, n;
    while (1) {
        if (next() == THRESHOLD) {
            m = level();
            set_threshold(m);
        } else {
            n = level();
            if (n <= m)
                set_current(n);
        }
    }
}

/* Without messages: threshold and current are variables (figure 8.2). */
void variables(void) {
    int m = 0, c = 0, n;
    while (1) {
        if (next() == THRESHOLD)
            m = level();
        else {
            n = level();
            if (n <= m) {
                c = n;
            changed:
                ;
            }
        }
    }
}

void forgetful(void) {
    int m = 0, n;
    while (1) {
        if (next() == THRESHOLD) {
            m = level();
            set_threshold(m);
        } else {
            n = level();
            if (n <= 1 || m == 2)
                set_current(n);
        }
    }
}
