/* A driver that takes a lock, works, and gives the lock back: it never takes it twice. */
extern int input(void);

int locked = 0;

void lock(void)
{
	if (locked) {
	ERROR:
		return;
	}
	locked = 1;
}

void unlock(void) { locked = 0; }

int main(void)
{
	int old, now = 0;
	do {
		lock();
		old = now;
		if (input() > 0) {
			unlock();
			now++;
		}
	} while (old != now);
	unlock();
	return 0;
}
