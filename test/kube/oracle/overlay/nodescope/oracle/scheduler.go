package main

import (
	"encoding/json"
	"fmt"

	"k8s.io/kubernetes/pkg/scheduler"
)

func init() {
	subjects["scheduler"] = func() (subject, error) {
		judge, err := scheduler.NodescopeNewJudge()
		return schedulerSubject{judge}, err
	}
}

// schedulerSubject answers what kube-scheduler's default profile does with one pod.
type schedulerSubject struct {
	judge *scheduler.NodescopeJudge
}

func (s schedulerSubject) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "schedule":
		return answerTo(with, func(c scheduler.NodescopeCluster) (any, error) { return s.judge.Schedule(c) })
	case "hints":
		return answerTo(with, func(h scheduler.NodescopeHint) (any, error) { return s.judge.Hints(h) })
	default:
		return nil, fmt.Errorf("scheduler does not know %q", ask)
	}
}
