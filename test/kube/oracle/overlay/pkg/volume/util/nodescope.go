package util

import v1 "k8s.io/api/core/v1"

// NodescopeNestedMountpoints are the folders that other mounts need below a volume.
func NodescopeNestedMountpoints(name string, pod v1.Pod) ([]string, error) {
	return getNestedMountpoints(name, "", pod)
}
