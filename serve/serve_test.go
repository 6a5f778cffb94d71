package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seltl/seltl/serve"
)

// client asks a server's handler as the page does.
type client struct {
	t      testing.TB
	s      *serve.Server
	cookie *http.Cookie
	token  string
}

const host = "127.0.0.1:8373"

func newClient(t testing.TB, opts serve.Options) *client {
	t.Helper()
	if opts.Folder == "" {
		opts.Folder = t.TempDir()
	}
	s, err := serve.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c := &client{t: t, s: s}
	at, _ := net.ResolveTCPAddr("tcp", host)
	u, err := url.Parse(s.Address(at))
	if err != nil {
		t.Fatal(err)
	}
	c.token = u.Query().Get("token")
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", u.RequestURI(), nil)
	r.Host = host
	s.Handler().ServeHTTP(w, r)
	if got := w.Result().Cookies(); w.Code != 200 || len(got) != 1 || !got[0].HttpOnly || got[0].SameSite != http.SameSiteStrictMode {
		t.Fatalf("the page: %d, cookies %v", w.Code, got)
	}
	c.cookie = w.Result().Cookies()[0]
	return c
}

// request is one of the page, which change may make another one.
func (c *client) request(method, path string, body io.Reader, change func(*http.Request)) *httptest.ResponseRecorder {
	c.t.Helper()
	r := httptest.NewRequest(method, path, body)
	r.Host = host
	r.AddCookie(c.cookie)
	if method == "POST" {
		r.Header.Set("Origin", "http://"+host)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("Content-Type", "application/json")
	}
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	c.s.Handler().ServeHTTP(w, r)
	return w
}

// object is an answer.
type object = map[string]any

// ask returns the status and the answer to a request with a body, or to one without if that is nil.
func (c *client) ask(path string, body any) (int, object) {
	c.t.Helper()
	method, text := "GET", []byte(nil)
	if body != nil {
		method = "POST"
		var err error
		if text, err = json.Marshal(body); err != nil {
			c.t.Fatal(err)
		}
	}
	w := c.request(method, path, bytes.NewReader(text), nil)
	var answer object
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		c.t.Fatalf("%s: %v: %s", path, err, w.Body)
	}
	return w.Code, answer
}

// problem is the code of the error in an answer, "" if there is none.
func problem(a object) string {
	e, _ := a["error"].(object)
	code, _ := e["code"].(string)
	return code
}

// decided waits for the end of a check.
func (c *client) decided(a object) object {
	c.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if _, a = c.ask("/api/checks/"+a["id"].(string), nil); a["state"] != "running" && a["state"] != "waiting" {
			return a
		}
	}
	c.t.Fatalf("this check does not end: %v", a)
	return nil
}

const lamp = "LAMP = (on -> off -> LAMP).\nltl GOOD = G (on -> X off)\nltl BAD = G !off\n"

