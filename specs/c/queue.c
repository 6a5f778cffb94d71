/* A queue of at most SIZE numbers in a ring. It forgets to look whether it is full; with
   -D FIXED it does. */
#include <assert.h>

#define SIZE 3

extern int input(void);

int items[SIZE];
int first, last, count; /* where the next number is taken and put */

int put(int x)
{
#ifdef FIXED
	if (count == SIZE)
		return 0;
#endif
	items[last] = x;
	last = last + 1 == SIZE ? 0 : last + 1;
	count++;
	return 1;
}

int take(void)
{
	int x = items[first];
	first = first + 1 == SIZE ? 0 : first + 1;
	count--;
	return x;
}

int main(void)
{
	while (1) {
		if (input() > 0)
			put(input());
		else if (count > 0)
			take();
		assert(0 <= count && count <= SIZE);
	}
}
