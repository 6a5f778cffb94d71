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

func TestShallFail(t *testing.T) { askTraps(t, Common, shallFail) }
