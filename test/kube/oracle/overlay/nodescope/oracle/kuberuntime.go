package main

import (
	"encoding/json"
	"fmt"

	v1 "k8s.io/api/core/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/kubernetes/pkg/kubelet"
	"k8s.io/kubernetes/pkg/kubelet/kuberuntime"
	"k8s.io/kubernetes/pkg/kubelet/status"
)

func init() {
	subjects["kuberuntime"] = func() (subject, error) {
		// They end with a pause after the error before, whose time is outside of the bubble.
		utilruntime.ErrorHandlers = nil
		return inBubble(func() (subject, error) { return runtimeManager{}, nil })
	}
}

// deletionInput is a container that has died, by id, in what the runtime has of a pod.
type deletionInput struct {
	runtimeInput
	Died      string `json:"died"`
	RemoveAll bool   `json:"removeAll"`
}

// runtimeManager takes a new kuberuntime manager through a sequence of steps with every question.
type runtimeManager struct{}

func (runtimeManager) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "run":
		return answerTo(with, func(run kuberuntime.NodescopeSyncRun) (any, error) { return kuberuntime.NodescopeRunSync(run) })
	case "readyMessage":
		return answerTo(with, func(state kubelet.NodescopeRuntimeState) (any, error) { return kubelet.NodescopeReadyMessage(state) })
	case "containersToDelete":
		return answerTo(with, func(i deletionInput) (any, error) {
			podStatus, err := i.Runtime.podStatus(&i.Pod)
			if err != nil {
				return nil, err
			}
			return kubelet.NodescopeContainersToDelete(i.Died, podStatus, i.RemoveAll), nil
		})
	case "normalize":
		return answerTo(with, func(pod v1.Pod) (any, error) { return status.NodescopeNormalize(&pod, pod.Status), nil })
	case "syncError":
		return kuberuntime.NodescopeSyncError(with)
	default:
		return nil, fmt.Errorf("the runtime manager does not answer %q", ask)
	}
}
