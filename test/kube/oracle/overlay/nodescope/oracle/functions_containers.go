package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	v1 "k8s.io/api/core/v1"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/kubernetes/pkg/kubelet"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/kuberuntime"
	"k8s.io/kubernetes/pkg/kubelet/prober"
	"k8s.io/kubernetes/pkg/kubelet/prober/results"
	"k8s.io/kubernetes/pkg/kubelet/status"
)

// sandbox is a pod sandbox of the runtime.
type sandbox struct {
	ID          string   `json:"id"`
	Attempt     uint32   `json:"attempt"`
	Ready       bool     `json:"ready"`
	HostNetwork bool     `json:"hostNetwork"`
	IPs         []string `json:"ips"`
}

// container is a container of the runtime; times are milliseconds.
type container struct {
	ID           string `json:"id"`
	Sandbox      string `json:"sandbox"`
	Name         string `json:"name"`
	State        string `json:"state"`
	Hash         string `json:"hash"`
	RestartCount int    `json:"restartCount"`
	Image        string `json:"image"`
	ImageRef     string `json:"imageRef"`
	CreatedAt    int64  `json:"createdAt"`
	StartedAt    int64  `json:"startedAt"`
	FinishedAt   int64  `json:"finishedAt"`
	ExitCode     int    `json:"exitCode"`
	Reason       string `json:"reason"`
	Message      string `json:"message"`
	// As CRI has it.
	Resources *runtimeapi.LinuxContainerResources `json:"resources"`
	User      *runtimeapi.LinuxContainerUser      `json:"user"`
}

// runtimeStatus is what the runtime has of a pod, the newest first.
type runtimeStatus struct {
	IPs        []string    `json:"ips"`
	Sandboxes  []sandbox   `json:"sandboxes"`
	Containers []container `json:"containers"`
}

func idOf(id string) kubecontainer.ContainerID {
	return kubecontainer.ContainerID{Type: "fake", ID: id}
}

var states = map[string]kubecontainer.State{
	"created": kubecontainer.ContainerStateCreated, "running": kubecontainer.ContainerStateRunning,
	"exited": kubecontainer.ContainerStateExited, "unknown": kubecontainer.ContainerStateUnknown,
}

func (s sandbox) status(pod *v1.Pod) *runtimeapi.PodSandboxStatus {
	told := &runtimeapi.PodSandboxStatus{
		Id:       s.ID,
		Metadata: &runtimeapi.PodSandboxMetadata{Name: pod.Name, Namespace: pod.Namespace, Uid: string(pod.UID), Attempt: s.Attempt},
		State:    runtimeapi.PodSandboxState_SANDBOX_NOTREADY,
		Network:  &runtimeapi.PodSandboxNetworkStatus{},
		Linux:    &runtimeapi.LinuxPodSandboxStatus{Namespaces: &runtimeapi.Namespace{Options: &runtimeapi.NamespaceOption{}}},
	}
	if s.Ready {
		told.State = runtimeapi.PodSandboxState_SANDBOX_READY
	}
	if s.HostNetwork {
		told.Linux.Namespaces.Options.Network = runtimeapi.NamespaceMode_NODE
	}
	if len(s.IPs) > 0 {
		told.Network.Ip = s.IPs[0]
	}
	return told
}

func (c container) status() (*kubecontainer.Status, error) {
	hash, err := strconv.ParseUint(c.Hash, 16, 64)
	resources, user := kuberuntime.NodescopeResourcesAndUser(c.Resources, c.User)
	return &kubecontainer.Status{
		Resources: resources, User: user,
		ID: idOf(c.ID), Name: c.Name, State: states[c.State], Hash: hash, RestartCount: c.RestartCount,
		Image: c.Image, ImageRef: c.ImageRef, Reason: c.Reason, Message: c.Message, ExitCode: c.ExitCode,
		CreatedAt: time.UnixMilli(c.CreatedAt), StartedAt: time.UnixMilli(c.StartedAt), FinishedAt: time.UnixMilli(c.FinishedAt),
	}, err
}

func (r runtimeStatus) podStatus(pod *v1.Pod) (*kubecontainer.PodStatus, error) {
	told := &kubecontainer.PodStatus{ID: pod.UID, Name: pod.Name, Namespace: pod.Namespace, IPs: r.IPs}
	for _, s := range r.Sandboxes {
		told.SandboxStatuses = append(told.SandboxStatuses, s.status(pod))
	}
	for _, c := range r.Containers {
		one, err := c.status()
		if err != nil {
			return nil, err
		}
		told.ContainerStatuses = append(told.ContainerStatuses, one)
		// The active sandbox is the newest one, if it is ready.
		if len(r.Sandboxes) > 0 && r.Sandboxes[0].Ready && c.Sandbox == r.Sandboxes[0].ID {
			told.ActiveContainerStatuses = append(told.ActiveContainerStatuses, one)
		}
	}
	return told, nil
}

