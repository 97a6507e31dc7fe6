package kuberuntime

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/kubelet/allocation"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/prober/results"
)

// NodescopeKill is a container that is to be killed, and why.
type NodescopeKill struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	Reason  string `json:"reason"`
}

// NodescopeActions is what a sync has to do; containers are named.
type NodescopeActions struct {
	KillPod             bool                     `json:"killPod"`
	CreateSandbox       bool                     `json:"createSandbox"`
	SandboxID           string                   `json:"sandboxId"`
	Attempt             uint32                   `json:"attempt"`
	EphemeralContainers []string                 `json:"ephemeralContainersToStart"`
	InitContainers      []string                 `json:"initContainersToStart"`
	Containers          []string                 `json:"containersToStart"`
	Kill                map[string]NodescopeKill `json:"containersToKill"`
	// By resource, in their order.
	Updates map[v1.ResourceName][]NodescopeUpdate `json:"updates"`
	// A container is restarted for its resize.
	Restarts bool `json:"hasRestarts"`
}

// NodescopeUpdate is a running container that gets other resources: requests and limits of CPU, then of memory.
type NodescopeUpdate struct {
	Name    string   `json:"name"`
	ID      string   `json:"id"`
	Desired [4]int64 `json:"desired"`
	Current [4]int64 `json:"current"`
}

func amountsIn(r containerResources) [4]int64 {
	return [4]int64{r.cpuRequest, r.cpuLimit, r.memoryRequest, r.memoryLimit}
}

type noLifecycle struct{ cm.InternalContainerLifecycle }

func (noLifecycle) PostStopContainer(string) error { return nil }

// NodescopeActuated are the resources of containers by their names.
type NodescopeActuated map[string]v1.ResourceRequirements

type actuatedManager struct {
	allocation.Manager
	actuated NodescopeActuated
}

func (a actuatedManager) GetActuatedResources(_ types.UID, name string) (v1.ResourceRequirements, bool) {
	resources, found := a.actuated[name]
	return resources, found
}

// NodescopePodActions is what has to be done for a pod whose containers were started with these resources.
func NodescopePodActions(pod *v1.Pod, podStatus *kubecontainer.PodStatus, liveness, startup results.Manager, actuated NodescopeActuated) NodescopeActions {
	m := &kubeGenericRuntimeManager{
		livenessManager:   liveness,
		startupManager:    startup,
		internalLifecycle: noLifecycle{},
		allocationManager: actuatedManager{actuated: actuated},
	}
	actions := m.computePodActions(context.Background(), pod, podStatus)
	told := NodescopeActions{
		KillPod:             actions.KillPod,
		CreateSandbox:       actions.CreateSandbox,
		SandboxID:           actions.SandboxID,
		Attempt:             actions.Attempt,
		EphemeralContainers: []string{},
		InitContainers:      named(actions.InitContainersToStart, pod.Spec.InitContainers),
		Containers:          named(actions.ContainersToStart, pod.Spec.Containers),
		Kill:                map[string]NodescopeKill{},
		Updates:             map[v1.ResourceName][]NodescopeUpdate{v1.ResourceCPU: {}, v1.ResourceMemory: {}},
		Restarts:            actions.UpdatePodResources,
	}
	for name, infos := range actions.ContainersToUpdate {
		for _, info := range infos {
			told.Updates[name] = append(told.Updates[name], NodescopeUpdate{
				info.container.Name, info.kubeContainerID.ID,
				amountsIn(info.desiredContainerResources), amountsIn(*info.currentContainerResources),
			})
		}
	}
	for _, index := range actions.EphemeralContainersToStart {
		told.EphemeralContainers = append(told.EphemeralContainers, pod.Spec.EphemeralContainers[index].Name)
	}
	for id, info := range actions.ContainersToKill {
		told.Kill[id.ID] = NodescopeKill{info.name, info.message, string(info.reason)}
	}
	return told
}

func named(indexes []int, containers []v1.Container) []string {
	names := []string{}
	for _, index := range indexes {
		names = append(names, containers[index].Name)
	}
	return names
}
