// No int is more than the largest one: where signed numbers wrap around, this has no end.
// With --check=overflow,termination the overflow is a failure, which ends the run.
int main(void) {
    for (int i = 0x7ffffff0; i <= 0x7fffffff; i++) {
    }
    return 0;
}
