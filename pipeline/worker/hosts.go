package worker

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
)

// Whoever reaches the pool says where a worker connects to, and a worker does
// what it is told there with the notes and the key at hand.

// allowed tells whether workers may connect to an endpoint: one on the loopback
// interface, or on a host that was named.
func (p *Pool) allowed(endpoint string) bool {
	host, _, err := net.SplitHostPort(endpoint)
	if err != nil {
		return false
	}
	if host == "localhost" || slices.ContainsFunc(p.allow, func(h string) bool { return strings.EqualFold(h, host) }) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return false // a name that was not named may lead anywhere
	}
	ip = ip.Unmap()
	return ip.IsLoopback() || slices.ContainsFunc(p.allow, func(h string) bool {
		network, err := netip.ParsePrefix(h)
		return err == nil && network.Contains(ip)
	})
}

// checkHosts refuses what is neither a host, an IP address nor a network.
func checkHosts(hosts []string) error {
	for _, h := range hosts {
		_, networkErr := netip.ParsePrefix(h)
		_, ipErr := netip.ParseAddr(h)
		if networkErr != nil && ipErr != nil && (h == "" || strings.ContainsAny(h, "/:*, ")) {
			return fmt.Errorf("%q is neither a host's name nor an IP address nor a network such as 10.0.0.0/8", h)
		}
	}
	return nil
}
