package main

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"
)

// bubble is a subject on a clock that stands still: it begins at the year 2000 and moves only when it is told
// to ("advance"), so that times can be compared too.
type bubble struct {
	questions chan question
	replies   chan reply
}

// inBubble makes the subject where the clock stands still. The subject must start no timers that fire by
// themselves while it answers.
func inBubble(begin func() (subject, error)) (subject, error) {
	b := bubble{make(chan question), make(chan reply)}
	made := make(chan error)
	body := func(*testing.T) {
		to, err := begin()
		made <- err
		if err != nil {
			return
		}
		for q := range b.questions {
			b.replies <- safely(clocked{to}, q)
		}
	}
	tests := []testing.InternalTest{{Name: "bubble", F: func(t *testing.T) { synctest.Test(t, body) }}}
	all := func(string, string) (bool, error) { return true, nil }
	// Never returns: it would end the program. The end of the questions does.
	go testing.Main(all, tests, nil, nil)
	return b, <-made
}

type clocked struct{ subject }

func (c clocked) answer(ask string, with json.RawMessage) (any, error) {
	if ask != "advance" {
		return c.subject.answer(ask, with)
	}
	var milliseconds int64
	if err := json.Unmarshal(with, &milliseconds); err != nil {
		return nil, err
	}
	time.Sleep(time.Duration(milliseconds) * time.Millisecond)
	return nil, nil
}

type refused string

func (r refused) Error() string { return string(r) }

func (b bubble) answer(ask string, with json.RawMessage) (any, error) {
	b.questions <- question{ask, with}
	r := <-b.replies
	if r.Panic != "" {
		panic(r.Panic)
	}
	if r.Error != "" {
		return nil, refused(r.Error)
	}
	return r.Answer, nil
}
