/* A timer that is deleted before the module is left, as long as there is work at most three
   times; or for ever. */

void add_timer(void);
void delete_timer(void);
int pending(void); /* 1 or 0 */
void handle(void);

int run(void) {
    int n = 0;
    add_timer();
    while (n < 3 && pending()) {
        handle();
        n++;
    }
    delete_timer();
    return n;
}

int run_on(void) {
    int n = 0;
    add_timer();
    while (pending()) {
        handle();
        if (n < 3)
            n++;
    }
    delete_timer();
    return n;
}
