package main

import (
	"encoding/json"
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/tools/record"
	"k8s.io/component-helpers/resource"
	"k8s.io/kubernetes/pkg/kubelet/allocation"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/kubelet/status"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"
)

func init() {
	subjects["allocations"] = func() (subject, error) {
		return inBubble(func() (subject, error) { return &allocations{}, nil })
	}
}

// allocations is an allocation manager with the pods of its node.
type allocations struct {
	manager     allocation.Manager
	statuses    status.Manager
	events      *record.FakeRecorder
	allocatable v1.ResourceList
	ready       bool
	pods        []*v1.Pod
	synced      []types.UID
}

type nodeOfAllocations struct {
	cm.ContainerManager
	of *allocations
}

func (n nodeOfAllocations) GetNodeConfig() cm.NodeConfig { return cm.NodeConfig{} }

func (n nodeOfAllocations) GetNodeAllocatableAbsolute() v1.ResourceList { return n.of.allocatable }

type withoutSwap struct{ kubecontainer.Runtime }

func (withoutSwap) GetContainerSwapBehavior(*v1.Pod, *v1.Container) kubetypes.SwapBehavior {
	return kubetypes.NoSwap
}

type sourcesOfAllocations struct{ of *allocations }

func (sourcesOfAllocations) AddSource(string) {}
func (s sourcesOfAllocations) AllReady() bool { return s.of.ready }

// Admit refuses a pod when CPU runs out.
func (a *allocations) Admit(attrs *lifecycle.PodAdmitAttributes) lifecycle.PodAdmitResult {
	used := int64(0)
	for _, pod := range append(attrs.OtherPods[:len(attrs.OtherPods):len(attrs.OtherPods)], attrs.Pod) {
		requests := resource.PodRequests(pod, resource.PodResourcesOptions{})
		used += requests.Cpu().MilliValue()
	}
	if used <= a.allocatable.Cpu().MilliValue() {
		return lifecycle.PodAdmitResult{Admit: true}
	}
	return lifecycle.PodAdmitResult{Reason: "OutOfcpu", Message: fmt.Sprintf("used %d", used)}
}

func (a *allocations) podByUID(uid types.UID) (*v1.Pod, bool) {
	for _, pod := range a.pods {
		if pod.UID == uid {
			return pod, true
		}
	}
	return nil, false
}

type allocationStep struct {
	UID       types.UID
	Pod       *v1.Pod
	Container string
	Running   []string
	Ready     bool
}

func (a *allocations) answer(ask string, with json.RawMessage) (any, error) {
	if ask == "new" {
		return nil, a.begin(with)
	}
	step := allocationStep{}
	if err := json.Unmarshal(with, &step); err != nil {
		return nil, err
	}
	refusal := ""
	switch ask {
	case "add":
		a.pods = append(a.pods, step.Pod)
		if ok, reason, message := a.manager.AddPod(a.pods, step.Pod); !ok {
			refusal = reason + ": " + message
		}
	case "update":
		for i, pod := range a.pods {
			if pod.UID == step.Pod.UID {
				a.pods[i] = step.Pod
			}
		}
	case "push":
		a.manager.PushPendingResize(step.UID)
	case "retry":
		a.ready = step.Ready
		a.manager.RetryPendingResizes("")
	case "remove":
		for i, pod := range a.pods {
			if pod.UID == step.UID {
				a.pods = append(a.pods[:i:i], a.pods[i+1:]...)
				break
			}
		}
		a.manager.RemovePod(step.UID)
	case "orphans":
		remaining := sets.New[types.UID]()
		for _, pod := range a.pods {
			remaining.Insert(pod.UID)
		}
		a.manager.RemoveOrphanedPods(remaining)
	case "actuate", "check":
		pod, found := a.podByUID(step.UID)
		if !found {
			break
		}
		pod, _ = a.manager.UpdatePodFromAllocation(pod)
		if ask == "check" {
			running := &kubecontainer.PodStatus{}
			for _, name := range step.Running {
				running.ContainerStatuses = append(running.ContainerStatuses, &kubecontainer.Status{
					Name: name, State: kubecontainer.ContainerStateRunning,
				})
			}
			a.manager.CheckPodResizeInProgress(pod, running)
			break
		}
		if err := a.manager.SetActuatedResources(pod, kubecontainer.GetContainerSpec(pod, step.Container)); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("unknown operation %q", ask)
	}
	return a.told(refusal), nil
}

func (a *allocations) begin(with json.RawMessage) error {
	*a = allocations{ready: true, events: record.NewFakeRecorder(100)}
	if err := json.Unmarshal(with, &a.allocatable); err != nil {
		return err
	}
	a.statuses = status.NewManager(nil, nil, nil, nil)
	a.manager = allocation.NewInMemoryManager(
		nodeOfAllocations{of: a}, a.statuses,
		func(pod *v1.Pod) { a.synced = append(a.synced, pod.UID) },
		func() []*v1.Pod { return append([]*v1.Pod{}, a.pods...) },
		a.podByUID, sourcesOfAllocations{a},
	)
	a.manager.SetContainerRuntime(withoutSwap{})
	a.manager.AddPodAdmitHandlers(lifecycle.PodAdmitHandlers{a})
	allocation.NodescopeRecordTo(a.manager, a.events)
	return nil
}

func (a *allocations) told(refusal string) any {
	allocated, actuated, pending := allocation.NodescopeState(a.manager)
	conditions := map[types.UID][]string{}
	for _, pod := range a.pods {
		list := []string{}
		for _, c := range a.statuses.GetPodResizeConditions(pod.UID) {
			list = append(list, fmt.Sprintf("%s %s %s %d", c.Type, c.Reason, c.Message, c.ObservedGeneration))
		}
		conditions[pod.UID] = list
	}
	events := []string{}
	for len(a.events.Events) > 0 {
		events = append(events, <-a.events.Events)
	}
	synced := append([]types.UID{}, a.synced...)
	a.synced = nil
	return map[string]any{
		"refusal": refusal, "allocated": allocated, "actuated": actuated, "pending": append([]types.UID{}, pending...),
		"conditions": conditions, "events": events, "synced": synced,
	}
}
