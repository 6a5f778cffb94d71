package cfront

import (
	"os"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
)

// posixHeaders are read together, with those of ISO C.
const posixHeaders = "stdio stdlib string unistd time signal setjmp locale wchar fcntl sys/types sys/stat sys/socket netinet/in arpa/inet poll dirent errno semaphore sys/time sys/wait termios sys/mman pwd sched regex netdb sys/un sys/select sys/uio pthread limits stdint inttypes sys/epoll sys/resource math ctype float assert strings getopt syslog glob sys/ioctl dlfcn threads uchar wctype fenv complex"

// posixValues are what headers say of the system.
const posixValues = `sizeof(struct stat);__builtin_offsetof(struct stat, st_mtime);sizeof(sigset_t);sizeof(pthread_mutex_t);sizeof(struct sockaddr_in);sizeof(struct tm);sizeof(jmp_buf);sizeof(struct timespec)
sizeof(time_t);sizeof(off_t);sizeof(mbstate_t);sizeof(fpos_t);sizeof(div_t);sizeof(struct dirent);sizeof(struct termios);sizeof(struct addrinfo);sizeof(sem_t);sizeof(pthread_attr_t);sizeof(regex_t);sizeof(struct sockaddr_un)
sizeof(fd_set);sizeof(struct iovec);sizeof(struct epoll_event);sizeof(struct sigaction);sizeof(siginfo_t);sizeof(struct rusage);sizeof(struct in6_addr);O_CREAT;O_NONBLOCK;SIGINT;SIGCHLD;EINTR;EAGAIN;PATH_MAX;INT_MAX;LONG_MAX
SIZE_MAX;INT64_MAX;BUFSIZ;RAND_MAX;EOF;SEEK_END;AF_INET6;SOCK_STREAM;POLLIN;S_IFMT;WNOHANG;LC_ALL;CLOCKS_PER_SEC;TCSANOW;PROT_READ;MAP_ANONYMOUS;EXIT_FAILURE;sizeof(wint_t);sizeof(socklen_t);sizeof(pid_t);sizeof(mode_t)
sizeof(struct own);sizeof(ssize_t);sizeof(struct flock);sizeof(struct pollfd);CHAR_MIN;UINT_MAX;SSIZE_MAX;NAME_MAX;FLT_DIG;DBL_MAX_EXP;sizeof(imaxdiv_t);PRId64[0];FD_SETSIZE;WEXITSTATUS(0x300);S_ISDIR(0040000);sizeof(pthread_cond_t)
sizeof(struct timeval);sizeof(long double);sizeof(struct ifreq_size *);ntohs(1) == 256;sizeof(thrd_t);sizeof(mtx_t);sizeof(char16_t);sizeof(fenv_t)`

// TestSystemValues: sources that include headers of the system read them, and sizes, places and numbers are gcc's; what
// these headers make of attributes for other compilers does not reach the program's.
func TestSystemValues(t *testing.T) {
	var b strings.Builder
	for _, h := range strings.Fields(posixHeaders) {
		b.WriteString("#include <" + h + ".h>\n")
	}
	b.WriteString("struct __attribute__((packed)) own { char c; int i; };\nvoid try_it(void) {\n")
	values := strings.Split(strings.ReplaceAll(posixValues, "\n", ";"), ";")
	for _, v := range values {
		b.WriteString("  out(" + v + ");\n")
	}
	text := b.String() + "}\n"
	for model, folders := range map[ir.DataModel][]string{ir.LP64: {"/usr/include/x86_64-linux-gnu", "/usr/include"}, ir.ILP32: {"/usr/include/i386-linux-gnu", "/usr/include/x86_64-linux-gnu", "/usr/include"}} {
		if _, err := os.Stat("/usr/include/x86_64-linux-gnu/sys/stat.h"); err != nil {
			t.Skip("SKIPPED: the headers of this system are others: ", err)
		}
		want, ok := compiled(t, model, text, []string{"try_it"})
		if !ok {
			t.Skip("SKIPPED: ", gcc.ErrMissing)
		}
		open := func(name string) (*source.File, error) {
			text, err := os.ReadFile(name)
			return source.NewFile(name, string(text)), err
		}
		p, err := Parse([]*source.File{source.NewFile("p.c", outDeclaration+text)}, Options{Model: model, Entry: "try_it", System: folders, Open: open})
		if err != nil {
			t.Fatalf("%v: %.3000v", model, err)
		}
		got, wanted := strings.Fields(computed(t, p, "try_it")), strings.Fields(want[0])
		for i, v := range values {
			if i >= len(got) || got[i] != wanted[i] {
				t.Errorf("%v: %s: %v, gcc: %s", model, v, got[min(i, len(got)-1):][:1], wanted[i])
				break
			}
		}
	}
}
