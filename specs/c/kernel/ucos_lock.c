/* The discipline of a lock, in the manner of uC/OS-II: it is acquired and released in turns,
   beginning with an acquisition, and whenever it is acquired, it is released later. */

enum error { NO_ERROR, BAD_EVENT, FULL };

void enter(void);
void leave(void);
int valid(void); /* 0 or 1 */
int room(void);
void post_message(void);

/* Leaves the critical section without having entered it, where the event is not valid. */
enum error post(void) {
    enum error e = NO_ERROR;
    if (!valid()) {
        e = BAD_EVENT;
        goto out;
    }
    enter();
    if (room())
        post_message();
    else
        e = FULL;
out:
    leave();
    return e;
}

enum error mended_post(void) {
    enum error e = NO_ERROR;
    if (!valid())
        return BAD_EVENT;
    enter();
    if (room())
        post_message();
    else
        e = FULL;
    leave();
    return e;
}

void task(void) {
    while (1)
        post();
}

void mended_task(void) {
    while (1)
        mended_post();
}
