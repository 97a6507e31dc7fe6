package main

import (
	"encoding/json"
	"fmt"

	"k8s.io/kubernetes/pkg/kubelet/eviction"
)

func init() {
	subjects["evictionSpeed"] = func() (subject, error) { return evictionSpeed{}, nil }
}

// evictionSpeed measures what bench/measures/eviction.ts measures, in the same way: medians of short windows.
type evictionSpeed struct{}

// speedQuestion is a node that stays as it is, and how many pods each round evicts.
type speedQuestion struct {
	eviction.NodescopeSpeed
	Evictions int
}

func (evictionSpeed) answer(ask string, with json.RawMessage) (any, error) {
	if ask != "measure" {
		return nil, fmt.Errorf("evictionSpeed does not answer %q", ask)
	}
	return answerTo(with, func(asked speedQuestion) (any, error) {
		round, err := asked.Rounds(asked.Evictions)
		if err != nil {
			return nil, err
		}
		// One round of many pods is longer than a window.
		return nanosOfBatches(1, func(int) { round() }), nil
	})
}
