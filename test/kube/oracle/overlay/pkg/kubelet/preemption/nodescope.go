package preemption

import (
	v1 "k8s.io/api/core/v1"
)

// NodescopeRequirement is so much of a resource that is missing.
type NodescopeRequirement struct {
	Resource v1.ResourceName `json:"resource"`
	Quantity int64           `json:"quantity"`
}

// NodescopePodsToPreempt is who goes for a pod, in order.
func NodescopePodsToPreempt(pod *v1.Pod, pods []*v1.Pod, missing []NodescopeRequirement) ([]*v1.Pod, error) {
	requirements := admissionRequirementList{}
	for _, one := range missing {
		requirements = append(requirements, &admissionRequirement{one.Resource, one.Quantity})
	}
	return getPodsToPreempt(pod, pods, requirements)
}
