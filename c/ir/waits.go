package ir

import "strings"

// waiting are routines of the library that wait for something from outside, beside those of AsBlocking.
var waiting = wordSet("read recv recvfrom recvmsg readv pread getchar getc fgetc getw getwchar fgetwc fgets fread getline getdelim scanf fscanf " +
	"write send sendto sendmsg writev pwrite fwrite fputc fputs putc putchar puts printf fprintf fflush fclose open openat creat fopen fopen64 freopen fdopen popen pclose " +
	"accept4 eventfd_read eventfd_write tcdrain tee vmsplice splice dprintf vdprintf vprintf vfprintf perror putw putwchar fputwc fputws getwc " +
	"warn warnx vwarn vwarnx err errx verr verrx psignal psiginfo syslog vsyslog rewind fseek fseeko fsetpos " +
	"execl execle execlp execv execve execvp execvpe execveat fexecve " + // which do not return where they succeed
	"accept connect poll ppoll select pselect epoll_wait wait waitpid wait3 wait4 fcntl flock lockf ioctl mq_receive mq_send msgrcv msgsnd semop")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// MayWait reports a routine of the library that need not return, since it waits for something from outside (input, a
// lock, another process) or becomes another program, and its name.
func (f *Func) MayWait() (name string, waits bool) {
	name, scanned := strings.CutPrefix(f.Name, ResultOf)
	switch {
	case f.Means(AsBlocking):
		return f.Name, true
	case scanned && ReadsByFormat(name):
		return name, true
	}
	return f.Name, (f.Library || f.Known != nil && f.Extern()) && waiting[strings.TrimSuffix(PlainName(f.Name), "_unlocked")]
}
