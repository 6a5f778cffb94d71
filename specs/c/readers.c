/* Readers and writers, and a controller that says who may come in: any number of readers, or
   one writer (the RW systems of thesis 10.8, smaller). */

#ifndef READERS
#define READERS 2
#endif

enum request { READER_IN, READER_OUT, WRITER_IN, WRITER_OUT };

void start_read(void);
void end_read(void);
void start_write(void);
void end_write(void);

/* What the controller waits for: the first of what is allowed that somebody asks for. */
enum request wait_free(void);
enum request wait_reading(void);
enum request wait_full(void);
enum request wait_writing(void);

void reader(void) {
    while (1) {
        start_read();
        end_read();
    }
}

void writer(void) {
    while (1) {
        start_write();
        end_write();
    }
}

void controller(void) {
    int readers = 0, writing = 0;
    enum request r;
    while (1) {
        if (writing)
            r = wait_writing();
        else if (readers == 0)
            r = wait_free();
        else if (readers == READERS)
            r = wait_full();
        else
            r = wait_reading();
        switch (r) {
        case READER_IN:
            readers++;
            break;
        case READER_OUT:
            readers--;
            break;
        case WRITER_IN:
            writing = 1;
            break;
        case WRITER_OUT:
            writing = 0;
            break;
        }
    }
}

/* One that forgets that somebody writes. */
void careless_controller(void) {
    int readers = 0;
    enum request r;
    while (1) {
        if (readers == 0)
            r = wait_free();
        else
            r = wait_full();
        if (r == READER_IN)
            readers++;
        else if (r == READER_OUT)
            readers--;
    }
}
