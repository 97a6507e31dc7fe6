package kubelet

import (
	"errors"
	"net"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/kubelet/allocation"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/kubelet/prober"
	"k8s.io/kubernetes/pkg/kubelet/status"
)

// NodescopePhase is the phase of a pod.
func NodescopePhase(pod *v1.Pod, statuses []v1.ContainerStatus, podIsTerminal, podHasInitialized bool) v1.PodPhase {
	return getPhase(pod, statuses, podIsTerminal, podHasInitialized)
}

// NodescopeStatusInput is what the API status of a pod is made of, beside the pod and its containers.
type NodescopeStatusInput struct {
	// What the status manager has; nil: nothing.
	Old           *v1.PodStatus
	PodIsTerminal bool
	// By container: why it failed to start.
	Failures map[string]NodescopeFailure
	HostIPs  []string
	// Who ends the pod; nil: nobody.
	Eviction *NodescopeFailure
	Probes   prober.Manager
}

// NodescopeFailure is a reason with its message.
type NodescopeFailure struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

type givenStatus struct {
	status.Manager
	old *v1.PodStatus
}

func (g givenStatus) GetPodStatus(types.UID) (v1.PodStatus, bool) {
	if g.old == nil {
		return v1.PodStatus{}, false
	}
	return *g.old, true
}
func (g givenStatus) GetPodResizeConditions(types.UID) []*v1.PodCondition       { return nil }
func (g givenStatus) ClearPodResizePendingCondition(types.UID)                  {}
func (g givenStatus) ClearPodResizeInProgressCondition(types.UID) (wasSet bool) { return false }

type givenEviction NodescopeFailure

func (g givenEviction) ShouldEvict(*v1.Pod) lifecycle.ShouldEvictResponse {
	return lifecycle.ShouldEvictResponse{Evict: true, Reason: g.Reason, Message: g.Message}
}

type noActuated struct{ allocation.Manager }

func (noActuated) GetActuatedResources(types.UID, string) (v1.ResourceRequirements, bool) {
	return v1.ResourceRequirements{}, false
}

// NodescopeAPIStatus is the status that a kubelet writes.
func NodescopeAPIStatus(pod *v1.Pod, podStatus *kubecontainer.PodStatus, input NodescopeStatusInput) v1.PodStatus {
	node := &v1.Node{}
	node.Name = "node"
	kl := &Kubelet{
		nodeName:          "node",
		kubeClient:        fake.NewClientset(),
		recorder:          &record.FakeRecorder{},
		statusManager:     givenStatus{old: input.Old},
		allocationManager: noActuated{},
		probeManager:      input.Probes,
		reasonCache:       NewReasonCache(),
	}
	for _, ip := range input.HostIPs {
		kl.nodeIPs = append(kl.nodeIPs, net.ParseIP(ip))
		node.Status.Addresses = append(node.Status.Addresses, v1.NodeAddress{Type: v1.NodeInternalIP, Address: ip})
	}
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	_ = indexer.Add(node)
	kl.nodeLister = corelisters.NewNodeLister(indexer)
	for name, failure := range input.Failures {
		kl.reasonCache.add(pod.UID, name, errors.New(failure.Reason), failure.Message)
	}
	if input.Eviction != nil {
		kl.PodSyncHandlers = append(kl.PodSyncHandlers, givenEviction(*input.Eviction))
	}
	return kl.generateAPIPodStatus(pod, podStatus, input.PodIsTerminal)
}
