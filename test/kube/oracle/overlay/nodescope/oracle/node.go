package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	cadvisorapi "github.com/google/cadvisor/info/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	nodeutil "k8s.io/component-helpers/node/util"
	kubeletv1beta1 "k8s.io/kubelet/config/v1beta1"
	"k8s.io/kubernetes/pkg/kubelet"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	kubeletscheme "k8s.io/kubernetes/pkg/kubelet/apis/config/scheme"
	kubeletvalidation "k8s.io/kubernetes/pkg/kubelet/apis/config/validation"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubelet/nodeshutdown"
	"k8s.io/kubernetes/pkg/kubelet/nodestatus"
)

func init() {
	subjects["node"] = func() (subject, error) {
		return inBubble(func() (subject, error) { return nodes{}, nil })
	}
}

// nodes answer what a kubelet says of its node, and how it is shut down.
type nodes struct{}

func (nodes) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "reconcile":
		return answerTo(with, reconciled)
	case "changed":
		return answerTo(with, func(pair [2]v1.NodeStatus) (any, error) {
			return kubelet.NodescopeStatusChanged(&pair[0], &pair[1]), nil
		})
	case "conditions":
		return answerTo(with, conditionsOfNode)
	case "machine":
		return answerTo(with, machine)
	case "patch":
		return answerTo(with, patchOfNode)
	case "shutdownGroups":
		return answerTo(with, groupsOfShutdown)
	case "shutdownProblems":
		return answerTo(with, problemsOfShutdown)
	case "lease":
		return answerTo(with, leaseCalls)
	default:
		return nil, fmt.Errorf("nodes do not answer %q", ask)
	}
}

func reconciled(input struct{ Initial, Existing v1.Node }) (any, error) {
	node := input.Existing
	kubelet.NodescopeReconcile(&input.Initial, &node)
	return map[string]any{
		"labels": node.Labels, "annotations": node.Annotations,
		"capacity": node.Status.Capacity, "allocatable": node.Status.Allocatable,
	}, nil
}

type conditionInput struct {
	Conditions                         []v1.NodeCondition
	Runtime, Network, Storage, Missing []string
	Shutdown                           string
	Memory, Disk, Pid                  bool
}

func aggregate(texts []string) func() error {
	all := []error{}
	for _, text := range texts {
		all = append(all, errors.New(text))
	}
	return func() error { return utilerrors.NewAggregate(all) }
}

// conditionsOfNode are the conditions in the order in which a kubelet sets them, with the events that they make.
func conditionsOfNode(input conditionInput) (any, error) {
	told := []string{}
	tell := func(_, event string) { told = append(told, event) }
	is := func(pressed bool) func() bool { return func() bool { return pressed } }
	shutdown := func() error {
		if input.Shutdown == "" {
			return nil
		}
		return errors.New(input.Shutdown)
	}
	node := &v1.Node{Status: v1.NodeStatus{Conditions: input.Conditions, Capacity: v1.ResourceList{}}}
	for _, name := range []v1.ResourceName{v1.ResourceCPU, v1.ResourceMemory, v1.ResourcePods, v1.ResourceEphemeralStorage} {
		node.Status.Capacity[name] = resource.MustParse("1")
	}
	for _, name := range input.Missing {
		delete(node.Status.Capacity, v1.ResourceName(name))
	}
	setters := []nodestatus.Setter{
		nodestatus.MemoryPressureCondition(time.Now, is(input.Memory), tell),
		nodestatus.DiskPressureCondition(time.Now, is(input.Disk), tell),
		nodestatus.PIDPressureCondition(time.Now, is(input.Pid), tell),
		nodestatus.ReadyCondition(time.Now, aggregate(input.Runtime), aggregate(input.Network), aggregate(input.Storage),
			func() cm.Status { return cm.Status{} }, shutdown, tell, true),
	}
	for _, set := range setters {
		if err := set(context.Background(), node); err != nil {
			return nil, err
		}
	}
	return map[string]any{"conditions": node.Status.Conditions, "events": told, "now": metav1.Now()}, nil
}

// machine is what is there and what is left for pods, of 2 processors, 1Gi, 10Gi of storage and 110 pods.
func machine(status v1.NodeStatus) (any, error) {
	node := &v1.Node{Status: status}
	info := &cadvisorapi.MachineInfo{NumCores: 2, MemoryCapacity: 1 << 30, BootID: "ours"}
	set := nodestatus.MachineInfo("n", 110, 0,
		func() (*cadvisorapi.MachineInfo, error) { return info, nil },
		func(bool) v1.ResourceList {
			return v1.ResourceList{v1.ResourceEphemeralStorage: resource.MustParse("10Gi")}
		},
		func() (v1.ResourceList, v1.ResourceList, []string) { return nil, nil, nil },
		func() v1.ResourceList { return nil },
		func(_, _, _ string) {}, true)
	if err := set(context.Background(), node); err != nil {
		return nil, err
	}
	return map[string]any{"capacity": node.Status.Capacity, "allocatable": node.Status.Allocatable}, nil
}

// patchOfNode is what is sent to turn one Node into the other.
func patchOfNode(pair [2]v1.Node) (any, error) {
	var sent []byte
	client := &fake.Clientset{}
	client.AddReactor("patch", "nodes", func(action clienttesting.Action) (bool, runtime.Object, error) {
		sent = action.(clienttesting.PatchAction).GetPatch()
		return true, &pair[1], nil
	})
	_, _, err := nodeutil.PatchNodeStatus(client.CoreV1(), "n", &pair[0], &pair[1])
	return json.RawMessage(sent), err
}

type shutdownInput struct {
	Total, Critical int64
	Groups          []kubeletconfig.ShutdownGracePeriodByPodPriority
	Pods            []*v1.Pod
}

func milliseconds(count int64) time.Duration { return time.Duration(count) * time.Millisecond }

func groupsOfShutdown(input shutdownInput) (any, error) {
	return nodeshutdown.NodescopeGroups(&nodeshutdown.Config{
		ShutdownGracePeriodRequested:     milliseconds(input.Total),
		ShutdownGracePeriodCriticalPods:  milliseconds(input.Critical),
		ShutdownGracePeriodByPodPriority: input.Groups,
	}, input.Pods), nil
}

// problemsOfShutdown is what a configuration that is the default otherwise is refused for.
func problemsOfShutdown(input shutdownInput) (any, error) {
	scheme, _, err := kubeletscheme.NewSchemeAndCodecs()
	if err != nil {
		return nil, err
	}
	external := &kubeletv1beta1.KubeletConfiguration{}
	scheme.Default(external)
	config := &kubeletconfig.KubeletConfiguration{}
	if err := scheme.Convert(external, config, nil); err != nil {
		return nil, err
	}
	config.ShutdownGracePeriod = metav1.Duration{Duration: milliseconds(input.Total)}
	config.ShutdownGracePeriodCriticalPods = metav1.Duration{Duration: milliseconds(input.Critical)}
	config.ShutdownGracePeriodByPodPriority = input.Groups
	problems := []string{}
	refusal := kubeletvalidation.ValidateKubeletConfiguration(config, utilfeature.DefaultFeatureGate)
	if all, ok := refusal.(utilerrors.Aggregate); ok {
		for _, each := range all.Errors() {
			if strings.Contains(each.Error(), "hutdownGrace") {
				problems = append(problems, each.Error())
			}
		}
	}
	return problems, nil
}
