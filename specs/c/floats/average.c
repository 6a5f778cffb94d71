/* The mean of two measurements lies between them: not if their sum is infinite.
   seltl reach specs/c/floats/average.c            fails
   seltl reach specs/c/floats/average.c -D FIXED   holds */
#include <assert.h>

extern float __VERIFIER_nondet_float(void);

int main(void)
{
	float low = __VERIFIER_nondet_float(), high = __VERIFIER_nondet_float();
	if (!(0 <= low && low <= high && high <= 3.4028235e38f))
		return 0;
#ifdef FIXED
	float mean = low / 2 + high / 2;
	if (mean < low)
		mean = low; /* of numbers that have no half */
	if (mean > high)
		mean = high;
#else
	float mean = (low + high) / 2;
#endif
	assert(low <= mean && mean <= high);
	return 0;
}
