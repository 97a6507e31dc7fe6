package scheduler

import "time"

// InOrder makes no two values of a queue equally old where the clock stands still.
func InOrder() {
	var calls time.Duration
	now = func() time.Time {
		calls++
		return time.Now().Add(calls)
	}
}
