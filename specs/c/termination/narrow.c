// An unsigned char is never more than 255.
int main(void) {
    int sum = 0;
    for (unsigned char c = 0; c <= 255; c++)
        sum += c;
    return sum;
}
