/* Threads of a real-time kernel in the manner of uC/OS-II (thesis 10.8): a service enters the
   critical section, looks at its arguments, and does what it is for. Waiting for an event also
   locks the scheduler, always second. */

enum event { SEMAPHORE, OTHER };

void compute(void);
void enter(void);
void leave(void);
void access_data(void);
void sched_lock(void);
void sched_unlock(void);
enum event event_type(void);
int count(void);
void error(void);

void thread(void) {
    while (1) {
        compute();
        enter();
        if (event_type() != SEMAPHORE) {
            leave();
            error();
            continue;
        }
    critical:
        if (count() > 0)
            access_data();
        else {
            sched_lock();
            sched_unlock();
        }
        leave();
    }
}

/* Returns an error without leaving the critical section. The thesis says that there is such a
   mistake in uC/OS-II 2.70, and not where. */
void faulty_thread(void) {
    while (1) {
        compute();
        enter();
        if (event_type() != SEMAPHORE) {
            error();
            continue;
        }
    critical:
        if (count() > 0)
            access_data();
        else {
            sched_lock();
            sched_unlock();
        }
        leave();
    }
}

void wait_enter(void);
void wait_leave(void);

void critical_section(void) {
    while (1) {
        wait_enter();
        wait_leave();
    }
}

void wait_sched_lock(void);
void wait_sched_unlock(void);

void scheduler(void) {
    while (1) {
        wait_sched_lock();
        wait_sched_unlock();
    }
}
