package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	kubepod "k8s.io/kubernetes/pkg/kubelet/pod"
	"k8s.io/kubernetes/pkg/kubelet/status"
)

func init() {
	subjects["statusManager"] = func() (subject, error) { return inBubble(newStatusManager) }
}

// statusManager is asked beside a pod manager that it looks into and an API server that it writes to. The
// server keeps a deleted pod until it is told to forget it, so that the order of pods does not count.
type statusManager struct {
	client   *fake.Clientset
	manager  status.Manager
	pods     kubepod.Manager
	server   map[string]*v1.Pod
	running  map[types.UID]bool
	faults   map[string]string
	requests []requestText
}

type requestText struct {
	Verb        string          `json:"verb"`
	Name        string          `json:"name"`
	Subresource string          `json:"subresource,omitempty"`
	Body        json.RawMessage `json:"body,omitempty"`
}

func newStatusManager() (subject, error) {
	s := &statusManager{client: fake.NewClientset()}
	s.client.PrependReactor("*", "pods", s.react)
	s.begin()
	return s, nil
}

func (s *statusManager) begin() {
	s.server = map[string]*v1.Pod{}
	s.running = map[types.UID]bool{}
	s.pods = kubepod.NewBasicPodManager()
	s.manager = status.NewManager(s.client, s.pods, s, s)
}

func (s *statusManager) PodCouldHaveRunningContainers(pod *v1.Pod) bool { return s.running[pod.UID] }
func (s *statusManager) RecordStatusUpdated(*v1.Pod)                    {}
func (s *statusManager) DeletePodStartupState(types.UID)                {}

func fault(kind, name string) error {
	switch kind {
	case "":
		return nil
	case "not-found":
		return apierrors.NewNotFound(v1.Resource("pods"), name)
	case "conflict":
		return apierrors.NewConflict(v1.Resource("pods"), name, errors.New("the object has been modified"))
	default:
		return apierrors.NewInternalError(errors.New(kind))
	}
}

func (s *statusManager) react(action clienttesting.Action) (bool, runtime.Object, error) {
	request := requestText{Verb: action.GetVerb(), Subresource: action.GetSubresource()}
	var change func(*v1.Pod) (*v1.Pod, error)
	switch asked := action.(type) {
	case clienttesting.GetActionImpl:
		request.Name = asked.GetName()
		change = func(pod *v1.Pod) (*v1.Pod, error) { return pod, nil }
	case clienttesting.PatchActionImpl:
		request.Name, request.Body = asked.GetName(), asked.GetPatch()
		change = patched(asked.GetPatch())
	case clienttesting.DeleteActionImpl:
		request.Name = asked.GetName()
		body, err := json.Marshal(asked.GetDeleteOptions())
		if err != nil {
			return true, nil, err
		}
		request.Body = body
		change = func(pod *v1.Pod) (*v1.Pod, error) { return pod, refusedDelete(pod, asked) }
	default:
		return true, nil, fmt.Errorf("unexpected %T", action)
	}
	s.requests = append(s.requests, request)
	if err := fault(s.faults[request.Verb], request.Name); err != nil {
		return true, nil, err
	}
	pod := s.server[request.Name]
	if pod == nil {
		return true, nil, fault("not-found", request.Name)
	}
	changed, err := change(pod.DeepCopy())
	if err != nil {
		return true, nil, err
	}
	s.server[request.Name] = changed
	return true, changed.DeepCopy(), nil
}

func patched(patch []byte) func(*v1.Pod) (*v1.Pod, error) {
	return func(pod *v1.Pod) (*v1.Pod, error) {
		before, err := json.Marshal(pod)
		if err != nil {
			return nil, err
		}
		after, err := strategicpatch.StrategicMergePatch(before, patch, v1.Pod{})
		if err != nil {
			return nil, err
		}
		var changed v1.Pod
		if err := json.Unmarshal(after, &changed); err != nil {
			return nil, err
		}
		if changed.UID != pod.UID {
			return nil, fault("conflict", pod.Name)
		}
		return &changed, nil
	}
}

func refusedDelete(pod *v1.Pod, asked clienttesting.DeleteActionImpl) error {
	preconditions := asked.GetDeleteOptions().Preconditions
	if preconditions != nil && preconditions.UID != nil && *preconditions.UID != pod.UID {
		return fault("conflict", pod.Name)
	}
	return nil
}

// statusQuestion has what any of the operations needs.
type statusQuestion struct {
	Pod         *v1.Pod           `json:"pod"`
	Name        string            `json:"name"`
	Status      v1.PodStatus      `json:"status"`
	UID         types.UID         `json:"uid"`
	UIDs        []types.UID       `json:"uids"`
	ContainerID string            `json:"containerID"`
	Value       bool              `json:"value"`
	Faults      map[string]string `json:"faults"`
}

// look shows the cache: the answer for each of these uids, and the versions.
func (s *statusManager) look(uids []types.UID) any {
	statuses := map[types.UID]v1.PodStatus{}
	for _, uid := range uids {
		if found, ok := s.manager.GetPodStatus(uid); ok {
			statuses[uid] = found
		}
	}
	return map[string]any{"statuses": statuses, "versions": status.NodescopeVersions(s.manager)}
}

func (s *statusManager) syncBatch(q statusQuestion) any {
	s.requests, s.faults = []requestText{}, q.Faults
	tried := status.NodescopeSyncBatch(s.manager, q.Value)
	return map[string]any{"tried": tried, "requests": s.requests, "server": s.server}
}

func (s *statusManager) answer(ask string, with json.RawMessage) (any, error) {
	var q statusQuestion
	if err := json.Unmarshal(with, &q); err != nil {
		return nil, err
	}
	logger := klog.Background()
	switch ask {
	case "new":
		s.begin()
		return time.Now().UnixMilli(), nil
	case "addPod":
		s.pods.AddPod(q.Pod)
	case "removePod":
		s.pods.RemovePod(q.Pod)
	case "serve":
		s.server[q.Pod.Name] = q.Pod
	case "forget":
		delete(s.server, q.Name)
	case "running":
		s.running[q.UID] = q.Value
	case "setPodStatus":
		s.manager.SetPodStatus(logger, q.Pod, q.Status)
	case "terminatePod":
		s.manager.TerminatePod(logger, q.Pod)
	case "setContainerReadiness":
		s.manager.SetContainerReadiness(logger, q.UID, kubecontainer.ParseContainerID(q.ContainerID), q.Value)
	case "setContainerStartup":
		s.manager.SetContainerStartup(logger, q.UID, kubecontainer.ParseContainerID(q.ContainerID), q.Value)
	case "removeOrphanedStatuses":
		kept := map[types.UID]bool{}
		for _, uid := range q.UIDs {
			kept[uid] = true
		}
		s.manager.RemoveOrphanedStatuses(logger, kept)
	case "syncBatch":
		return s.syncBatch(q), nil
	case "look":
		return s.look(q.UIDs), nil
	default:
		return nil, fmt.Errorf("statusManager does not answer %q", ask)
	}
	return nil, nil
}