// Who does not know the token, or comes from elsewhere, learns and changes nothing.
func TestGuard(t *testing.T) {
	c := newClient(t, serve.Options{Hosts: []string{"lab.example"}})
	set := func(key, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(key, value) }
	}
	name := func(host string) func(*http.Request) { return func(r *http.Request) { r.Host = host } }
	all := func(f ...func(*http.Request)) func(*http.Request) {
		return func(r *http.Request) {
			for _, g := range f {
				g(r)
			}
		}
	}
	bare := func(r *http.Request) { r.Header.Del("Cookie") }
	for _, k := range []struct {
		method, path string
		change       func(*http.Request)
		want         int
	}{
		{"GET", "/api/start", nil, 200},
		{"POST", "/api/read", nil, 200},
		{"GET", "/", nil, 200},
		{"GET", "/assets/serve.js", nil, 200},
		// without the token, or with another
		{"GET", "/", bare, 403},
		{"GET", "/?token=", bare, 403},
		{"GET", "/?token=" + c.token[:63] + "x", bare, 403},
		{"GET", "/?token=" + c.token, bare, 200},
		{"GET", "/api/start?token=" + c.token, bare, 403},
		{"GET", "/assets/serve.js", bare, 403},
		{"POST", "/api/read", bare, 403},
		{"GET", "/api/start", all(bare, set("Cookie", c.cookie.Name+"=x")), 403},
		// DNS rebinding
		{"GET", "/api/start", name("evil.example:8373"), 403},
		{"GET", "/?token=" + c.token, all(bare, name("evil.example")), 403},
		{"GET", "/api/start", name("127.0.0.1.evil.example"), 403},
		{"GET", "/api/start", name(""), 403},
		{"GET", "/api/start", name("localhost:9000"), 200},
		{"GET", "/api/start", name("[::1]:9000"), 200},
		{"GET", "/api/start", name("lab.example:8373"), 200},
		// another site
		{"POST", "/api/read", set("Origin", "http://evil.example"), 403},
		{"POST", "/api/read", set("Origin", "http://127.0.0.1:9999"), 403},
		{"POST", "/api/read", set("Origin", "null"), 403},
		{"POST", "/api/read", set("Sec-Fetch-Site", "cross-site"), 403},
		{"POST", "/api/read", set("Sec-Fetch-Site", "same-site"), 403},
		{"POST", "/api/read", all(set("Origin", ""), set("Sec-Fetch-Site", "")), 403},
		{"POST", "/api/read", set("Sec-Fetch-Site", ""), 200},
		{"POST", "/api/read", set("Origin", ""), 200},
		{"GET", "/api/start", set("Origin", "http://evil.example"), 403},
		{"GET", "/api/start", all(set("Origin", "http://evil.example"), set("Sec-Fetch-Site", "")), 403},
		{"GET", "/api/start", all(set("Origin", "null"), set("Sec-Fetch-Site", "none")), 403},
		{"GET", "/", set("Origin", "http://evil.example"), 403},
		{"GET", "/api/start", all(set("Origin", ""), set("Sec-Fetch-Site", "")), 200},
		{"GET", "/api/start", set("Sec-Fetch-Site", "cross-site"), 403},
		{"GET", "/api/start", set("Sec-Fetch-Site", "same-site"), 403},
		{"GET", "/api/start", set("Sec-Fetch-Site", "none"), 200},
		{"GET", "/", set("Sec-Fetch-Site", "cross-site"), 200},
		// what is no request of the page
		{"POST", "/api/read", set("Content-Type", "text/plain"), 415},
		{"DELETE", "/api/start", set("Sec-Fetch-Site", "same-origin"), 404},
		{"GET", "/api/nothing", nil, 404},
		{"GET", "/assets/page.html", nil, 404},
		{"GET", "/assets/..%2fserver.go", nil, 404},
		{"GET", "/assets/%2e%2e%2f%2e%2e%2fgo.mod", nil, 404},
	} {
		w := c.request(k.method, k.path, strings.NewReader(`{"name":"a.lks","text":"A = (a -> A)."}`), k.change)
		if w.Code != k.want {
			t.Errorf("%s %s: %d, want %d: %s", k.method, k.path, w.Code, k.want, w.Body)
		}
		for header, want := range map[string]string{"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"} {
			if got := w.Header().Get(header); got != want {
				t.Errorf("%s %s: %s is %q", k.method, k.path, header, got)
			}
		}
		if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'; script-src 'self'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s %s: the policy is %q", k.method, k.path, csp)
		}
		if k.want == 403 && strings.Contains(w.Body.String(), c.token) {
			t.Errorf("%s %s tells the token", k.method, k.path)
		}
	}
	w := c.request("POST", "/api/read", strings.NewReader("{}"), all(set("Origin", ""), set("Sec-Fetch-Site", "")))
	if body := w.Body.String(); !strings.Contains(body, "it has no Origin header") || !strings.Contains(body, "a script adds: Origin: http://"+host) {
		t.Errorf("without Origin: %s", body)
	}
}

