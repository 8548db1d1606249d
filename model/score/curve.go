package score

// bins is the number of steps of the score, to which it is rounded.
const bins = 1000

// curve counts system spans by score.
type curve struct {
	tp, fp *[bins + 1]int // nil until a span comes
}

func (c *curve) add(score float32, right bool) {
	if c.tp == nil {
		c.tp, c.fp = new([bins + 1]int), new([bins + 1]int)
	}
	i := max(0, min(bins, int(float64(score)*bins+.5)))
	if right {
		c.tp[i]++
	} else {
		c.fp[i]++
	}
}

// points lists the curve for one or more labels together.
func points(curves []curve, gold int) []Point {
	var list []Point
	tp, fp := 0, 0
	for i := bins; i >= 0; i-- {
		t, f := 0, 0
		for _, c := range curves {
			if c.tp != nil {
				t += c.tp[i]
				f += c.fp[i]
			}
		}
		if t+f == 0 {
			continue
		}
		tp += t
		fp += f
		list = append(list, Point{
			Threshold: float64(i) / bins, TP: tp, FP: fp,
			Precision: ratio(tp, tp+fp), Recall: ratio(tp, gold),
		})
	}
	return list
}
