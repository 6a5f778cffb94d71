/* An amount in euros becomes cents: 0.29 times 100 is a little less than 29, and is to be rounded, not cut off.
   seltl reach specs/c/floats/money.c            fails
   seltl reach specs/c/floats/money.c -D FIXED   holds */
#include <assert.h>
#include <math.h>

static int cents(double euros)
{
#ifdef FIXED
	return (int)lround(euros * 100);
#else
	return (int)(euros * 100);
#endif
}

int main(void)
{
	for (int n = 0; n < 300; n++)
		assert(cents(n / 100.0) == n);
	return 0;
}
