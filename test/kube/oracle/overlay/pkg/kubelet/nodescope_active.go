package kubelet

import (
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/kubelet/status"
	testingclock "k8s.io/utils/clock/testing"
)

// NodescopePodState is what the kubelet knows of one pod beside the pod itself.
type NodescopePodState struct {
	Cached               *v1.PodStatus `json:"cached"`
	KnownTerminated      bool          `json:"knownTerminated"`
	TerminationRequested bool          `json:"terminationRequested"`
}

type nodescopeStates map[types.UID]NodescopePodState

type nodescopeStateWorkers struct {
	PodWorkers
	states nodescopeStates
}

func (w nodescopeStateWorkers) IsPodKnownTerminated(uid types.UID) bool {
	return w.states[uid].KnownTerminated
}

func (w nodescopeStateWorkers) IsPodTerminationRequested(uid types.UID) bool {
	return w.states[uid].TerminationRequested
}

type nodescopeStateStatuses struct {
	status.Manager
	states nodescopeStates
}

func (s nodescopeStateStatuses) GetPodStatus(uid types.UID) (v1.PodStatus, bool) {
	if cached := s.states[uid].Cached; cached != nil {
		return *cached, true
	}
	return v1.PodStatus{}, false
}

// NodescopeActivePods is which of the pods count against the node.
func NodescopeActivePods(pods []*v1.Pod, states map[types.UID]NodescopePodState) []*v1.Pod {
	kl := &Kubelet{podWorkers: nodescopeStateWorkers{states: states}, statusManager: nodescopeStateStatuses{states: states}}
	return kl.filterOutInactivePods(pods)
}

// NodescopeDeadline is whether a pod is past its active deadline, and how it ends then.
func NodescopeDeadline(pod *v1.Pod, cached *v1.PodStatus, now time.Time, recorder record.EventRecorder) (bool, map[string]any, error) {
	statuses := nodescopeStateStatuses{states: nodescopeStates{pod.UID: {Cached: cached}}}
	handler, err := newActiveDeadlineHandler(statuses, recorder, testingclock.NewFakeClock(now))
	if err != nil {
		return false, nil, err
	}
	ending := handler.ShouldEvict(pod)
	return handler.ShouldSync(pod), map[string]any{"evict": ending.Evict, "reason": ending.Reason, "message": ending.Message}, nil
}
