/* A producer, a buffer of SIZE places, and a consumer. Each is a component of its own; they
   talk by the actions put and get. */

#ifndef SIZE
#define SIZE 2
#endif

void put(void);
void get(void);
int either(void); /* 1: something was put; 0: something was got */

void producer(void) {
    while (1)
        put();
}

void consumer(void) {
    while (1)
        get();
}

void buffer(void) {
    int count = 0;
    while (1) {
        if (count == 0) {
            put();
            count++;
        } else if (count == SIZE) {
            get();
            count--;
        } else if (either())
            count++;
        else
            count--;
    }
}
