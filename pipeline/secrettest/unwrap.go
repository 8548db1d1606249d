// Package secrettest helps tests that search what is sent to a runner for
// secrets: pipeline graphs hold the settings of DoFns as base64 within base64,
// where a plain search finds nothing.
package secrettest

import (
	"encoding/base64"
	"regexp"
	"strings"
)

var encoded = regexp.MustCompile(`[A-Za-z0-9+/_-]{24,}={0,2}`)

// Unwrap returns text and all that lies in it in base64, at any depth and
// whichever byte the encoding began at.
func Unwrap(text string) []string {
	all := []string{text}
	for _, run := range encoded.FindAllString(text, -1) {
		run = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(run, "="))
		for skip := range 4 {
			from := run[skip:]
			if len(from)%4 == 1 {
				from = from[:len(from)-1]
			}
			if raw, err := base64.RawStdEncoding.DecodeString(from); err == nil {
				all = append(all, Unwrap(string(raw))...)
			}
		}
	}
	return all
}
