/* Servers: whether what was begun comes to an end, round by round. */

int get_request(void);  /* any number */
int check_request(int); /* -1 if it is wrong, else 0 */
int is_ready(void);     /* 1 or 0 */
void answer(void);
void report(void);
void lock(void);
void unlock(void);
void put(void);
void get(void);
int send(void); /* 0, or -1 for an error */
void give_up(void);

/* Answers every request, unless it returns an error. */
int server(void) {
    int r;
    while (1) {
        r = get_request();
        if (check_request(r) < 0) {
        failed:
            report();
            return -1;
        }
        answer();
    }
}

/* The same, but forgets requests that are 0. */
int forgetful_server(void) {
    int r;
    while (1) {
        r = get_request();
        if (check_request(r) < 0) {
        failed:
            report();
            return -1;
        }
        if (r != 0)
            answer();
    }
}

/* Waits for what may never be ready. */
int waiting_server(void) {
    int r;
    while (1) {
        r = get_request();
        if (check_request(r) < 0) {
        failed:
            report();
            return -1;
        }
        while (!is_ready())
            ;
        answer();
    }
}

/* Works for as many rounds as it is asked for, with the lock. */
void worker(void) {
    int n;
    while (1) {
        n = get_request();
        lock();
        while (n > 0)
            n--;
        unlock();
    }
}

/* Goes back without the lock's release for some requests. */
void leaky_worker(void) {
    int n;
    while (1) {
        n = get_request();
        lock();
        while (n > 0) {
            n--;
            if (n == 1)
                return;
        }
        unlock();
    }
}

/* Works downwards by twos, and misses 0 from an odd number. */
void stubborn_worker(void) {
    int n;
    while (1) {
        n = get_request();
        lock();
        while (n != 0)
            n -= 2;
        unlock();
    }
}

#ifndef SIZE
#define SIZE 3
#endif

/* Fills a buffer and drains it. */
void buffer(void) {
    int count = 0;
    while (1) {
        while (count < SIZE) {
            put();
            count++;
        }
        while (count > 0) {
            get();
            count--;
        }
    }
}

/* Leaves one in the buffer. */
void lazy_buffer(void) {
    int count = 0;
    while (1) {
        while (count < SIZE) {
            put();
            count++;
        }
        while (count > 1) {
            get();
            count--;
        }
    }
}

/* Tries three times. */
void sender(void) {
    int tries = 0;
    while (tries < 3 && send() != 0)
        tries++;
    if (tries == 3)
        give_up();
}

/* Tries until it succeeds. */
void persistent_sender(void) {
    int tries = 0;
    while (send() != 0)
        tries++;
    if (tries == 3)
        give_up();
}
