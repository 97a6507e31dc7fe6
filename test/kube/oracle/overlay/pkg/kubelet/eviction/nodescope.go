package eviction

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
)

// NodescopeUnderPressure is an eviction manager that has found these conditions.
func NodescopeUnderPressure(conditions []v1.NodeConditionType) lifecycle.PodAdmitHandler {
	return &managerImpl{nodeConditions: conditions}
}

// NodescopeEvict is what evictPod does, with a condition or none.
func NodescopeEvict(kill KillPodFunc, recorder record.EventRecorder, pod *v1.Pod, grace int64, message string, annotations map[string]string, hasCondition bool) bool {
	m := &managerImpl{killPodFunc: kill, recorder: recorder}
	var condition *v1.PodCondition
	if hasCondition {
		condition = &v1.PodCondition{
			Type:    v1.DisruptionTarget,
			Status:  v1.ConditionTrue,
			Reason:  v1.PodReasonTerminationByKubelet,
			Message: message,
		}
	}
	return m.evictPod(pod, grace, message, annotations, condition)
}
