package kubelet

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet/cm"
)

// NodescopeReconcile puts a Node right that was there before, as at a registration; whether anything had to be.
func NodescopeReconcile(initial, existing *v1.Node) bool {
	kl := &Kubelet{containerManager: cm.NewStubContainerManagerWithExtendedResource(true)}
	requiresUpdate := kl.reconcileCMADAnnotationWithExistingNode(initial, existing)
	requiresUpdate = kl.updateDefaultLabels(initial, existing) || requiresUpdate
	requiresUpdate = kl.reconcileExtendedResource(initial, existing) || requiresUpdate
	return kl.reconcileHugePageResource(initial, existing) || requiresUpdate
}

// NodescopeStatusChanged is whether two statuses differ in more than heartbeats.
func NodescopeStatusChanged(before, after *v1.NodeStatus) bool {
	return nodeStatusHasChanged(before, after)
}
