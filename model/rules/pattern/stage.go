package pattern

import "regexp"

var nodeStage = regexp.MustCompile(`(?:^|[^A-Za-z])(?:p|yp|rp)?N[1-3](?:mi|[abc])? ?\(?$`)

// NodeStage reports whether the stage of lymph nodes stands right before byte i of a
// text, behind which is told how many of how many hold tumour: "pN1b (3/27)".
func NodeStage(text string, i int) bool { return nodeStage.MatchString(text[max(0, i-10):i]) }
