/* Dining philosophers (thesis 10.8): each takes the fork on one side, then that on the other
   side, eats, and puts both back. */

void get_left(void);
void get_right(void);
void put_left(void);
void put_right(void);
void eat(void);

void philosopher(void) {
    while (1) {
        get_left();
        get_right();
    eating:
        eat();
        put_left();
        put_right();
    }
}

/* Reaches for the right fork first. */
void right_handed(void) {
    while (1) {
        get_right();
        get_left();
    eating:
        eat();
        put_right();
        put_left();
    }
}

/* Takes the right fork only where it is needed: never. */
void greedy(void) {
    while (1) {
        get_left();
        eat();
        put_left();
    }
}

int wait_get(void); /* who takes the fork: 0 its left neighbour, 1 its right one */
void wait_put_left(void);
void wait_put_right(void);

void fork_(void) {
    while (1) {
        if (wait_get() == 0)
            wait_put_left();
        else
            wait_put_right();
    }
}
