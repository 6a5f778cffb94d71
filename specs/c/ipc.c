/* A stand-in for the row ABB of table 10.1 of the thesis, whose program is not public: what
   section 10.8 says of synchronous communication between threads. A sender puts its message
   into the queue of the receiver, and waits until it is answered or time is up; then it
   withdraws the message, unless the receiver has taken it: then the answer is near. */

void prepare(void);
void lock(void);
void unlock(void);
void put(void);
int wait_answer(void); /* 1 if there is one, 0 if time is up */
int withdraw(void);    /* 1 if the message was still there */
void wait_late_answer(void);
void failed(void);

void sender(void) {
    while (1) {
        prepare();
        lock();
        put();
        unlock();
    waiting:
        if (!wait_answer()) {
            lock();
            if (withdraw()) {
                unlock();
                failed();
            } else {
                unlock();
                wait_late_answer();
            }
        }
    }
}

/* Gives up without withdrawing the message. */
void hasty_sender(void) {
    while (1) {
        prepare();
        lock();
        put();
        unlock();
        if (!wait_answer())
            failed();
    }
}

/* The place of a sender in the queue of the receiver. */
enum place { EMPTY, QUEUED, TAKEN };
enum place wait_empty(void);
enum place wait_queued(void);
enum place wait_taken(void);

void place(void) {
    enum place s = EMPTY;
    while (1) {
        switch (s) {
        case EMPTY:
            s = wait_empty();
            break;
        case QUEUED:
            s = wait_queued();
            break;
        case TAKEN:
            s = wait_taken();
            break;
        }
    }
}

void ask(void);
int look(void); /* 1 if a message was taken */
void handle(void);
void answer(void);

void receiver(void) {
    while (1) {
        ask();
        lock();
        if (look()) {
            unlock();
            handle();
            answer();
        } else
            unlock();
    }
}

void wait_lock(void);
void wait_unlock(void);

void semaphore(void) {
    while (1) {
        wait_lock();
        wait_unlock();
    }
}
