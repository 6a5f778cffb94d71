package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
)

// policy is what the page may do: its own scripts and styles, from files. Markup is made of
// texts by the one policy "seltl" of its script alone.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types seltl"

// guarded lets those requests through that may be answered.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer s.recovered(w, r)
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		from := foreign(r)
		switch {
		case !s.hostKnown(r.Host):
			s.refuse(w, r, http.StatusForbidden, &failure{Code: "host", Text: "this server does not go by the name " + r.Host, Help: "open the address that seltl serve printed, or name the host with --host"})
		case !s.authorized(w, r):
			s.refuse(w, r, http.StatusForbidden, &failure{Code: "token", Text: "this server answers only who knows its token", Help: "open the address that seltl serve printed last; it is another one each time"})
		case from != nil:
			s.refuse(w, r, http.StatusForbidden, from)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// hostKnown reports whether a Host header names this server: a name that anybody could have
// let point here does not.
func (s *Server) hostKnown(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	}
	return net.ParseIP(name) != nil || strings.EqualFold(name, "localhost") ||
		slices.ContainsFunc(s.opts.Hosts, func(h string) bool { return strings.EqualFold(h, name) })
}

// authorized reports whether a request has the token: in the address of the page, which then
// gets a cookie, or in that cookie.
func (s *Server) authorized(w http.ResponseWriter, r *http.Request) bool {
	if c, err := r.Cookie(s.cookie); err == nil && s.isToken(c.Value) {
		return true
	}
	if r.URL.Path != "/" || !s.isToken(r.URL.Query().Get("token")) {
		return false
	}
	http.SetCookie(w, &http.Cookie{Name: s.cookie, Value: s.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	return true
}

// isToken compares in a time that does not depend on where texts differ, or on their lengths.
func (s *Server) isToken(text string) bool {
	a, b := sha256.Sum256([]byte(text)), sha256.Sum256([]byte(s.token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// foreign says why a request may not come from a page of this server, nil if it does, or is one
// for the page itself. Browsers say where requests come from. Those that change nothing are
// refused only if they say that it is elsewhere.
func foreign(r *http.Request) *failure {
	other := &failure{Code: "origin", Text: "another site asked for this"}
	site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	if origin != "" {
		if u, err := url.Parse(origin); err != nil || u.Host != r.Host || u.Scheme != "http" && u.Scheme != "https" {
			return other
		}
	}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		if site == "" || site == "same-origin" || site == "none" || r.URL.Path == "/" { // none: somebody has typed the address
			return nil
		}
		return other
	}
	switch {
	case site != "" && site != "same-origin":
		return other
	case site == "" && origin == "":
		return &failure{Code: "origin", Text: "this request does not say which page asks: it has no Origin header", Help: "browsers send one; a script adds: Origin: http://" + r.Host}
	}
	return nil
}

// recovered answers a request whose handler panicked.
func (s *Server) recovered(w http.ResponseWriter, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler {
		panic(p) // package http ends the connection
	}
	if err := budget.Aborted(p); err != nil {
		fail(w, err)
		return
	}
	s.refuse(w, r, http.StatusInternalServerError, s.bug(r.URL.Path, p))
}

// bug logs a panic and says what a page is to say about it.
func (s *Server) bug(where string, p any) *failure {
	s.log(fmt.Sprintf("internal error: %s: %v\n%s", where, p, debug.Stack()))
	return &failure{Code: "bug", Text: fmt.Sprintf("internal error: %v", p), Help: "this is a bug in seltl, and no verdict; please report it with the model and what seltl serve has printed"}
}

// refuse answers with an error: as JSON, or to people as text.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, status int, f *failure) {
	if strings.HasPrefix(r.URL.Path, "/api/") {
		answer(w, status, map[string]any{"error": f})
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, "seltl: %s\n", f.Text)
	if f.Help != "" {
		fmt.Fprintf(w, "    help: %s\n", f.Help)
	}
}