// givenResults are results of probes, by the id of the container; nobody listens to them.
type givenResults map[string]string

func (g givenResults) Get(id kubecontainer.ContainerID) (results.Result, bool) {
	switch g[id.ID] {
	case "success":
		return results.Success, true
	case "failure":
		return results.Failure, true
	case "unknown":
		return results.Unknown, true
	default:
		return results.Unknown, false
	}
}
func (g givenResults) Set(kubecontainer.ContainerID, results.Result, *v1.Pod) {}
func (g givenResults) Remove(kubecontainer.ContainerID)                       {}
func (g givenResults) Updates() <-chan results.Update                         { return nil }

type probes struct {
	Liveness  givenResults `json:"liveness"`
	Readiness givenResults `json:"readiness"`
	Startup   givenResults `json:"startup"`
}

type phaseInput struct {
	Pod               v1.Pod               `json:"pod"`
	Statuses          []v1.ContainerStatus `json:"statuses"`
	PodIsTerminal     bool                 `json:"podIsTerminal"`
	PodHasInitialized bool                 `json:"podHasInitialized"`
}

type conditionsInput struct {
	Pod        v1.Pod               `json:"pod"`
	Conditions []v1.PodCondition    `json:"conditions"`
	Statuses   []v1.ContainerStatus `json:"statuses"`
	Phase      v1.PodPhase          `json:"phase"`
}

type runtimeInput struct {
	Pod     v1.Pod        `json:"pod"`
	Runtime runtimeStatus `json:"runtime"`
	Probes  probes        `json:"probes"`
}

type actionsInput struct {
	runtimeInput
	Actuated kuberuntime.NodescopeActuated `json:"actuated"`
}

type apiStatusInput struct {
	runtimeInput
	Old           *v1.PodStatus                       `json:"old"`
	PodIsTerminal bool                                `json:"podIsTerminal"`
	Failures      map[string]kubelet.NodescopeFailure `json:"failures"`
	HostIPs       []string                            `json:"hostIPs"`
	Eviction      *kubelet.NodescopeFailure           `json:"eviction"`
}

// answerOfContainers are the answers that depend on a pod's containers.
func answerOfContainers(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "phase":
		return answerTo(with, func(i phaseInput) (any, error) {
			return kubelet.NodescopePhase(&i.Pod, i.Statuses, i.PodIsTerminal, i.PodHasInitialized), nil
		})
	case "conditions":
		return answerTo(with, conditions)
	case "readyToStart":
		return answerTo(with, func(i runtimeInput) (any, error) {
			podStatus, err := i.Runtime.podStatus(&i.Pod)
			if err != nil {
				return nil, err
			}
			return status.GeneratePodReadyToStartContainersCondition(&i.Pod, &v1.PodStatus{}, podStatus), nil
		})
	case "restarts":
		return answerTo(with, restarts)
	case "podActions":
		return answerTo(with, func(i actionsInput) (any, error) {
			podStatus, err := i.Runtime.podStatus(&i.Pod)
			if err != nil {
				return nil, err
			}
			return kuberuntime.NodescopePodActions(&i.Pod, podStatus, i.Probes.Liveness, i.Probes.Startup, i.Actuated), nil
		})
	case "apiStatus":
		return answerTo(with, apiStatus)
	default:
		return nil, fmt.Errorf("functions do not answer %q", ask)
	}
}

func conditions(i conditionsInput) (any, error) {
	old := &i.Pod.Status
	return []v1.PodCondition{
		status.GeneratePodInitializedCondition(&i.Pod, old, i.Statuses, i.Phase),
		status.GeneratePodReadyCondition(&i.Pod, old, i.Conditions, i.Statuses, i.Phase),
		status.GenerateContainersReadyCondition(&i.Pod, old, i.Statuses, i.Phase),
	}, nil
}

func restarts(i runtimeInput) (any, error) {
	podStatus, err := i.Runtime.podStatus(&i.Pod)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for index := range i.Pod.Spec.Containers {
		if kubecontainer.ShouldContainerBeRestarted(&i.Pod.Spec.Containers[index], &i.Pod, podStatus) {
			names = append(names, i.Pod.Spec.Containers[index].Name)
		}
	}
	return names, nil
}

func apiStatus(i apiStatusInput) (any, error) {
	podStatus, err := i.Runtime.podStatus(&i.Pod)
	if err != nil {
		return nil, err
	}
	return kubelet.NodescopeAPIStatus(&i.Pod, podStatus, kubelet.NodescopeStatusInput{
		Old: i.Old, PodIsTerminal: i.PodIsTerminal, Failures: i.Failures, HostIPs: i.HostIPs, Eviction: i.Eviction,
		Probes: prober.NodescopeManager(&i.Pod, i.Probes.Liveness, i.Probes.Readiness, i.Probes.Startup),
	}), nil
}
