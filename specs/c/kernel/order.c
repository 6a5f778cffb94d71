/* Two locks: everybody takes them in the same order, or somebody does not. */

void lock_a(void);
void unlock_a(void);
void lock_b(void);
void unlock_b(void);
void both(void);

void orderly(void) {
    while (1) {
        lock_a();
        lock_b();
        both();
        unlock_b();
        unlock_a();
    }
}

void contrary(void) {
    while (1) {
        lock_b();
        lock_a();
        both();
        unlock_a();
        unlock_b();
    }
}

void wait_lock(void);
void wait_unlock(void);

void holder(void) {
    while (1) {
        wait_lock();
        wait_unlock();
    }
}

void holder_of_b(void) {
    holder();
}
