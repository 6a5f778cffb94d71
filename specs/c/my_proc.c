// A procedure that calls one of two library routines, and returns one of four numbers.
// What foo and bar do is not here: my_proc.spec and my_conc.spec say what is assumed.

int foo(void);
int bar(void);

int my_proc(int x) {
    int y;
    if (x == 0) {
        y = foo();
        if (y > 0)
            return 10;
        return 20;
    }
    y = bar();
    if (y < 0)
        return 30;
    return 40;
}