// Nothing outside the folder is read or written, by whatever name or link.
func TestOutside(t *testing.T) {
	dir := t.TempDir()
	inside := filepath.Join(dir, "inside")
	for name, text := range map[string]string{"secret.lks": "SECRET = STOP.\n", "secret.aut": "des (0, 0, 1)\n", "inside/a.lks": lamp, "inside/sub/b.lks": lamp, "inside/.hidden/c.lks": lamp} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link.lks": "../secret.lks", "absolute.lks": filepath.Join(dir, "secret.lks"), "up": "..", "good.lks": "a.lks"} {
		if err := os.Symlink(to, filepath.Join(inside, link)); err != nil {
			t.Skip("SKIPPED: no symbolic links here")
		}
	}
	c := newClient(t, serve.Options{Folder: inside, Write: true})
	names := []string{"../secret.lks", "sub/../../secret.lks", filepath.Join(dir, "secret.lks"), "link.lks", "absolute.lks", "up/secret.lks", "/etc/passwd", "..", "", ".", "a.lks/../../secret.lks", "up/inside/a.lks", "secret.lks\x00.lks"}
	for _, name := range names {
		if _, a := c.ask("/api/text?name="+url.QueryEscape(name), nil); problem(a) == "" {
			t.Errorf("%q is read: %v", name, a)
		}
		if _, a := c.ask("/api/save", object{"name": name, "text": "EVIL = STOP.\n", "over": true}); problem(a) == "" {
			t.Errorf("%q is written: %v", name, a)
		}
	}
	for _, path := range []string{"../secret.aut", filepath.Join(dir, "secret.aut"), "up/secret.aut"} {
		_, a := c.ask("/api/read", object{"name": "a.lks", "text": fmt.Sprintf("import S = %q\n||A = (S).\n", path)})
		if text := fmt.Sprint(a["messages"]); !strings.Contains(text, "folder that is served") && !strings.Contains(text, "error") || a["model"] != nil {
			t.Errorf("an import of %q: %v", path, a)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "secret.lks")); err != nil || string(text) != "SECRET = STOP.\n" {
		t.Errorf("the file outside: %q %v", text, err)
	}
	_, a := c.ask("/api/start", nil)
	if got := fmt.Sprint(a["files"]); got != "[a.lks absolute.lks good.lks link.lks sub/b.lks]" {
		t.Errorf("the files are %s", got)
	}
	if err := os.WriteFile(filepath.Join(inside, "dos.lks"), []byte("\uFEFF"+strings.ReplaceAll(lamp, "\n", "\r\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, a := c.ask("/api/text?name=dos.lks", nil); a["text"] != lamp {
		t.Errorf("lines of DOS: %v", a)
	}
	if _, a := c.ask("/api/text?name=good.lks", nil); a["text"] != lamp {
		t.Errorf("a link within: %v", a)
	}
}

// Files are written with --write only, whole, and not over changes of others.
func TestSave(t *testing.T) {
	dir := folderWith(t, map[string]string{"a.lks": lamp})
	if _, a := newClient(t, serve.Options{Folder: dir}).ask("/api/save", object{"name": "a.lks", "text": "", "over": true}); problem(a) != "read-only" {
		t.Errorf("without --write: %v", a)
	}
	c := newClient(t, serve.Options{Folder: dir, Write: true})
	_, file := c.ask("/api/text?name=a.lks", nil)
	for _, k := range []struct {
		name, text, version string
		over                bool
		want                string
	}{
		{"a.lks", "A = STOP.\n", "", false, "changed"},
		{"a.lks", "A = STOP.\n", file["version"].(string), false, ""},
		{"a.lks", "B = STOP.\n", file["version"].(string), false, "changed"},
		{"a.lks", "C = STOP.\n", "", true, ""},
		{"new.lks", "NEW = STOP.\n", "", false, ""},
		{"nowhere/new.lks", "NEW = STOP.\n", "", false, "file"},
		{"new.sh", "#!/bin/sh\n", "", false, "file"},
		{"./x.lks", "", "", false, "file"},
		{"large.lks", strings.Repeat(" ", 2<<20), "", false, "too-large"},
	} {
		if _, a := c.ask("/api/save", object{"name": k.name, "text": k.text, "version": k.version, "over": k.over}); problem(a) != k.want {
			t.Errorf("%s %q: %v, want %q", k.name, k.version, a, k.want)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("in the folder: %v %v", left, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "a.lks")); err != nil || string(text) != "C = STOP.\n" {
		t.Errorf("a.lks: %q %v", text, err)
	}
}

func folderWith(t testing.TB, models map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range models {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// endless is a body of spaces, of which it counts those that are read.
type endless struct{ left, read int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), e.left)
	for i := range p[:n] {
		p[i] = ' '
	}
	e.left, e.read = e.left-n, e.read+n
	return int(n), nil
}

// A large body is not read to its end.
func TestLarge(t *testing.T) {
	c := newClient(t, serve.Options{})
	body := &endless{left: 100 << 20}
	if w := c.request("POST", "/api/read", body, nil); w.Code != http.StatusRequestEntityTooLarge || body.read > 5<<20 {
		t.Errorf("%d after %d bytes: %s", w.Code, body.read, w.Body)
	}
	if _, a := c.ask("/api/read", object{"name": "a.lks", "text": strings.Repeat(" ", 2<<20)}); problem(a) != "too-large" {
		t.Errorf("a model of 2 MiB: %v", a)
	}
	for _, text := range []string{"", "null", "[]", "{}", "{} {}", `{"name":1}`, `{"text":"A","unknown":1}`, strings.Repeat("[", 100_000)} {
		if w := c.request("POST", "/api/read", strings.NewReader(text), nil); w.Code != 400 && !strings.Contains(w.Body.String(), `"error"`) {
			t.Errorf("%.20q: %d: %s", text, w.Code, w.Body)
		}
	}
}

// Mistakes are told with places in the units of JavaScript.
func TestRead(t *testing.T) {
	c := newClient(t, serve.Options{})
	text := "// 𝔸 ä\nA = (a -> BUFFR).\nBUFFER = (b -> BUFFER).\n||S = (A || BUFER).\n"
	_, a := c.ask("/api/read", object{"name": "a.lks", "text": text})
	messages, _ := a["messages"].([]any)
	if len(messages) == 0 {
		t.Fatalf("no messages: %v", a)
	}
	units := []rune{} // of UTF-16, one for each
	for _, r := range text {
		if units = append(units, r); r > 0xFFFF {
			units = append(units, r)
		}
	}
	found := false
	for _, m := range messages {
		m := m.(object)
		if start, end := int(m["start"].(float64)), int(m["end"].(float64)); string(units[start:end]) == "BUFER" {
			found = true
			if !strings.Contains(fmt.Sprint(m["help"]), "BUFFER") || m["line"] != 4.0 {
				t.Errorf("the message: %v", m)
			}
		}
	}
	if !found {
		t.Errorf("nothing about BUFER: %v", messages)
	}
	_, a = c.ask("/api/read", object{"name": "a.lks", "text": lamp, "process": "", "params": object{}})
	if len(a["messages"].([]any)) != 0 || len(a["properties"].([]any)) != 2 || a["process"] != "LAMP" || a["model"] == nil {
		t.Errorf("a good model: %v", a)
	}
	for formula, want := range map[string]string{"G (on -> F off)": "", "G (onn)": "mistakes", "G (": "mistakes", "": "mistakes"} {
		if _, a := c.ask("/api/formula", object{"name": "a.lks", "text": lamp, "formula": formula}); problem(a) != want {
			t.Errorf("%q: %v, want %q", formula, a, want)
		}
	}
	if _, a := c.ask("/api/formula", object{"name": "a.lks", "text": "A = ", "formula": "G a"}); problem(a) != "model" {
		t.Errorf("a formula about a model with mistakes: %v", a)
	}
}

// Checks answer as the engines do; what is wrong with a question is told.
func TestCheck(t *testing.T) {
	c := newClient(t, serve.Options{})
	model := object{"name": "<script>alert(1)</script>.lks", "text": lamp}
	for _, k := range []struct {
		ask        string
		formulas   []string
		properties []string
		want       string
	}{
		{"all", nil, nil, "holds holds holds holds violated"},
		{"deadlock", nil, nil, "holds holds"},
		{"progress", nil, nil, "holds"},
		{"verify", nil, nil, "holds violated"},
		{"verify", nil, []string{"BAD"}, "violated"},
		{"verify", []string{"G F on", "F G on"}, nil, "holds violated"},
		{"verify", []string{"G F onn"}, nil, "failed mistakes"},
		{"verify", nil, []string{"UGLY"}, "failed mistakes"},
	} {
		q := object{"ask": k.ask, "formulas": k.formulas, "properties": k.properties}
		maps.Copy(q, model)
		_, a := c.ask("/api/checks", q)
		a = c.decided(a)
		got := fmt.Sprint(a["state"])
		if f, ok := a["failure"].(object); ok {
			got += " " + f["code"].(string)
		}
		if part, ok := a["result"].(object); ok {
			var verdicts []string
			for _, r := range part["report"].(object)["results"].([]any) {
				verdicts = append(verdicts, r.(object)["verdict"].(string))
			}
			got = strings.Join(verdicts, " ")
			if page := part["html"].(string); strings.Contains(page, "<script") || !strings.Contains(page, "&lt;script") && k.properties != nil {
				t.Errorf("%s: the name is no text: %s", k.ask, page)
			}
			w := c.request("GET", "/api/checks/"+a["id"].(string)+"/report", nil, nil)
			if w.Code != 200 || !strings.Contains(w.Header().Get("Content-Disposition"), "attachment") || strings.Contains(w.Body.String(), "<script>alert") {
				t.Errorf("%s: the report: %d %v", k.ask, w.Code, w.Header())
			}
		}
		if got != k.want {
			t.Errorf("%s %v: %s, want %s", k.ask, k.formulas, got, k.want)
		}
	}
	for _, vacuity := range []bool{false, true} {
		_, a := c.ask("/api/checks", object{"name": "a.lks", "text": lamp, "ask": "verify", "formulas": []string{"G F on | F G on"}, "vacuity": vacuity})
		if page := c.decided(a)["result"].(object)["html"].(string); strings.Contains(page, "has no effect") != vacuity {
			t.Errorf("vacuity %t: %s", vacuity, page)
		}
	}
	for _, q := range []object{{"ask": "anything"}, {"ask": "verify", "fair": "x"}, {"ask": "all", "finite": "x"}} {
		q["name"], q["text"] = "a.lks", lamp
		if status, a := c.ask("/api/checks", q); status != 400 {
			t.Errorf("%v: %d %v", q, status, a)
		}
	}
	if status, a := c.ask("/api/checks/1-00", nil); status != 404 || problem(a) != "forgotten" {
		t.Errorf("a check that does not exist: %d %v", status, a)
	}
}

// Checks that take long wait for each other, are cancelled, and end with the server, which leaves
// no goroutine behind.
func TestCancel(t *testing.T) {
	before := runtime.NumGoroutine()
	func() {
		s, err := serve.New(serve.Options{Folder: t.TempDir(), Limits: serve.Limits{Checks: 1, Waiting: 2}})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		c := &client{t: t, s: s}
		at, _ := net.ResolveTCPAddr("tcp", host)
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", strings.TrimPrefix(s.Address(at), "http://"+host), nil)
		r.Host = host
		s.Handler().ServeHTTP(w, r)
		c.cookie = w.Result().Cookies()[0]
		q := object{"name": "long.lks", "text": long, "ask": "deadlock"}
		_, first := c.ask("/api/checks", q)
		_, second := c.ask("/api/checks", q)
		_, third := c.ask("/api/checks", q)
		if status, a := c.ask("/api/checks", q); status != 429 || problem(a) != "busy" {
			t.Errorf("one more than wait: %d %v", status, a)
		}
		id := func(a object) string { return "/api/checks/" + a["id"].(string) }
		c.ask(id(second)+"/cancel", object{})
		if a := c.decided(second); a["state"] != "cancelled" {
			t.Errorf("cancelled while it waited: %v", a)
		}
		c.ask(id(first)+"/cancel", object{})
		if a := c.decided(first); a["state"] != "cancelled" {
			t.Errorf("cancelled: %v", a)
		}
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
			if _, a := c.ask(id(third), nil); a["state"] == "running" {
				break
			} else if time.Now().After(end) {
				t.Fatalf("the third does not begin: %v", a)
			}
		}
	}()
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			buffer := make([]byte, 1<<16)
			t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buffer[:runtime.Stack(buffer, true)])
		}
	}
}

