package kubelet

import (
	v1 "k8s.io/api/core/v1"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/volume"
	"k8s.io/kubernetes/pkg/volume/util/hostutil"
	"k8s.io/kubernetes/pkg/volume/util/subpath"
)

// NodescopeVolume is a volume that is mounted at a path of the node.
type NodescopeVolume struct {
	Path     string `json:"path"`
	ReadOnly bool   `json:"readOnly"`
}

type nodescopeMounter struct {
	volume.Mounter
	NodescopeVolume
}

func (m nodescopeMounter) GetPath() string { return m.Path }

func (m nodescopeMounter) GetAttributes() volume.Attributes {
	return volume.Attributes{ReadOnly: m.ReadOnly}
}

// NodescopeMounts are the mounts of a container's volumes. Subpaths are not mounted a second time.
func NodescopeMounts(container *v1.Container, volumes map[string]NodescopeVolume, envs []kubecontainer.EnvVar) ([]kubecontainer.Mount, error) {
	mounted := kubecontainer.VolumeMap{}
	for name, one := range volumes {
		mounted[name] = kubecontainer.VolumeInfo{Mounter: nodescopeMounter{NodescopeVolume: one}}
	}
	// Without an address there is no hosts file.
	mounts, _, err := makeMounts(&v1.Pod{}, "", container, "", "", nil, mounted, hostutil.NewHostUtil(), &subpath.FakeSubpath{}, envs, false, nil)
	return mounts, err
}
