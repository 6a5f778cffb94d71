package broker

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// Access is where a server is and how to get in. It is handed to workers as JSON.
type Access struct {
	URL      string `json:"url"` // or several, separated by commas
	User     string `json:"user,omitempty"`
	Password string `json:"password,omitempty"`
	Creds    string `json:"creds,omitempty"` // file of a user of NATS's decentralised accounts
	CA       string `json:"ca,omitempty"`    // file of certificates to trust
	Cert     string `json:"cert,omitempty"`  // files of the client's own
	Key      string `json:"key,omitempty"`
}

// A RefusedError says that a server does not let in who wants to connect, now or later.
type RefusedError struct {
	Access Access
	Err    error
}

func (e *RefusedError) Error() string {
	who := "a client that names no user"
	switch {
	case !isAuthorization(e.Err):
		return fmt.Sprintf("no TLS with the NATS server at %s: %v", e.Access.Place(), e.Err)
	case e.Access.Creds != "":
		who = "the credentials in " + e.Access.Creds
	case e.Access.User != "":
		who = fmt.Sprintf("the user %s, or the password", e.Access.User)
	}
	return fmt.Sprintf("the NATS server at %s refuses %s: %v", e.Access.Place(), who, e.Err)
}

func (e *RefusedError) Unwrap() error { return e.Err }

// Help says what may mend it.
func (e *RefusedError) Help() string {
	if isAuthorization(e.Err) {
		return "--user NAME and the password in SELTL_CLUSTER_PASSWORD or --password-file, or --creds FILE, or --access FILE, which serve writes"
	}
	return "tls:// or nats:// as the server has it; --tls-ca FILE names who signed its certificate, --tls-cert and --tls-key are the client's own"
}

func isAuthorization(err error) bool {
	return slices.ContainsFunc([]error{nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrAccountAuthExpired}, func(e error) bool { return errors.Is(err, e) })
}

// refused says whether it is no use to try again: another password is needed, or a certificate.
func refused(err error) bool {
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	return isAuthorization(err) || errors.Is(err, nats.ErrSecureConnWanted) || errors.Is(err, nats.ErrSecureConnRequired) ||
		errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &invalid) || errors.As(err, &record) || errors.As(err, &alert)
}

// urlForms are what Check accepts.
const urlForms = "nats://HOST:4222, tls://HOST:4222, ws://HOST:PORT and wss://HOST:PORT are possible, and several separated by commas"

// Check says what is wrong with the URL of a server, or with one of several.
func (a *Access) Check() error {
	for part := range strings.SplitSeq(a.URL, ",") {
		part = strings.TrimSpace(part)
		text := part
		if !strings.Contains(text, "://") {
			text = "nats://" + text
		}
		u, err := url.Parse(text)
		wrong := ""
		switch {
		case err != nil:
			wrong = "no URL"
		case !slices.Contains([]string{"nats", "tls", "ws", "wss"}, u.Scheme):
			wrong = fmt.Sprintf("no server is reached by %s://", u.Scheme)
		case u.Hostname() == "":
			wrong = "no host is named"
		case u.Port() != "":
			if port, err := strconv.ParseUint(u.Port(), 10, 16); err != nil || port == 0 {
				wrong = u.Port() + " is no port"
			}
		}
		if wrong != "" {
			return fmt.Errorf("%s: %s; %s", shown(part), wrong, urlForms)
		}
	}
	return nil
}

// Place is where the server is, for people: without a password.
func (a *Access) Place() string {
	var parts []string
	for part := range strings.SplitSeq(a.URL, ",") {
		parts = append(parts, shown(strings.TrimSpace(part)))
	}
	return strings.Join(parts, ",")
}

// shown is a URL without what stands before an @, of which a part may be a password.
func shown(text string) string {
	if at := strings.LastIndexByte(text, '@'); at >= 0 {
		scheme, _, ok := strings.Cut(text[:at], "://")
		if ok {
			return scheme + "://" + text[at+1:]
		}
		return text[at+1:]
	}
	return text
}

