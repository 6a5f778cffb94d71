// A program without a specification: calls of its routines are events of formulas.
//   seltl verify specs/c/logger.c "G(fopen -> F fclose)"
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int lines;

int next_event(void); // 0 at the end, negative if something is wrong

static int note(FILE *to, int event) {
    pthread_mutex_lock(&guard);
    if (event < 0) // the lock stays held
        return -1;
    fprintf(to, "event %d\n", event);
    lines++;
    pthread_mutex_unlock(&guard);
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    FILE *to = fopen(argv[1], "a");
    if (!to)
        return 1;
    int event, failed = 0;
    while ((event = next_event()) != 0)
        if (note(to, event) < 0)
            failed = 1;
    fclose(to);
    return failed;
}
