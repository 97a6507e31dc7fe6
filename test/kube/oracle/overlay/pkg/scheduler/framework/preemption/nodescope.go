package preemption

import (
	"context"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// NodescopeSynchronous makes Preempt wait for what it deletes.
func (ev *Evaluator) NodescopeSynchronous() {
	ev.enableAsyncPreemption = false
}

// NodescopeCandidates are all nodes on which preemption would help, with their victims.
func (ev *Evaluator) NodescopeCandidates(ctx context.Context, state fwk.CycleState, pod *v1.Pod, m framework.NodeToStatusReader) ([]Candidate, error) {
	all, err := ev.Handler.SnapshotSharedLister().NodeInfos().List()
	if err != nil {
		return nil, err
	}
	candidates, _, err := ev.findCandidates(ctx, state, all, pod, m)
	return candidates, err
}
