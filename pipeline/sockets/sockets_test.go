package sockets

import (
	"net"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
)

// own returns this process's sockets of a kind.
func own(t *testing.T, kind string) []Socket {
	t.Helper()
	all, err := Own()
	if err != nil {
		t.Fatal(err)
	}
	var some []Socket
	for _, s := range all {
		if s.Kind == kind {
			some = append(some, s)
		}
	}
	return some
}

// Sockets of every kind are seen as what they are while they are open, and no
// longer.
func TestOwn(t *testing.T) {
	for _, c := range []struct{ network, address, kind string }{
		{"tcp4", "127.0.0.1:0", "tcp"},
		{"tcp4", "0.0.0.0:0", "tcp"},
		{"tcp", ":0", "tcp6"},
		{"tcp6", "[::1]:0", "tcp6"},
		{"unix", filepath.Join(t.TempDir(), "a socket"), "unix"},
		{"udp4", "127.0.0.1:0", "udp"},
		{"udp6", "[::1]:0", "udp6"},
		{"unix", "@palimpsest-test", "unix"},
	} {
		t.Run(c.network+" "+c.address, func(t *testing.T) {
			before := len(own(t, c.kind))
			var local net.Addr
			var closer interface{ Close() error }
			if strings.HasPrefix(c.network, "udp") {
				p, err := net.ListenPacket(c.network, c.address)
				if err != nil {
					t.Skip(err)
				}
				local, closer = p.LocalAddr(), p
			} else {
				l, err := net.Listen(c.network, c.address)
				if err != nil {
					t.Skip(err)
				}
				local, closer = l.Addr(), l
			}
			found := false
			for _, s := range own(t, c.kind) {
				var same bool
				if c.kind == "unix" {
					same = s.Path == local.String()
				} else {
					same = s.Local == unmapped(netip.MustParseAddrPort(local.String()))
				}
				if same && s.Listening && s.FD > 2 && strings.Contains(s.String(), "listening") {
					found = true
				}
			}
			if !found {
				t.Errorf("%s is not among %v", local, own(t, c.kind))
			}
			closer.Close()
			if n := len(own(t, c.kind)); n != before {
				t.Errorf("%d sockets after it was closed, %d before it was opened", n, before)
			}
		})
	}
}

func unmapped(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }

// Both ends of a connection are seen, and neither as listening.
func TestConnectionsDoNotListen(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	out, err := net.Dial("tcp4", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	in, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	l.Close()
	seen := 0
	for _, s := range own(t, "tcp") {
		if a := s.Local.String(); a == out.LocalAddr().String() || a == in.LocalAddr().String() {
			seen++
			if s.Listening {
				t.Errorf("%v listens", s)
			}
		}
	}
	if seen != 2 {
		t.Errorf("%d ends of the connection were seen", seen)
	}
}

// A row that is not understood is an error: it could be a listener.
func TestUnknownRows(t *testing.T) {
	for _, kind := range []string{"tcp", "udp6", "unix"} {
		if _, err := parse(kind, strings.NewReader("heading\nabc\n")); err == nil {
			t.Errorf("%s: a row of another form was passed over", kind)
		}
	}
}
