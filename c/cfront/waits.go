package cfront

import "strings"

// waiting are routines of the library that wait for something from outside, beside those of AsBlocking.
var waiting = wordSet("read recv recvfrom recvmsg readv pread getchar getc fgetc getw getwchar fgetwc fgets fread getline getdelim scanf fscanf " +
	"write send sendto sendmsg writev pwrite fwrite fputc fputs putc putchar puts printf fprintf fflush fclose open openat creat fopen fopen64 freopen fdopen popen pclose " +
	"accept connect poll ppoll select pselect epoll_wait wait waitpid wait3 wait4 fcntl flock lockf ioctl mq_receive mq_send msgrcv msgsnd semop")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// MayWait reports a routine of the library that need not return, and its name; with ends, also one that waits for
// something from outside: input, a lock, another process.
func (f *Func) MayWait(ends bool) (name string, waits bool) {
	name, scanned := strings.CutPrefix(f.Name, resultOf)
	switch {
	case f.means(AsBlocking):
		return f.Name, true
	case !ends:
		return f.Name, false
	case scanned && scans(name):
		return name, true
	}
	return f.Name, (f.Library || f.Known != nil && f.Extern()) && waiting[strings.TrimSuffix(plainName(f.Name), "_unlocked")]
}
