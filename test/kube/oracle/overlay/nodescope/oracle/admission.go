package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/kubelet"
	"k8s.io/kubernetes/pkg/kubelet/eviction"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/kubelet/preemption"
	"k8s.io/kubernetes/pkg/kubelet/sysctl"
	schedulerframework "k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/security/apparmor"
)

func init() {
	subjects["admission"] = func() (subject, error) { return admission{}, nil }
}

// admission answers whether a pod may come in, and how one is made to go.
type admission struct{}

func (admission) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "admit":
		return answerTo(with, admitted)
	case "podsToPreempt":
		return answerTo(with, podsToPreempt)
	case "evict":
		return answerTo(with, evicted)
	case "activePods":
		return answerTo(with, activePods)
	case "deadline":
		return answerTo(with, deadline)
	default:
		return nil, fmt.Errorf("admission does not know %q", ask)
	}
}

// kills notes who is killed, and what becomes of its status.
type kills struct {
	events []string
	killed []map[string]any
	stuck  map[string]bool
}

func (k *kills) kill(pod *v1.Pod, evict bool, grace *int64, status func(*v1.PodStatus)) error {
	written := pod.Status.DeepCopy()
	status(written)
	k.killed = append(k.killed, map[string]any{"uid": pod.UID, "evict": evict, "grace": grace, "status": written})
	if k.stuck[string(pod.UID)] {
		return errors.New("timeout waiting to kill pod")
	}
	return nil
}

// noted is a recorder that writes events as lines.
type noted struct {
	record.EventRecorder
	to *kills
}

func (n noted) Eventf(object runtime.Object, kind, reason, message string, args ...any) {
	n.AnnotatedEventf(object, nil, kind, reason, message, args...)
}

func (n noted) AnnotatedEventf(object runtime.Object, annotations map[string]string, kind, reason, message string, args ...any) {
	line := fmt.Sprintf("%s %s %s "+message, append([]any{object.(*v1.Pod).UID, kind, reason}, args...)...)
	if len(annotations) > 0 {
		line += fmt.Sprintf(" %v", annotations)
	}
	n.to.events = append(n.to.events, line)
}

type admissionAsked struct {
	Node       *v1.Node               `json:"node"`
	Pod        v1.Pod                 `json:"pod"`
	Others     []*v1.Pod              `json:"others"`
	Conditions []v1.NodeConditionType `json:"conditions"`
	Kernel     string                 `json:"kernel"`
	AppArmor   bool                   `json:"appArmor"`
	Stuck      []string               `json:"stuck"`
}

// admitted asks all handlers that a kubelet without devices has, in its order.
func admitted(a admissionAsked) (any, error) {
	victims := &kills{events: []string{}, killed: []map[string]any{}, stuck: map[string]bool{}}
	for _, uid := range a.Stuck {
		victims.stuck[uid] = true
	}
	active := func() []*v1.Pod { return append(append([]*v1.Pod{}, a.Others...), &a.Pod) }
	sysctls, err := sysctl.NodescopeAllowlist(a.Kernel)
	if err != nil {
		return nil, err
	}
	handlers := []lifecycle.PodAdmitHandler{
		eviction.NodescopeUnderPressure(a.Conditions),
		sysctls,
		lifecycle.NewPredicateAdmitHandler(
			func() (*v1.Node, error) {
				if a.Node == nil {
					return nil, errors.New("no node")
				}
				return a.Node, nil
			},
			preemption.NewCriticalPodAdmissionHandler(active, victims.kill, noted{to: victims}),
			func(*schedulerframework.NodeInfo, *lifecycle.PodAdmitAttributes) error { return nil },
		),
		lifecycle.NewAppArmorAdmitHandler(apparmor.NodescopeValidator(a.AppArmor)),
		lifecycle.NewPodFeaturesAdmitHandler(),
	}
	answer := map[string]any{"admit": true, "reason": "", "message": ""}
	for _, handler := range handlers {
		result := handler.Admit(&lifecycle.PodAdmitAttributes{Pod: &a.Pod, OtherPods: a.Others})
		if !result.Admit {
			answer = map[string]any{"admit": false, "reason": result.Reason, "message": result.Message}
			break
		}
	}
	answer["killed"] = victims.killed
	answer["events"] = victims.events
	return answer, nil
}

type preemptionAsked struct {
	Pod     v1.Pod                            `json:"pod"`
	Pods    []*v1.Pod                         `json:"pods"`
	Missing []preemption.NodescopeRequirement `json:"missing"`
}

func podsToPreempt(p preemptionAsked) (any, error) {
	victims, err := preemption.NodescopePodsToPreempt(&p.Pod, p.Pods, p.Missing)
	if err != nil {
		return nil, err
	}
	uids := []string{}
	for _, victim := range victims {
		uids = append(uids, string(victim.UID))
	}
	return uids, nil
}

type evictionAsked struct {
	Pod         v1.Pod            `json:"pod"`
	Grace       int64             `json:"grace"`
	Message     string            `json:"message"`
	Annotations map[string]string `json:"annotations"`
	Condition   bool              `json:"condition"`
	Stuck       bool              `json:"stuck"`
}

func evicted(e evictionAsked) (any, error) {
	victims := &kills{events: []string{}, killed: []map[string]any{}, stuck: map[string]bool{string(e.Pod.UID): e.Stuck}}
	done := eviction.NodescopeEvict(victims.kill, noted{to: victims}, &e.Pod, e.Grace, e.Message, e.Annotations, e.Condition)
	return map[string]any{"evicted": done, "killed": victims.killed, "events": victims.events}, nil
}

type activePodsAsked struct {
	Pods   []*v1.Pod                               `json:"pods"`
	States map[types.UID]kubelet.NodescopePodState `json:"states"`
}

func activePods(a activePodsAsked) (any, error) {
	uids := []types.UID{}
	for _, pod := range kubelet.NodescopeActivePods(a.Pods, a.States) {
		uids = append(uids, pod.UID)
	}
	return uids, nil
}

type deadlineAsked struct {
	Pod    v1.Pod        `json:"pod"`
	Cached *v1.PodStatus `json:"cached"`
	Now    int64         `json:"now"`
}

func deadline(d deadlineAsked) (any, error) {
	told := &kills{events: []string{}}
	past, ending, err := kubelet.NodescopeDeadline(&d.Pod, d.Cached, time.UnixMilli(d.Now), noted{to: told})
	return map[string]any{"past": past, "ending": ending, "events": told.events}, err
}
