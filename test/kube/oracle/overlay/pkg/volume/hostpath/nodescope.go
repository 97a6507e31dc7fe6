package hostpath

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/volume"
	"k8s.io/kubernetes/pkg/volume/util/hostutil"
)

// NodescopeSetUp sets up a hostPath volume on this machine.
func NodescopeSetUp(path string, pathType v1.HostPathType) error {
	mounter := hostPathMounter{hostPath: &hostPath{path: path, pathType: &pathType}, hu: hostutil.NewHostUtil()}
	return mounter.SetUp(volume.MounterArgs{})
}