// ForEver is a patience without an end.
const ForEver = time.Duration(math.MaxInt64)

// sayAgain is how often it is said that nothing has changed.
const sayAgain = 15 * time.Second

// Connect connects, and goes on trying for a while if the server is not there yet, unless the
// context ends, whose error it returns then. A server that refuses the client is a *RefusedError
// at once. The connection comes back after an interruption. What is published meanwhile is lost:
// who needs it delivered has to see to that. What goes wrong, then and later, is said to say,
// unless that is nil.
func Connect(ctx context.Context, a Access, name string, patience time.Duration, say func(text string)) (*nats.Conn, error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	n := &news{say: say, told: map[string]time.Time{}}
	opts := a.options(name, n)
	if err := a.readable(opts); err != nil {
		return nil, err
	}
	begun := time.Now()
	for again := false; ; again = true {
		nc, err := nats.Connect(a.URL, opts...)
		if err == nil {
			n.good("connected to " + a.Place())
			return nc, nil
		}
		if refused(err) {
			return nil, &RefusedError{a, err}
		}
		err = fmt.Errorf("no connection to the NATS server at %s: %w", a.Place(), err)
		if patience == 0 || again && time.Since(begun) >= patience {
			return nil, err
		}
		text := err.Error() + ", tries again"
		if patience != ForEver {
			text += fmt.Sprintf(" for %v", patience)
		}
		n.bad(text)
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// readable says which file of the options cannot be read, or is none of its kind.
func (a *Access) readable(opts []nats.Option) error {
	tried := nats.GetDefaultOptions()
	for _, set := range opts {
		if err := set(&tried); err != nil {
			return err
		}
	}
	if a.Creds != "" {
		if _, err := tried.SignatureCB(nil); err != nil {
			return fmt.Errorf("--creds %s: %w", a.Creds, err)
		}
	}
	return nil
}

// options are those of a connection, whose troubles are news.
func (a *Access) options(name string, n *news) []nats.Option {
	opts := []nats.Option{
		nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond),
		nats.ReconnectBufSize(-1), nats.PingInterval(3 * time.Second), nats.MaxPingsOutstanding(3),
		nats.FlusherTimeout(10 * time.Second), nats.Timeout(5 * time.Second),
		nats.IgnoreAuthErrorAbort(), // a server that was started again may come up before its users
		nats.NoCallbacksAfterClientClose(),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				n.bad(fmt.Sprintf("the connection to %s is lost: %v", a.Place(), err))
			}
		}),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) {
			n.bad(fmt.Sprintf("no connection to the NATS server at %s: %v, tries again", a.Place(), err))
		}),
		nats.ReconnectHandler(func(*nats.Conn) { n.good("connected to " + a.Place() + " again") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if isAuthorization(err) {
				n.bad((&RefusedError{*a, err}).Error() + ", tries again")
				return
			}
			n.bad(fmt.Sprintf("the NATS server at %s: %v", a.Place(), err))
		}),
	}
	if a.User != "" {
		opts = append(opts, nats.UserInfo(a.User, a.Password))
	}
	if a.Creds != "" {
		opts = append(opts, nats.UserCredentials(a.Creds))
	}
	if a.CA != "" {
		opts = append(opts, nats.RootCAs(a.CA))
	}
	if a.Cert != "" {
		opts = append(opts, nats.ClientCert(a.Cert, a.Key))
	}
	return opts
}

// news tells what goes wrong with a connection, the same thing now and then only.
type news struct {
	say func(text string)

	mu   sync.Mutex
	told map[string]time.Time // since all was right: when what was told last
}

// bad tells what is wrong.
func (n *news) bad(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if at, ok := n.told[text]; n.say == nil || ok && time.Since(at) < sayAgain {
		return
	}
	n.told[text] = time.Now()
	n.say(text)
}

// good tells that it is right again, where something was wrong.
func (n *news) good(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.say != nil && len(n.told) > 0 {
		clear(n.told)
		n.say(text)
	}
}
