/* A lock that is released on every path, and one that is not. */

void lock(void);
void unlock(void);
int copy_from_user(void); /* 0, or -1 for a bad address */
void change(void);

int write_attribute(void) {
    int ret = -1;
    lock();
    if (copy_from_user() != 0)
        goto out;
    change();
    ret = 0;
out:
    unlock();
    return ret;
}

int leaky_write_attribute(void) {
    lock();
    if (copy_from_user() != 0)
        return -1;
    change();
    unlock();
    return 0;
}

void writer(void) {
    while (1)
        write_attribute();
}

void leaky_writer(void) {
    while (1)
        leaky_write_attribute();
}

void wait_lock(void);
void wait_unlock(void);

void mutex(void) {
    while (1) {
        wait_lock();
        wait_unlock();
    }
}
