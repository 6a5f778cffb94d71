// Who reads until the end of the input waits for an end that need not come.
#include <stdio.h>

int main(void) {
    int c, lines = 0;
    while ((c = getchar()) != EOF)
        if (c == '\n')
            lines = 1;
    return lines;
}
