/* Newton's method for a square root stops where nothing changes any more: it may go to and fro between two neighbours
   for ever, so its steps are counted.
   seltl reach specs/c/floats/root.c            fails
   seltl reach specs/c/floats/root.c -D FIXED   holds */
#include <assert.h>
#include <math.h>

int main(void)
{
	for (int n = 1; n <= 20; n++) {
		double a = n, x = a, before = 0;
		int steps = 0;
		while (x != before && steps < 50) {
			before = x;
			x = (x + a / x) / 2;
			steps++;
		}
#ifdef FIXED
		assert(fabs(x - sqrt(a)) <= 1e-15 * a);
#else
		assert(x == sqrt(a));
#endif
	}
	return 0;
}
