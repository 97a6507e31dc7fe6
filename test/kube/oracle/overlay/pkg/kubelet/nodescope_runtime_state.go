package kubelet

import (
	"context"
	"errors"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/nodestatus"
)

// NodescopeRuntimeState is what a kubelet knows of its runtime; empty texts are no errors.
type NodescopeRuntimeState struct {
	// Since the runtime was last ready; null: never.
	SyncedMs *int64 `json:"syncedMs"`
	Pleg     string `json:"pleg"`
	Runtime  string `json:"runtime"`
	Network  string `json:"network"`
	Shutdown string `json:"shutdown"`
}

func nodescopeError(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}

// NodescopeReadyMessage is the message of the Ready condition of a node with that runtime.
func NodescopeReadyMessage(given NodescopeRuntimeState) (string, error) {
	state := newRuntimeState(maxWaitForContainerRuntime)
	if given.SyncedMs != nil {
		state.setRuntimeSync(time.Now().Add(-time.Duration(*given.SyncedMs) * time.Millisecond))
	}
	state.addHealthCheck("PLEG", func() (bool, error) { return given.Pleg == "", nodescopeError(given.Pleg) })
	state.setRuntimeState(nodescopeError(given.Runtime))
	state.setNetworkState(nodescopeError(given.Network))
	node := &v1.Node{}
	for _, name := range []v1.ResourceName{v1.ResourceCPU, v1.ResourceMemory, v1.ResourcePods, v1.ResourceEphemeralStorage} {
		if node.Status.Capacity == nil {
			node.Status.Capacity = v1.ResourceList{}
		}
		node.Status.Capacity[name] = node.Status.Capacity[name]
	}
	set := nodestatus.ReadyCondition(time.Now, state.runtimeErrors, state.networkErrors, state.storageErrors,
		func() cm.Status { return cm.Status{} }, func() error { return nodescopeError(given.Shutdown) },
		func(string, string) {}, true)
	err := set(context.Background(), node)
	return node.Status.Conditions[0].Message, err
}

// NodescopeContainersToDelete are the dead containers that go after one has died, by id.
func NodescopeContainersToDelete(died string, status *kubecontainer.PodStatus, removeAll bool) []string {
	deleted := make(chan kubecontainer.ContainerID, containerDeletorBufferLimit)
	deletor := &podContainerDeletor{worker: deleted, containersToKeep: 1}
	deletor.deleteContainersInPod(died, status, removeAll)
	close(deleted)
	ids := []string{}
	for id := range deleted {
		ids = append(ids, id.ID)
	}
	return ids
}
