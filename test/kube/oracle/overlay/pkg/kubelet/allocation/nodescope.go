package allocation

import (
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/kubelet/allocation/state"
)

// NodescopeRecordTo has the manager's events recorded.
func NodescopeRecordTo(of Manager, recorder record.EventRecorder) {
	of.(*manager).recorder = recorder
}

// NodescopeState is what the manager keeps.
func NodescopeState(of Manager) (allocated, actuated state.PodResourceInfoMap, pending []types.UID) {
	m := of.(*manager)
	return m.allocated.GetPodResourceInfoMap(), m.actuated.GetPodResourceInfoMap(), m.podsWithPendingResizes
}
