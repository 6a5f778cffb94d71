/* Who waits for an item says so before looking whether there is one; otherwise it can be woken
   in between, and then sleeps for ever. */

enum event { PUT, WAKE, PREPARE, EMPTY, READY, RESUME, FINISH, TAKE };

void put(void);
void wake(void);
void prepare(void);
int poll(void); /* whether there is an item */
void schedule(void);
void finish(void);
void take(void);

void producer(void) {
    while (1) {
        put();
        wake();
    }
}

void consumer(void) {
    while (1) {
        prepare();
        if (!poll())
            schedule();
        finish();
        take();
    }
}

void late_consumer(void) {
    while (1) {
        if (!poll()) {
            prepare();
            schedule();
            finish();
        }
        take();
    }
}

enum event accept(int item, int woken);

/* One item, and who waits for it. */
void queue(void) {
    int item = 0, waiting = 0, woken = 0;
    while (1)
        switch (accept(item, woken)) {
        case PUT:
            item = 1;
            break;
        case TAKE:
            item = 0;
            break;
        case WAKE:
            woken = waiting;
            break;
        case PREPARE:
            waiting = 1;
            woken = 0;
            break;
        case RESUME:
        case FINISH:
            waiting = 0;
            woken = 0;
            break;
        default:
            break;
        }
}
