// What is not in a ring is looked for round and round.
int input(void);

int main(void) {
    int ring[4] = {1, 2, 3, 4}, at = 0, wanted = input();
    while (ring[at] != wanted)
        at = (at + 1) % 4;
    return at;
}
