// Package sockets tells which sockets this process has open, by the kernel's
// tables in /proc (Linux).
package sockets

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Socket is one row of the kernel's tables.
type Socket struct {
	Kind      string         // tcp, tcp6, udp, udp6 or unix
	Local     netip.AddrPort // not of unix
	Path      string         // of unix; may be empty
	Listening bool           // or bound without a peer, for udp: whoever sends to it is heard
	Inode     uint64
	FD        int // of this process; set by Own
}

// String names the socket for people.
func (s Socket) String() string {
	what := "open"
	if s.Listening {
		what = "listening"
	}
	if s.Kind == "unix" {
		return fmt.Sprintf("unix %q, %s", s.Path, what)
	}
	return fmt.Sprintf("%s %s, %s", s.Kind, s.Local, what)
}

// Table returns the sockets of this process's network namespace, whosever they
// are. A family that the kernel does not have has none.
func Table() ([]Socket, error) {
	var all []Socket
	for _, kind := range []string{"tcp", "tcp6", "udp", "udp6", "unix"} {
		f, err := os.Open("/proc/self/net/" + kind)
		if errors.Is(err, os.ErrNotExist) && kind != "tcp" {
			continue
		}
		if err != nil {
			return nil, err
		}
		rows, err := parse(kind, f)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("/proc/self/net/%s: %w", kind, err)
		}
		all = append(all, rows...)
	}
	return all, nil
}

// Own returns the sockets of the tables that this process has a file
// descriptor of.
func Own() ([]Socket, error) {
	// The tables come last: what is opened meanwhile is missed, what is closed
	// is not taken for open.
	const folder = "/proc/self/fd"
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	descriptor := map[uint64]int{}
	for _, e := range entries {
		link, err := os.Readlink(filepath.Join(folder, e.Name()))
		if err != nil {
			continue // closed meanwhile, such as the one that lists the folder
		}
		number, ok := strings.CutPrefix(link, "socket:[")
		if !ok {
			continue
		}
		inode, err := strconv.ParseUint(strings.TrimSuffix(number, "]"), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s/%s is %q", folder, e.Name(), link)
		}
		if descriptor[inode], err = strconv.Atoi(e.Name()); err != nil {
			return nil, err
		}
	}
	table, err := Table()
	if err != nil {
		return nil, err
	}
	var own []Socket
	for _, s := range table {
		if fd, ok := descriptor[s.Inode]; ok {
			s.FD = fd
			own = append(own, s)
		}
	}
	return own, nil
}

// The kernel's names of states and flags, in hexadecimal as in the tables.
const (
	tcpListen     = "0A"
	udpUnbound    = "07"       // no peer: everybody's datagrams are taken
	unixListening = 0x00010000 // __SO_ACCEPTCON
)

// parse reads a table, whose first line is a heading.
func parse(kind string, r io.Reader) ([]Socket, error) {
	var all []Socket
	lines := bufio.NewScanner(r)
	for heading := true; lines.Scan(); heading = false {
		if heading {
			continue
		}
		row := parseInternet
		if kind == "unix" {
			row = parseUnix
		}
		s, err := row(kind, strings.Fields(lines.Text()))
		if err != nil {
			return nil, fmt.Errorf("%w in %q", err, lines.Text())
		}
		all = append(all, s)
	}
	return all, lines.Err()
}

var errRow = errors.New("unknown form")

// parseInternet reads "sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode ...".
func parseInternet(kind string, f []string) (Socket, error) {
	if len(f) < 10 {
		return Socket{}, errRow
	}
	address, port, ok := strings.Cut(f[1], ":")
	raw, err := hex.DecodeString(address)
	if !ok || err != nil || len(raw)%4 != 0 {
		return Socket{}, errRow
	}
	for i := 0; i < len(raw); i += 4 { // words in the machine's order, here little-endian
		raw[i], raw[i+1], raw[i+2], raw[i+3] = raw[i+3], raw[i+2], raw[i+1], raw[i]
	}
	ip, ok := netip.AddrFromSlice(raw)
	number, err := strconv.ParseUint(port, 16, 16)
	if !ok || err != nil {
		return Socket{}, errRow
	}
	s := Socket{Kind: kind, Local: netip.AddrPortFrom(ip.Unmap(), uint16(number))}
	if strings.HasPrefix(kind, "tcp") {
		s.Listening = f[3] == tcpListen
	} else {
		s.Listening = f[3] == udpUnbound && number != 0
	}
	s.Inode, err = strconv.ParseUint(f[9], 10, 64)
	return s, err
}

// parseUnix reads "num refcount protocol flags type st inode [path]".
func parseUnix(kind string, f []string) (Socket, error) {
	if len(f) < 7 {
		return Socket{}, errRow
	}
	flags, err := strconv.ParseUint(f[3], 16, 32)
	if err != nil {
		return Socket{}, errRow
	}
	s := Socket{Kind: kind, Path: strings.Join(f[7:], " "), Listening: flags&unixListening != 0}
	s.Inode, err = strconv.ParseUint(f[6], 10, 64)
	return s, err
}
