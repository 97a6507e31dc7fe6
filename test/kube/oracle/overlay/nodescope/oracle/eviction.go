package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/kubelet/eviction"
)

func init() {
	subjects["eviction"] = func() (subject, error) {
		return inBubble(func() (subject, error) { return &evictions{}, nil })
	}
}

// evictions is an eviction manager with fakes around it, and its functions.
type evictions struct {
	manager *eviction.NodescopeManager
	kills   *kills
}

// nodeNoted also takes events of the node.
type nodeNoted struct {
	record.EventRecorder
	to *kills
}

func (n nodeNoted) Eventf(object runtime.Object, kind, reason, message string, args ...any) {
	n.AnnotatedEventf(object, nil, kind, reason, message, args...)
}

func (n nodeNoted) AnnotatedEventf(object runtime.Object, annotations map[string]string, kind, reason, message string, args ...any) {
	if _, isPod := object.(*v1.Pod); isPod {
		noted{to: n.to}.AnnotatedEventf(object, annotations, kind, reason, message, args...)
		return
	}
	n.to.events = append(n.to.events, fmt.Sprintf("node %s %s "+message, append([]any{kind, reason}, args...)...))
}

func (e *evictions) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "now":
		return time.Now().UnixMilli(), nil
	case "parse":
		return answerTo(with, eviction.NodescopeParse)
	case "rank":
		return answerTo(with, eviction.NodescopeRanking.Ranked)
	case "notifiers":
		return answerTo(with, eviction.NodescopeNotifier.Notified)
	case "new":
		return answerTo(with, e.begin)
	case "round":
		return answerTo(with, e.round)
	}
	return nil, fmt.Errorf("eviction does not know %q", ask)
}

func (e *evictions) begin(config eviction.NodescopeConfig) (any, error) {
	e.kills = &kills{events: []string{}, killed: []map[string]any{}, stuck: map[string]bool{}}
	kill := func(pod *v1.Pod, evict bool, grace *int64, status func(*v1.PodStatus)) error {
		return e.kills.kill(pod, evict, grace, status)
	}
	manager, err := eviction.NodescopeNewManager(config, kill, nodeNoted{to: e.kills})
	e.manager = manager
	return time.Now().UnixMilli(), err
}

func (e *evictions) round(round eviction.NodescopeRound) (any, error) {
	if e.manager == nil {
		return nil, errors.New("there is no manager")
	}
	e.kills.events, e.kills.killed = []string{}, []map[string]any{}
	answer, err := e.manager.Round(round)
	if err != nil {
		return nil, err
	}
	answer["events"] = e.kills.events
	answer["killed"] = e.kills.killed
	return answer, nil
}
