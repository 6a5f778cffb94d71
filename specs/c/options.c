/* An option parser, in the manner of getopt: it is given the letters of the command line one by
   one, notes what they say, and then runs or tells how it is used. */

#define END (-1)

int next_letter(void); /* a letter, or END */
void usage(void);
void run(int verbose);

int parse(int strict) {
    int letter, verbose = 0, helped = 0;
    while ((letter = next_letter()) != END) {
        switch (letter) {
        case 'v':
            verbose = 1;
            break;
        case 'h':
            helped = 1;
            break;
        default:
            if (strict) {
                usage();
                return 2;
            }
        }
    }
    if (helped) {
        usage();
        return 0;
    }
    run(verbose);
    return 0;
}
