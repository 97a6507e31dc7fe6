package eviction

import (
	"context"
	"errors"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	statsapi "k8s.io/kubelet/pkg/apis/stats/v1alpha1"
	"k8s.io/utils/clock"
)

// nodescopeReady has its answer ready, so that a measure is that of the manager.
type nodescopeReady struct {
	NodescopeManager
	summary *statsapi.Summary
}

func (r *nodescopeReady) Get(context.Context, bool) (*statsapi.Summary, error) {
	return r.summary, nil
}

// NodescopeSpeed is a manager of a node that stays as it is.
type NodescopeSpeed struct {
	Statements NodescopeStatements
	Isolation  bool
	Node       NodescopeNode
	Pods       []NodescopePod
	Specs      []*v1.Pod
}

// Rounds returns what does one round, after one that must evict as many.
func (s NodescopeSpeed) Rounds(evictions int) (func(), error) {
	thresholds, err := s.Statements.parse()
	if err != nil {
		return nil, err
	}
	ready := &nodescopeReady{summary: s.Node.summary(s.Pods)}
	kill := func(*v1.Pod, bool, *int64, func(*v1.PodStatus)) error { return nil }
	manager, _ := NewManager(ready, Config{
		PressureTransitionPeriod: 5 * time.Minute,
		Thresholds:               thresholds,
	}, kill, ready, ready, &record.FakeRecorder{}, &v1.ObjectReference{Kind: "Node", Name: "node"}, clock.RealClock{}, s.Isolation)
	m := manager.(*managerImpl)
	// A kubelet makes the list of its active pods for each round.
	active := func() []*v1.Pod { return append([]*v1.Pod{}, s.Specs...) }
	round := func() int {
		evicted, _ := m.synchronize(ready, active)
		return len(evicted)
	}
	if round() != evictions {
		return nil, errors.New("the first round did not evict as expected")
	}
	return func() { round() }, nil
}
