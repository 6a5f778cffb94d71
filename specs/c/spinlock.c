/* A driver that works under a lock. serve is right: it takes the lock, works, and gives it back
   in every case. serve_badly forgets that in one of them. acquire and release belong to the
   kernel: spinlock.spec says what is assumed of them. */

void acquire(void);
void release(void);
int next_request(void); /* its kind; 0 if there is none */
int handle(int request);

int serve(int budget) {
    int request, result;
    while (budget > 0) {
        acquire();
        request = next_request();
        if (request == 0) {
            release();
            return 0;
        }
        result = handle(request);
        release();
        if (result < 0)
            return -1;
        budget--;
    }
    return 0;
}

int serve_badly(int budget) {
    int request, result;
    while (budget > 0) {
        acquire();
        request = next_request();
        if (request == 0) {
            release();
            return 0;
        }
        result = handle(request);
        if (result < 0)
            return -1; /* with the lock */
        release();
        budget--;
    }
    return 0;
}
