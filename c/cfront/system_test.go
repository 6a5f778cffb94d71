package cfront

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
)

// systemHeaders are those of ISO C and POSIX, and some of Linux and the GNU C library.
const systemHeaders = `assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
aio arpa/inet cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen monetary mqueue netdb net/if netinet/in
netinet/tcp nl_types poll pthread pwd regex sched search semaphore spawn strings sys/ipc syslog sys/mman sys/msg sys/resource
sys/select sys/sem sys/shm sys/socket sys/stat sys/statvfs sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait tar
termios ulimit unistd utime utmpx wordexp alloca byteswap endian err error getopt malloc sys/epoll sys/ioctl sys/inotify`

// TestSystemHeaders: what gcc -E makes of a program with a header of the system is read, with all that stands in
// its inline routines, and means what the program alone does.
func TestSystemHeaders(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("SKIPPED: there is no gcc")
	}
	headers := strings.Fields(systemHeaders)
	if testing.Short() {
		headers = []string{"stdlib", "unistd", "sys/wait", "pthread"}
	}
	for _, model := range []ir.DataModel{ir.LP64, ir.ILP32} {
		read := 0
		for k, h := range headers {
			flags := []string{"-E", fmt.Sprintf("-m%d", model.PointerSize()*8), "-x", "c", "-"}
			if k%2 == 0 && h != "complex" && h != "tgmath" { // _Complex _Float32 is not read
				flags = append(flags, "-O2", "-D_GNU_SOURCE", "-D_FORTIFY_SOURCE=2")
			}
			cmd := exec.Command("gcc", flags...)
			cmd.Stdin = strings.NewReader("#include <" + h + ".h>\nint main(void) { return sizeof(long); }\n")
			out, err := cmd.Output()
			if err != nil { // no such header here
				continue
			}
			read++
			prog, err := Parse([]*source.File{source.NewFile("t.i", string(bytes.ToValidUTF8(out, nil)))}, Options{Model: model})
			if err != nil {
				t.Errorf("%s, %v: %v", h, flags, err)
				continue
			}
			if err := prog.Verify(); err != nil {
				t.Errorf("%s: %v", h, err)
			}
			if strings.Contains(string(out), "stdin)") { // inline routines use it: that it is not null is assumed
				continue
			}
			if r, err := (&machine.Machine{Program: prog}).Run(prog.Func("main"), nil); err != nil || r.Ending != machine.Returned || int64(r.Value) != model.PointerSize() {
				t.Errorf("%s: %v, %+v", h, err, r)
			}
		}
		if read == 0 {
			t.Logf("SKIPPED: gcc has no headers for %s", model)
		}
	}
}
