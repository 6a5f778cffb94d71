/* A counter of binary32 stands still at 16777216; one of binary64 does not, yet.
   seltl reach specs/c/floats/counter.c            fails
   seltl reach specs/c/floats/counter.c -D FIXED   holds */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#ifdef FIXED
typedef double number;
#else
typedef float number;
#endif

int main(void)
{
	int n = __VERIFIER_nondet_int();
	if (n < 16777200 || n > 16777300)
		return 0;
	number count = n;
	assert(count + 1 > count && (int)count == n);
	return 0;
}
