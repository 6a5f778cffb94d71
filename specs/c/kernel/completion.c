/* Who gives up waiting for a device takes the request back, or else the device answers what is
   not there any more. */

void start(void);
int wait_done(void); /* 1, or 0 if time is up */
int cancel(void);    /* 0, or 1 if the device was done first */
void release(void);

void transfer(void) {
    while (1) {
        start();
    waiting:
        if (!wait_done())
            cancel();
        release();
    }
}

void impatient_transfer(void) {
    while (1) {
        start();
    waiting:
        wait_done();
        release();
    }
}

void wait_start(void);
void finish(void);

void device(void) {
    while (1) {
        wait_start();
        finish();
    }
}
