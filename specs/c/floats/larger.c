/* The larger of two numbers, or the one that is a number: nothing is larger than what is none.
   seltl reach specs/c/floats/larger.c            fails
   seltl reach specs/c/floats/larger.c -D FIXED   holds */
#include <assert.h>
#include <math.h>

extern double __VERIFIER_nondet_double(void);

static double larger(double a, double b)
{
#ifdef FIXED
	if (isnan(a))
		return b;
#endif
	return b > a ? b : a;
}

int main(void)
{
	double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double(), c = larger(a, b);
	assert(!(a > c) && !(b > c) && (isnan(b) || !isnan(c)));
	return 0;
}
