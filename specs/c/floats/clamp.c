/* A setting is cut to its range: what is no number is in no range, and passes comparisons
   that are the wrong way round.
   seltl reach specs/c/floats/clamp.c            fails
   seltl reach specs/c/floats/clamp.c -D FIXED   holds */
#include <assert.h>
#include <math.h>

extern double __VERIFIER_nondet_double(void);

static double clamp(double x)
{
#ifdef FIXED
	if (!(x >= 0))
		return 0;
#else
	if (x < 0)
		return 0;
#endif
	return x > 7 ? 7 : x;
}

int main(void)
{
	double x = clamp(__VERIFIER_nondet_double());
	assert(0 <= x && x <= 7);
	return 0;
}
