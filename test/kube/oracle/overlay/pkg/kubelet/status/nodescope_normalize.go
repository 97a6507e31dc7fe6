package status

import v1 "k8s.io/api/core/v1"

// NodescopeNormalize is the status as the manager caches it.
func NodescopeNormalize(pod *v1.Pod, given v1.PodStatus) *v1.PodStatus {
	return normalizeStatus(pod, given.DeepCopy())
}
