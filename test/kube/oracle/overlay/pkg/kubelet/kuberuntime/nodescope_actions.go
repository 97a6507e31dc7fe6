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
}

type noLifecycle struct{ cm.InternalContainerLifecycle }

func (noLifecycle) PostStopContainer(string) error { return nil }

type nothingActuated struct{ allocation.Manager }

func (nothingActuated) GetActuatedResources(types.UID, string) (v1.ResourceRequirements, bool) {
	return v1.ResourceRequirements{}, true
}

// NodescopePodActions is what has to be done for a pod whose containers ask for no resources.
func NodescopePodActions(pod *v1.Pod, podStatus *kubecontainer.PodStatus, liveness, startup results.Manager) NodescopeActions {
	m := &kubeGenericRuntimeManager{
		livenessManager:   liveness,
		startupManager:    startup,
		internalLifecycle: noLifecycle{},
		allocationManager: nothingActuated{},
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
