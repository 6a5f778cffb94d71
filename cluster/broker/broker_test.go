package broker

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Who may listen where, and with what.
func TestRefused(t *testing.T) {
	for _, o := range []ServerOptions{
		{Listen: "0.0.0.0:0"}, {Listen: ":0"}, {Listen: "[::]:0", User: "u"}, {Listen: "192.0.2.1:0", Password: "p"}, {Listen: "example.org:0"},
	} {
		o.Store = t.TempDir()
		if s, err := Start(o); !errors.Is(err, ErrOpen) {
			t.Errorf("%+v: %v", o, err)
			if err == nil {
				s.Stop()
			}
		}
	}
	for _, listen := range []string{"", "4222", "127.0.0.1:x", "127.0.0.1:70000"} {
		if _, err := Start(ServerOptions{Listen: listen, Store: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "--listen") {
			t.Errorf("%q: %v", listen, err)
		}
	}
	for host, want := range map[string]bool{"localhost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true, "": false, "0.0.0.0": false, "::": false, "10.0.0.1": false, "example.org": false} {
		if Loopback(host) != want {
			t.Errorf("%q: loopback is %v", host, !want)
		}
	}
}

// Which URLs there are, and what is shown of them.
func TestCheck(t *testing.T) {
	for _, u := range []string{"nats://h", "nats://h:4222", "tls://h:1", "h", "h:4222", "127.0.0.1:4222", "nats://[::1]:4222", "ws://h:80", "nats://a, nats://b:7,c", "nats://u:p@h"} {
		if err := (&Access{URL: u}).Check(); err != nil {
			t.Errorf("%s: %v", u, err)
		}
	}
	for u, want := range map[string]string{
		"": "no host", "garbage://x": "no server is reached by garbage://", "http://h:80": "by http://", "nats://": "no host", "nats://:4222": "no host", "h:99999": "99999 is no port", "h:0": "0 is no port",
		"a b": "no URL", "nats://h,": "no host", "nats://h,ftp://i": "by ftp://", "nats://h:x": "no URL", "ftp://u:secret@h": "ftp://h: ", "u:secret@h:x": "h:x: ",
	} {
		err := (&Access{URL: u}).Check()
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "nats://HOST:4222") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, want %q", u, err, want)
		}
	}
	a := Access{URL: "nats://u:p@q@h:1, tls://i"}
	if got := a.Place(); got != "nats://h:1,tls://i" {
		t.Error(got)
	}
}

// A port that is taken is an error, not the end of the process.
func TestPortTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := Start(ServerOptions{Listen: l.Addr().String(), Store: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "does not start") {
		t.Error(err)
	}
}

// A store has one server; when that is gone, and its lock with it, another one.
func TestStoreInUse(t *testing.T) {
	dir := t.TempDir()
	first, err := Start(ServerOptions{Listen: "127.0.0.1:0", Store: dir})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Start(ServerOptions{Listen: "127.0.0.1:0", Store: dir})
	if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), fmt.Sprintf("process %d", os.Getpid())) {
		t.Errorf("a second server: %v", err)
	}
	if err == nil {
		s.Stop()
	}
	first.Stop()
	if s, err = Start(ServerOptions{Listen: "127.0.0.1:0", Store: dir}); err != nil {
		t.Fatal(err)
	}
	s.Stop()
}

// Who is interrupted while there is no server does not go on trying.
func TestConnectInterrupted(t *testing.T) {
	ctx, end := context.WithCancel(context.Background())
	end()
	begun := time.Now()
	if _, err := Connect(ctx, Access{URL: "nats://127.0.0.1:1"}, "test", time.Hour, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
}

// certificate writes a certificate for 127.0.0.1 that is signed by itself, and its key.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, bytes []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", secret)
}

// With TLS, a client trusts the server only by its certificate, and the server a client.
func TestTLS(t *testing.T) {
	cert, key := certificate(t)
	s, err := Start(ServerOptions{Listen: "127.0.0.1:0", User: "u", Password: "p", Cert: cert, Key: key, CA: cert, Store: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	if !strings.HasPrefix(s.URL(), "tls://") {
		t.Errorf("the server is at %s", s.URL())
	}
	good := Access{URL: s.URL(), User: "u", Password: "p", CA: cert, Cert: cert, Key: key}
	nc, err := Connect(context.Background(), good, "test", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	nc.Close()
	for name, change := range map[string]func(a *Access){
		"without trust":         func(a *Access) { a.CA = "" },
		"without a certificate": func(a *Access) { a.Cert, a.Key = "", "" },
		"with a wrong password": func(a *Access) { a.Password = "q" },
		"without TLS": func(a *Access) {
			a.URL = strings.Replace(a.URL, "tls://", "nats://", 1)
			a.CA, a.Cert, a.Key = "", "", ""
		},
	} {
		a := good
		change(&a)
		if nc, err := Connect(context.Background(), a, "test", 0, nil); err == nil {
			nc.Close()
			t.Errorf("connected %s", name)
		}
	}
	if _, err := Start(ServerOptions{Listen: "127.0.0.1:0", Cert: "nothing.pem", Key: key, Store: t.TempDir()}); err == nil {
		t.Error("a certificate that is not there")
	}
}
