package cronjob

import (
	"time"

	"github.com/robfig/cron/v3"
	batchv1 "k8s.io/api/batch/v1"
)

// ScheduleTimes is what the controller finds out about the schedule of a CronJob. Recent is zero where no time has passed.
type ScheduleTimes struct {
	Next      []time.Time
	Recent    time.Time
	Missed    string
	Refusal   string
	UntilNext time.Duration
}

// NewScheduleTimes fails where the schedule cannot be read.
func NewScheduleTimes(cj *batchv1.CronJob, now time.Time, count int) (ScheduleTimes, error) {
	var times ScheduleTimes
	schedule, err := cron.ParseStandard(formatSchedule(cj, nil))
	if err != nil {
		return times, err
	}
	for t := schedule.Next(now); len(times.Next) < count && !t.IsZero(); t = schedule.Next(t) {
		times.Next = append(times.Next, t)
	}
	_, recent, missed, err := mostRecentScheduleTime(cj, now, schedule, true)
	if recent != nil {
		times.Recent = *recent
	}
	times.Missed = missed.String()
	if err != nil {
		times.Refusal = err.Error()
	}
	times.UntilNext = *nextScheduleTimeDuration(cj, now, schedule)
	return times, nil
}
