// By steps of two an odd number never becomes 0, though it goes round the end of its range.
unsigned input(void);

int main(void) {
    for (unsigned n = input(); n != 0; n += 2) {
    }
    return 0;
}
