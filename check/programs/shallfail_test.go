package programs

import (
	"testing"

	"github.com/seltl/seltl/report"
)

const files = "#include <stdio.h>\n#include <errno.h>\nint open(const char *, int, ...), close(int), isatty(int); long read(int, void *, unsigned long), write(int, const void *, unsigned long), lseek(int, long, int); extern int optind, opterr; extern char *optarg;\n"

// shallFail are programs whose failures need that a routine succeeds where POSIX says that it shall fail, that it fails
// without a reason, or that what is constant was changed; and neighbours that really fail.
var shallFail = []trap{
	{text: files + "int main(int argc,char**argv){ if(opterr!=1) reach_error(); if (optarg) reach_error(); if(optind!=1) reach_error(); return 0; }", want: report.Holds},
	{text: "const int k=1; int main(void){ *(int*)&k=2; if(k==2) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ FILE*f=fopen(\"x\",\"zz\"); if(f) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ int a=open(\"x\",0); if (a<0) return 1; if (close(a)) return 1; puts(\"x\"); if (close(a)==0) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ int a=open(\"x\",0);\nint b=open(\"y\",0); if (a<0||b<0) return 1; if (close(a)==0 &&\nclose(a)==0) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ int a=open(\"x\",0); if (a<0) return 1; FILE *f=fdopen(a,\"r\"); if (!f || fclose(f)) return 1; if (close(a)==0) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ FILE*f=fopen(\"x\",\"r\"), *g=fopen(\"y\",\"w\"); if (!f||!g) return 1; if (fgetc(g)==3) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ FILE*f=fopen(\"x\",\"r\"), *g=fopen(\"y\",\"w\"); if (!f||!g) return 1; if (fgetc(f)==3) reach_error(); return 0; }", want: report.Violated},
	{text: files + "int main(void){ errno=0; close(-1); if (errno==0) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ FILE *f=fopen(\"x\",\"r\"); if (!f) return 1; if (fseek(f,-1,SEEK_CUR)==0) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ FILE *f=fopen(\"x\",\"r\"); if (!f) return 1; if (fseek(f,1,SEEK_CUR)==0) reach_error(); return 0; }", want: report.Violated},
	{text: files + "int main(void){ FILE *f=fopen(\"x\",\"r\"); if (!f) return 1; int d=fileno(f); if (fclose(f)) return 1; if (close(d)==0) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ FILE *f=fopen(\"x\",\"r\"); if (!f) return 1; if (fprintf(f,\"a\")==1) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ errno=0; close(-1); if (errno!=0) reach_error(); return 0; }", want: report.Violated},
	{text: files + "int main(void){ FILE*f=fopen(\"x\",\"w\"); if (!f) return 1; fgetc(f); if (!ferror(f)) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ FILE*f=fopen(\"x\",\"r\"); if (!f) return 1; fputc('a',f); if (!ferror(f)) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "void *malloc(unsigned long); int main(void){ errno=0; void *p=malloc(3); if (!p) return 1; if (errno!=0) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ int k; FILE*f=fopen(\"x\",\"w\"); if (!f) return 1; if (fscanf(f,\"%d\",&k)==1) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ FILE*f=fopen(\"x\",\"r\"); if(f && fseek(f,0,77)==0) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ if(close(-1)==0) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ if(close(0)==0 && close(0)==0) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ if(isatty(-1)) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ if(write(-1,\"a\",1)==1) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ FILE*f=fopen(\"x\",\"w\"); if(f && fgetc(f)=='a') reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ int a=open(\"x\",0); int b=open(\"y\",0); if (a<0||b<0) return 1; if (close(a)==0 && close(b)==0) reach_error(); return 0; }", want: report.Violated},
	{text: files + "int main(void){ int a=open(\"x\",0); if (a<0) return 1; if (close(a)==0 && close(a)==0) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ for (int i=0;i<3;i++) {int a=open(\"x\",0); if (a<0) return 1; if (close(a)!=0) return 1;} reach_error(); return 0; }", want: report.Violated},
	{text: files + "int main(void){ int a=open(\"x\",0); if (a<0) return 1; char b; if (close(a)==0 && read(a,&b,1)==0) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ int a=open(\"x\",0); if (a<0) return 1; char b; if (lseek(a,-1,SEEK_SET)>=0) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ int a=open(\"x\",0); if (a<0) return 1; char b; if (lseek(a,1,SEEK_SET)>=0) reach_error(); return 0; }", want: report.Violated},
	{text: files + "int main(void){ FILE *f=fopen(\"x\",\"r\"); if (f&&fwrite(\"abc\",1,3,f)==3) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ FILE *f=fopen(\"x\",\"w\"); if (f&&fwrite(\"abc\",1,3,f)==3) reach_error(); return 0; }", want: report.Violated},
	{text: files + "int main(void){ char b[5]; FILE *f=fopen(\"x\",\"a\"); if (f&&fgets(b,5,f)) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ if (fgetc(stdout)=='a') reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ if (fgetc(stdin)=='a' && fputc('a',stderr)==EOF) reach_error(); return 0; }", want: report.Violated},
	{text: files + "int main(void){ if (remove(\"\")==0) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ if (remove(\"a\")==0) reach_error(); return 0; }", want: report.Violated},
	{text: files + "int main(void){ errno=0; if (remove(\"a\")==-1 && errno==0) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ errno=0; if (!fopen(\"a\",\"r\") && errno==0) reach_error(); return 0; }", want: report.Unknown},
	{text: files + "int main(void){ errno=0; if (remove(\"a\")==-1 && errno==99999) reach_error(); return 0; }", want: report.Holds},
	{text: files + "int main(void){ errno=0; if (close(1)==-1 && errno==EAGAIN) reach_error(); return 0; }", want: report.Violated},
	{text: "int main(void){ char *p=\"abc\"; p[1]='x'; reach_error(); return 0; }", want: report.Unknown},
	{text: "struct s { int a; const int b; } v = {1,2}; int main(void){ int *p=(int*)&v.b; *p=3; if (v.b==3) reach_error(); return 0; }", want: report.Unknown},
	{text: "struct s { int a; const int b; } v = {1,2}; int main(void){ int *p=(int*)&v.a; *p=3; if (v.a==3) reach_error(); return 0; }", want: report.Violated},
}

const misuse = "#include <stdio.h>\n#include <ctype.h>\n#include <string.h>\n"

// leftOpen are programs whose failures need what C leaves open, and neighbours that really fail.
var leftOpen = []trap{
	{text: misuse + "int main(int c, char **v) { if (v + 1 == 0) reach_error(); return 0; }", want: report.Unknown},
	{text: misuse + "void f(int *p){ int *q = p+1; if (q==0) reach_error(); } int main(int c, char**v){ f((int*)v[0]); }", want: report.Unknown},
	{text: misuse + "struct s {int a; int b;}; extern struct s *get(void); int main(void){ struct s *p=get(); if (p && &p->b == 0) reach_error(); }", want: report.Unknown},
	{text: misuse + "extern int *get(void); int main(void){ int *p=get(); if (p && p+1==0) reach_error(); }", want: report.Unknown},
	{text: misuse + "extern int *p; int main(void){ if (p && p+1==0) reach_error(); }", want: report.Unknown},
	{text: misuse + "int main(void){ puts((char*)0); reach_error(); }", want: report.Unknown},
	{text: misuse + "int main(void){ fclose(0); reach_error(); }", want: report.Unknown},
	{text: misuse + "extern int in(void); int main(void){ if(!isalpha(100000)) reach_error(); }", want: report.Unknown},
	{text: misuse + "int main(void){ fclose(stdin); if (getchar() != EOF) reach_error(); }", want: report.Unknown},
	{text: misuse + "int main(void){ fclose(stdin); if (fgetc(stdin) != EOF) reach_error(); }", want: report.Unknown},
	{text: misuse + "int main(void){ fclose(stdout); if (puts(\"a\") >= 0) reach_error(); }", want: report.Unknown},
	{text: misuse + "int main(void){ char b[8]; FILE *f = fopen(\"a\", \"r\"); if (!f) return 0; fclose(f); if (fgets(b, 8, f)) reach_error(); }", want: report.Unknown},
	{text: misuse + "int main(void){ char b[8]; FILE *f = fopen(\"a\", \"r\"); if (!f) return 0; fclose(f); if (feof(f)) reach_error(); }", want: report.Unknown},
	{text: misuse + "int main(void){ char b[8]; FILE *f = fopen(\"a\", \"r\"); if (!f) return 0; fclose(f); f = fopen(\"b\", \"r\"); if (f && fgets(b, 8, f)) reach_error(); }", want: report.Violated},
	{text: misuse + "int main(void){ fclose(stdin); if (puts(\"a\") >= 0) reach_error(); }", want: report.Violated},
	{text: misuse + "int main(void){ char *s=\"a,b\"; strtok(s,\",\"); if (s[1]==0) reach_error(); }", want: report.Unknown},
	{text: misuse + "int main(void){ char *s=strchr(\"abc\",98); *s='x'; if (*s=='x') reach_error(); }", want: report.Unknown},
	{text: misuse + "const char k[4]=\"abc\"; int main(void){ strcpy((char*)k,\"xy\"); if (k[0]=='x') reach_error(); }", want: report.Unknown},
	{text: misuse + "const char k[4]=\"abc\"; int main(void){ memcpy((char*)k,\"xy\",2); if (k[0]=='x') reach_error(); }", want: report.Unknown},
	{text: misuse + "const char k[4]=\"abc\"; int main(void){ memset((char*)k,0,4); if (k[0]==0) reach_error(); }", want: report.Unknown},
	{text: misuse + "extern int *get(void); int main(void){ int *p=get(); if (p && p+1!=0) reach_error(); }", want: report.Violated},
	{text: misuse + "extern int *get(void); int main(void){ int *p=get(); if (p == (int*)-1) reach_error(); }", want: report.Violated},
	{text: misuse + "int main(void){ if(isalpha('a')) reach_error(); }", want: report.Violated},
	{text: misuse + "int main(int c, char **v) { if (v + 1 != 0) reach_error(); return 0; }", want: report.Violated},
	{text: misuse + "int main(void){ fflush(0); reach_error(); }", want: report.Violated},
	{text: "enum { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT = 0100 }; int open(const char *, int, ...); int creat(const char *, unsigned); long read(int, void *, unsigned long); long write(int, const void *, unsigned long);\nint main(void) { char b[2]; int f = open(\"x\", O_WRONLY); if (f < 0) return 0; if (read(f, b, 2) >= 0) reach_error(); }", want: report.Unknown},
	{text: "enum { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT = 0100 }; int open(const char *, int, ...); int creat(const char *, unsigned); long read(int, void *, unsigned long); long write(int, const void *, unsigned long);\nint main(void) { char b[2]; int f = open(\"x\", O_RDWR); if (f < 0) return 0; if (read(f, b, 2) >= 0) reach_error(); }", want: report.Violated},
	{text: "enum { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT = 0100 }; int open(const char *, int, ...); int creat(const char *, unsigned); long read(int, void *, unsigned long); long write(int, const void *, unsigned long);\nint main(void) { int f = open(\"x\", O_RDONLY); if (f < 0) return 0; if (write(f, \"a\", 1) >= 0) reach_error(); }", want: report.Unknown},
	{text: "enum { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT = 0100 }; int open(const char *, int, ...); int creat(const char *, unsigned); long read(int, void *, unsigned long); long write(int, const void *, unsigned long);\nint main(void) { int f = open(\"x\", O_WRONLY | O_CREAT, 0644); if (f < 0) return 0; if (write(f, \"a\", 1) == 1) reach_error(); }", want: report.Violated},
	{text: "enum { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT = 0100 }; int open(const char *, int, ...); int creat(const char *, unsigned); long read(int, void *, unsigned long); long write(int, const void *, unsigned long);\nint main(void) { char b[2]; int f = creat(\"x\", 0644); if (f < 0) return 0; if (read(f, b, 2) >= 0) reach_error(); }", want: report.Unknown},
	{text: "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"x\", \"w\"); if (!f) return 0; int x; if (fscanf(f, \"%d\", &x) >= 0) reach_error(); }", want: report.Unknown},
	{text: "#include <stdio.h>\nint main(void) { FILE *f = popen(\"x\", \"r\"); if (!f) return 0; if (pclose(f) < -1) reach_error(); }", want: report.Holds},
	{text: "#include <math.h>\nint main(void) { if (signbit(fmin(-0.0, 0.0))) reach_error(); }", want: report.Unknown},
	{text: "#include <math.h>\nint main(void) { if (!signbit(fmin(-0.0, 0.0))) reach_error(); }", want: report.Unknown},
	{text: "#include <math.h>\nint main(void) { if (!signbit(fmaxf(0.0f, -0.0f))) reach_error(); }", want: report.Unknown},
	{text: "#include <math.h>\nint main(void) { if (fmin(-0.0, 0.0) != 0) reach_error(); }", want: report.Holds},
	{text: "#include <math.h>\nint main(void) { if (signbit(fmin(-0.0, 1.0))) reach_error(); }", want: report.Violated},
}

const opened = "#include <stdio.h>\nint main(void) { int c = 1, d = 1; char b[4] = \"a\"; FILE *f, *h; "

// indicators are programs that ask for the indicators of streams, or read behind the end.
var indicators = []trap{
	{text: opened + "c = getchar(); if (ferror(stdin) && feof(stdin)) reach_error(); }", want: report.Unknown},
	{text: opened + "if (!fgets(b, 4, stdin) && ferror(stdin) && feof(stdin)) reach_error(); }", want: report.Unknown},
	{text: opened + "feof(stdin); fread(b, 1, 2, stdin); if (ferror(stdin) && feof(stdin)) reach_error(); }", want: report.Unknown},
	{text: opened + "while (!feof(stdin) && !ferror(stdin)) c = getchar(); if (ferror(stdin) && feof(stdin)) reach_error(); }", want: report.Unknown},
	{text: opened + "b[0] = 'q'; if (!fgets(b, 3, stdin) && feof(stdin) && b[0] != 'q') reach_error(); }", want: report.Unknown},
	{text: opened + "ungetc('a', stdin); if (ferror(stdin)) reach_error(); }", want: report.Unknown},
	{text: opened + "ftell(stdin); if (ferror(stdin)) reach_error(); }", want: report.Unknown},
	{text: opened + "c = getchar(); if (feof(stdin)) { c = getchar(); if (c == 'a') reach_error(); } }", want: report.Unknown},
	{text: opened + "c = getchar(); if (feof(stdin)) { if (fgets(b,3,stdin)) reach_error(); } }", want: report.Unknown},
	{text: opened + "c = getchar(); if (feof(stdin)) { if (fread(b,1,2,stdin)==2) reach_error(); } }", want: report.Unknown},
	{text: opened + "c = getchar(); if (feof(stdin)) { if (scanf(\"%d\",&c)==1) reach_error(); } }", want: report.Unknown},
	{text: opened + "c = getchar(); if (feof(stdin)) { c = getchar(); if (ferror(stdin)) reach_error(); } }", want: report.Unknown},
	{text: opened + "c = getchar(); if (feof(stdin)) { c = getchar(); if (c < 0 && ferror(stdin)) reach_error(); } }", want: report.Unknown},
	{text: opened + "while (!feof(stdin) && !ferror(stdin)) c = getchar(); c = getchar(); if (c != EOF && feof(stdin)) reach_error(); }", want: report.Unknown},
	{text: opened + "if (!(f = fopen(\"t\", \"r\"))) return 0; if (!(h = fopen(\"t\", \"r\"))) return 0; clearerr(h); fgetc(f); if (feof(h)) reach_error(); }", want: report.Unknown},
	{text: opened + "if (!(f = fopen(\"t\", \"r\"))) return 0; clearerr(stdin); fgetc(f); if (feof(stdin)) reach_error(); }", want: report.Unknown},
	{text: opened + "d = fwrite(b, 1, 2, stdout); if (d < 2 && !ferror(stdout)) reach_error(); }", want: report.Unknown},
	{text: opened + "if (fflush(stdout) == EOF) reach_error(); }", want: report.Unknown},
	{text: opened + "if (fputs(\"\",stdout) < 0) reach_error(); }", want: report.Unknown},
	{text: opened + "while ((c = getchar()) != EOF) ; c = getchar(); if (c == 'a') reach_error(); }", want: report.Violated},
	{text: opened + "c = getchar(); if (ferror(stdin)) reach_error(); }", want: report.Unknown},
	{text: opened + "c = getchar(); if (feof(stdin)) reach_error(); }", want: report.Violated},
	{text: opened + "c = getchar(); d = getchar(); if (c<0 && d<0 && feof(stdin) && ferror(stdin)) reach_error(); }", want: report.Violated},
	{text: opened + "d = fwrite(b, 1, 2, stdout); if (d < 2 && ferror(stdout)) reach_error(); }", want: report.Violated},
	{text: opened + "puts(\"a\"); if (fflush(stdout) == EOF) reach_error(); }", want: report.Violated},
	{text: opened + "c = getchar(); if (feof(stdin)) { clearerr(stdin); c = getchar(); if (c == 'a') reach_error(); } }", want: report.Violated},
	{text: opened + "if (!fgets(b, 4, stdin) && ferror(stdin)) reach_error(); }", want: report.Violated},
	{text: opened + "if (fgets(b, 4, stdin) && feof(stdin)) reach_error(); }", want: report.Violated},
	{text: opened + "if (fread(b, 1, 2, stdin) < 2 && ferror(stdin)) reach_error(); }", want: report.Violated},
}

func TestShallFail(t *testing.T) {
	askTraps(t, Common, shallFail)
	askTraps(t, Common, leftOpen)
	askTraps(t, Common, indicators)
}
