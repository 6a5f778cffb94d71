// What is left of a table is halved, and becomes smaller by one at least.
unsigned char input(void);

int main(void) {
    unsigned char low = 0, high = 200, wanted = input();
    while (low < high) {
        unsigned char middle = (low + high) / 2;
        if (middle < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
