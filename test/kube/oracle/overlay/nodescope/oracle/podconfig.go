package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/kubernetes/pkg/kubelet/config"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"
)

func init() {
	subjects["podConfig"] = func() (subject, error) {
		return inBubble(func() (subject, error) { return &podConfig{}, nil })
	}
}

// podConfig merges what sources say.
type podConfig struct {
	merged *config.PodConfig
	events []eventText
	stop   context.CancelFunc
}

type eventText struct {
	UID     string `json:"uid"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

type updateText struct {
	Op     string    `json:"op"`
	Source string    `json:"source"`
	Pods   []*v1.Pod `json:"pods"`
}

var opNames = map[kubetypes.PodOperation]string{
	kubetypes.SET:       "SET",
	kubetypes.ADD:       "ADD",
	kubetypes.DELETE:    "DELETE",
	kubetypes.REMOVE:    "REMOVE",
	kubetypes.UPDATE:    "UPDATE",
	kubetypes.RECONCILE: "RECONCILE",
}

func (p *podConfig) ObservedPodOnWatch(*v1.Pod, time.Time) {}

func (p *podConfig) Event(object runtime.Object, kind, reason, message string) {
	p.events = append(p.events, eventText{string(object.(*v1.Pod).UID), reason, message})
}

func (p *podConfig) Eventf(object runtime.Object, kind, reason, format string, args ...interface{}) {
	p.Event(object, kind, reason, fmt.Sprintf(format, args...))
}

func (p *podConfig) AnnotatedEventf(object runtime.Object, _ map[string]string, kind, reason, format string, args ...interface{}) {
	p.Eventf(object, kind, reason, format, args...)
}

func (p *podConfig) begin(with json.RawMessage) (any, error) {
	var sources []string
	if err := json.Unmarshal(with, &sources); err != nil {
		return nil, err
	}
	if p.stop != nil {
		p.stop()
	}
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	p.merged = config.NewPodConfig(config.PodConfigNotificationIncremental, p, p)
	for _, source := range sources {
		p.merged.Channel(ctx, source)
	}
	return time.Now().UnixMilli(), nil
}

func (p *podConfig) set(with json.RawMessage) (any, error) {
	var snapshot struct {
		Source string    `json:"source"`
		Pods   []*v1.Pod `json:"pods"`
	}
	if err := json.Unmarshal(with, &snapshot); err != nil {
		return nil, err
	}
	p.events = []eventText{}
	if err := config.NodescopeMerge(p.merged, snapshot.Source, snapshot.Pods); err != nil {
		return nil, err
	}
	updates := []updateText{}
	for len(p.merged.Updates()) > 0 {
		update := <-p.merged.Updates()
		updates = append(updates, updateText{opNames[update.Op], update.Source, update.Pods})
	}
	return map[string]any{"updates": updates, "events": p.events}, nil
}

func (p *podConfig) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "new":
		return p.begin(with)
	case "set":
		return p.set(with)
	case "seenAllSources":
		var seen []string
		if err := json.Unmarshal(with, &seen); err != nil {
			return nil, err
		}
		return p.merged.SeenAllSources(sets.New(seen...)), nil
	default:
		return nil, fmt.Errorf("podConfig does not answer %q", ask)
	}
}