// A thousand connections that say nothing do not keep the server from answering, nor from ending.
func TestConnections(t *testing.T) {
	l, err := serve.Listen("127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	s, err := serve.New(serve.Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	address := s.Address(l.Addr())
	var idle sync.WaitGroup
	most := 1000
	if testing.Short() {
		most = 200 // more than the bound
	}
	conns := make([]net.Conn, most)
	for i := range conns {
		idle.Go(func() { conns[i], _ = net.DialTimeout("tcp", l.Addr().String(), 5*time.Second) })
	}
	idle.Wait()
	// Those that say nothing give way.
	answer, err := (&http.Client{Timeout: time.Minute}).Get(address)
	if err != nil || answer.StatusCode != 200 {
		t.Errorf("beside %d connections: %v %v", most, answer, err)
	} else {
		answer.Body.Close()
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for _, c := range conns {
		if c != nil {
			c.Close()
		}
	}
}

// Addresses that others can reach are refused unless that is asked for.
func TestListen(t *testing.T) {
	for address, good := range map[string]bool{"127.0.0.1:0": true, "localhost:0": true, "0.0.0.0:0": false, ":0": false, "192.0.2.1:80": false, "example.org:80": false, "127.0.0.1": false, "127.0.0.1:x": false} {
		l, err := serve.Listen(address, false)
		if (err == nil) != good {
			t.Errorf("%s: %v", address, err)
		}
		if err == nil {
			l.Close()
		}
	}
	l, err := serve.Listen("0.0.0.0:0", true)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if a := newClient(t, serve.Options{}).s.Address(l.Addr()); !strings.HasPrefix(a, "http://127.0.0.1:") {
		t.Error(a)
	}
}

// A simulation goes on where it was left, and the oldest are forgotten.
func TestSimulation(t *testing.T) {
	c := newClient(t, serve.Options{Limits: serve.Limits{Simulations: 2}})
	begin := func() string {
		_, a := c.ask("/api/simulations", object{"name": "a.lks", "text": lamp})
		return "/api/simulations/" + a["id"].(string)
	}
	one, two := begin(), begin()
	for _, k := range []struct{ command, want string }{{"take 1", ""}, {"off", ""}, {"undo", ""}, {"take 7", "not-possible"}, {"goto deadlock", "input"}, {"goto G on", "not-possible"}, {"load x", "not-possible"}, {"save x", "not-possible"}, {"random 1000000000", "not-possible"}, {"quit", "not-possible"}, {"", ""}} {
		if _, a := c.ask(one, object{"command": k.command}); problem(a) != k.want {
			t.Errorf("%q: %v, want %q", k.command, a, k.want)
		}
	}
	_, a := c.ask(one, nil)
	if p := a["position"].(object); p["step"] != 1.0 || p["ahead"] != 1.0 || a["now"] != 1.0 || a["states"] != 2.0 {
		t.Errorf("the view: %v", a)
	}
	if _, a := c.ask(one, object{"state": 0}); a["now"] != 0.0 {
		t.Errorf("gone to state 0: %v", a)
	}
	if _, a := c.ask(one+"/graph", nil); !strings.Contains(fmt.Sprint(a["svg"]), `data-state="1"`) {
		t.Errorf("the graph: %v", a)
	}
	if _, a := c.ask(one+"/graph?near=1", nil); !strings.Contains(fmt.Sprint(a["svg"]), `data-state="0"`) {
		t.Errorf("the graph around state 1: %v", a)
	}
	if _, a := c.ask(one+"/graph?near=2", nil); problem(a) != "not-possible" {
		t.Errorf("the graph around a state that does not exist: %v", a)
	}
	if _, a := c.ask(one+"/run", nil); a["command"] != "sim" {
		t.Errorf("the run: %v", a)
	}
	begin()
	if _, a := c.ask(two, nil); problem(a) != "forgotten" {
		t.Errorf("the one that was used longest ago: %v", a)
	}
	if _, a := c.ask(one, nil); problem(a) != "" {
		t.Errorf("the one that was used since: %v", a)
	}
}

// A panic is an answer, and the server goes on.
func TestPanic(t *testing.T) {
	var logged strings.Builder
	c := newClient(t, serve.Options{Log: func(text string) { logged.WriteString(text) }})
	w := c.request("POST", "/api/read", panicking{}, nil)
	if w.Code != 500 || !strings.Contains(w.Body.String(), "bug in seltl") || !strings.Contains(logged.String(), "a reader that panics") {
		t.Errorf("%d: %s; logged: %.100s", w.Code, w.Body, logged.String())
	}
	if status, _ := c.ask("/api/start", nil); status != 200 {
		t.Error("the server does not go on")
	}
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("a reader that panics") }

// FuzzHandlers sends anything to the handlers: no answer is an internal error, and each is JSON, or
// a file of the page.
func FuzzHandlers(f *testing.F) {
	dir := folderWith(f, map[string]string{"a.lks": lamp})
	for _, q := range []struct{ method, path, body string }{
		{"GET", "/api/text?name=a.lks", ""},
		{"POST", "/api/read", `{"name":"a.lks","text":"A = (a -> A).\nltl P = G a"}`},
		{"POST", "/api/read", `{"name":"a.aut","text":"des (0, 1, 1)\n(0, \"a\", 0)\n"}`},
		{"POST", "/api/formula", `{"name":"a.lks","text":"A = (a -> A).","formula":"G a"}`},
		{"POST", "/api/checks", `{"name":"a.lks","text":"A = (a -> STOP).","ask":"all"}`},
		{"POST", "/api/simulations", `{"name":"a.lks","text":"A = (a -> A | b -> STOP)."}`},
		{"POST", "/api/picture", `{"name":"a.lks","text":"A = (a -> A | b -> STOP).","minimise":"weak"}`},
		{"POST", "/api/automaton", `{"name":"a.lks","text":"A = (a -> A).","formula":"G F a","negate":true}`},
		{"POST", "/api/save", `{"name":"../a.lks","text":"A = (a -> A).","over":true}`},
		{"POST", "/api/simulations", `{"name":"a.lks","text":"range R = 0..3\nA = (a[i:R] -> A).\nmenu M = {a[0]}","params":{"N":3},"process":"A"}`},
	} {
		f.Add(q.method, q.path, q.body)
	}
	var bugs []string
	c := newClient(f, serve.Options{Folder: dir, Write: true, Log: func(text string) { bugs = append(bugs, text) },
		Limits: serve.Limits{Quick: 2 * time.Second, Time: time.Second, States: 20_000, Memory: 1 << 30, Drawn: 60}})
	f.Fuzz(func(t *testing.T, method, path, body string) {
		u, err := url.Parse(path)
		if err != nil || u.Path == "" || u.Path[0] != '/' || method != "GET" && method != "POST" {
			return
		}
		c.t = t
		w := c.request(method, (&url.URL{Path: u.Path, RawQuery: url.PathEscape(u.RawQuery)}).String(), strings.NewReader(body), nil)
		if w.Code >= 500 || len(bugs) > 0 {
			t.Fatalf("%d: %s\n%q", w.Code, w.Body, bugs)
		}
		if !strings.HasPrefix(u.Path, "/api/") || strings.HasSuffix(u.Path, "/report") || w.Code == 307 || w.Code == 301 || w.Code == 405 {
			return
		}
		var a object
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
			t.Fatalf("%v: %s", err, w.Body)
		}
		// What begins is used, and ended.
		if id, _ := a["id"].(string); id != "" {
			switch u.Path {
			case "/api/checks":
				if a = c.decided(a); a["state"] == "failed" && a["failure"].(object)["code"] == "bug" {
					t.Fatal(a)
				}
			case "/api/simulations":
				for _, command := range []string{"1", "random 3", "undo", "goto deadlock", "run 5", body} {
					if status, a := c.ask("/api/simulations/"+id, object{"command": command}); status >= 500 {
						t.Fatal(a)
					}
				}
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "..", "a.lks")); err == nil {
			t.Fatal("a file outside the folder was written")
		}
	})
}

// TestLargePicture: of a composition that is too large to be drawn an overview is.
func TestLargePicture(t *testing.T) {
	c := newClient(t, serve.Options{})
	status, a := c.ask("/api/picture", object{"name": "a.lks", "text": "A = (a -> b -> c -> d -> e -> f -> A).\n||S = forall [i:1..4] p[i]:A."})
	svg, _ := a["svg"].(string)
	if n := strings.Count(svg, "data-state="); status != 200 || n < 10 || n > 200 || !strings.Contains(svg, "too many to draw") {
		t.Errorf("status %d, %d states are drawn: %.300v", status, n, a)
	}
}
