package main

import (
	"encoding/json"
	"fmt"
	"time"
	// The same zones on every machine.
	_ "time/tzdata"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/controller/cronjob"
)

func init() {
	subjects["cronJob"] = func() (subject, error) { return cronJobs{}, nil }
}

// cronJobs answers questions about the schedules of CronJobs.
type cronJobs struct{}

// scheduled is a CronJob at a time. Times are milliseconds since the epoch.
type scheduled struct {
	Schedule      string
	TimeZone      *string
	Deadline      *int64
	Created       int64
	LastScheduled *int64
	Now           int64
	Count         int
}

func (s scheduled) times() (any, error) {
	at := func(milliseconds int64) time.Time { return time.UnixMilli(milliseconds).UTC() }
	cj := &batchv1.CronJob{
		ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.Time{Time: at(s.Created)}},
		Spec: batchv1.CronJobSpec{
			Schedule: s.Schedule, TimeZone: s.TimeZone, StartingDeadlineSeconds: s.Deadline,
		},
	}
	if s.LastScheduled != nil {
		cj.Status.LastScheduleTime = &metav1.Time{Time: at(*s.LastScheduled)}
	}
	found, err := cronjob.NewScheduleTimes(cj, at(s.Now), s.Count)
	if err != nil {
		return nil, err
	}
	next := []int64{}
	for _, t := range found.Next {
		next = append(next, t.UnixMilli())
	}
	answer := map[string]any{"next": next}
	// A time that never comes lies in the past: the CronJob is looked at at once.
	answer["untilNext"] = max(0, found.UntilNext.Milliseconds())
	if found.Refusal != "" {
		answer["refusal"] = found.Refusal
		return answer, nil
	}
	answer["missed"] = found.Missed
	if !found.Recent.IsZero() {
		answer["recent"] = found.Recent.UnixMilli()
	}
	return answer, nil
}

// zonedTime is a time that the annotation of a Job has.
type zonedTime struct {
	Zone string
	At   int64
}

func (w zonedTime) text() (any, error) {
	location, err := time.LoadLocation(w.Zone)
	if err != nil {
		return nil, err
	}
	return time.UnixMilli(w.At).In(location).Format(time.RFC3339), nil
}

func (cronJobs) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "times":
		return answerTo(with, scheduled.times)
	case "written":
		return answerTo(with, zonedTime.text)
	}
	return nil, fmt.Errorf("unknown operation %q", ask)
}
