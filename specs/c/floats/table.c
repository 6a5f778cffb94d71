/* A measurement finds its place in a table: rounded to the nearest one, it can be the place behind the last
   one; and numbers just below 1, times the size of the table, can be the size itself.
   seltl reach specs/c/floats/table.c            fails
   seltl reach specs/c/floats/table.c -D FIXED   holds */
#include <assert.h>

extern float __VERIFIER_nondet_float(void);

#define SIZE 10

static int table[SIZE];

int main(void)
{
	float x = __VERIFIER_nondet_float();
	if (!(x >= 0 && x < 1))
		return 0;
#ifdef FIXED
	int i = (int)(x * SIZE);
	if (i == SIZE)
		i--;
#else
	int i = (int)(x * SIZE + 0.5f);
#endif
	assert(0 <= i && i < SIZE);
	return table[i];
}
