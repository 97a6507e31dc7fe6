package main

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
)

// startingContainer is the first container of a pod, and what its environment is made of.
type startingContainer struct {
	kubelet.NodescopeObjects
	Pod         v1.Pod          `json:"pod"`
	PodIPs      []string        `json:"podIPs"`
	HostIPs     []string        `json:"hostIPs"`
	Allocatable v1.ResourceList `json:"allocatable"`
	Synced      bool            `json:"synced"`
}

// environment answers with the variables, and with command and arguments as they are expanded by them.
func environment(given startingContainer) (any, error) {
	envs, err := kubelet.NodescopeEnvironment(&given.Pod, given.PodIPs, given.HostIPs, given.Allocatable, given.Synced, given.NodescopeObjects)
	if err != nil {
		return map[string]any{"error": err.Error()}, nil
	}
	values := map[string]string{}
	for _, env := range envs {
		values[env.Name] = env.Value
	}
	command, args := kubecontainer.ExpandContainerCommandAndArgs(&given.Pod.Spec.Containers[0], envs)
	return map[string]any{"envs": values, "variables": len(envs), "command": command, "args": args}, nil
}
