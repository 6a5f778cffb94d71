/* Whether a number is negative, by its first bit: -0 and some that are no numbers have one, too.
   seltl reach specs/c/floats/sign.c            fails
   seltl reach specs/c/floats/sign.c -D FIXED   holds */
#include <assert.h>
#include <stdint.h>

extern float __VERIFIER_nondet_float(void);

static int negative(float x)
{
	union { float number; uint32_t bits; } u;
	u.number = x;
#ifdef FIXED
	return u.bits > 0x80000000 && u.bits <= 0xff800000;
#else
	return u.bits >> 31;
#endif
}

int main(void)
{
	float x = __VERIFIER_nondet_float();
	assert(negative(x) == (x < 0));
	return 0;
}
