// Nobody else is there who could change the flag.
int ready;

int main(void) {
    while (!ready) {
    }
    return 0;
}
