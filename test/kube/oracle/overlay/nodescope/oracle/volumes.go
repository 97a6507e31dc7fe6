package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/volume"
	"k8s.io/kubernetes/pkg/volume/configmap"
	"k8s.io/kubernetes/pkg/volume/downwardapi"
	"k8s.io/kubernetes/pkg/volume/hostpath"
	"k8s.io/kubernetes/pkg/volume/secret"
	"k8s.io/kubernetes/pkg/volume/util"
)

// volumes are the files of volumes, and the mounts of containers.
type volumes struct{}

func init() {
	subjects["volumes"] = func() (subject, error) { return volumes{}, nil }
}

type projected struct {
	Data []byte `json:"data"`
	Mode int32  `json:"mode"`
}

type payload map[string]projected

func payloadOf(files map[string]util.FileProjection, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	told := payload{}
	for path, file := range files {
		told[path] = projected{Data: append([]byte{}, file.Data...), Mode: file.Mode}
	}
	return told, nil
}

type objectVolume struct {
	Items       []v1.KeyToPath `json:"items"`
	DefaultMode int32          `json:"defaultMode"`
	Optional    bool           `json:"optional"`
	ConfigMap   *v1.ConfigMap  `json:"configMap"`
	Secret      *v1.Secret     `json:"secret"`
}

type downwardVolume struct {
	Items       []v1.DownwardAPIVolumeFile `json:"items"`
	DefaultMode int32                      `json:"defaultMode"`
	Pod         *v1.Pod                    `json:"pod"`
	Allocatable v1.ResourceList            `json:"allocatable"`
}

type allocatableHost struct {
	volume.VolumeHost
	list v1.ResourceList
}

func (h allocatableHost) GetNodeAllocatable() (v1.ResourceList, error) { return h.list, nil }

// made is a file or folder: its mode and content, or where it links to.
type made struct {
	Path    string `json:"path"`
	Kind    string `json:"kind"`
	Mode    uint32 `json:"mode"`
	Content string `json:"content"`
}

var timestamped = regexp.MustCompile(`\.\.\d{4}_[\d_]+\.\d+`)

// listing is what is below a folder, with the names that tell the time made equal.
func listing(folder string) ([]made, error) {
	all := []made{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == folder {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		relative, _ := filepath.Rel(folder, path)
		one := made{Path: timestamped.ReplaceAllString(relative, "..time"), Mode: uint32(info.Mode().Perm()), Kind: "file"}
		switch {
		case entry.IsDir():
			one.Kind = "folder"
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			one.Kind, one.Mode, one.Content = "symlink", 0, timestamped.ReplaceAllString(target, "..time")
		default:
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			one.Content = string(content)
		}
		all = append(all, one)
		return nil
	})
	return all, err
}

type written struct {
	Error string `json:"error"`
	Files []made `json:"files"`
}

// writes puts one payload after the other into a volume.
func writes(payloads []payload) (any, error) {
	folder, err := os.MkdirTemp("", "nodescope-volume-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	writer, err := util.NewAtomicWriter(folder, "")
	if err != nil {
		return nil, err
	}
	told := []written{}
	for _, one := range payloads {
		files := map[string]util.FileProjection{}
		for path, file := range one {
			files[path] = util.FileProjection{Data: file.Data, Mode: file.Mode}
		}
		result := written{}
		if err := writer.Write(files, nil); err != nil {
			result.Error = err.Error()
		}
		if result.Files, err = listing(folder); err != nil {
			return nil, err
		}
		told = append(told, result)
	}
	return told, nil
}

type mountsOf struct {
	Container v1.Container                       `json:"container"`
	Volumes   map[string]kubelet.NodescopeVolume `json:"volumes"`
	Envs      []kubecontainer.EnvVar             `json:"envs"`
}

func (volumes) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "objectPayload":
		var of objectVolume
		if err := json.Unmarshal(with, &of); err != nil {
			return nil, err
		}
		if of.ConfigMap != nil {
			return payloadOf(configmap.MakePayload(of.Items, of.ConfigMap, &of.DefaultMode, of.Optional))
		}
		return payloadOf(secret.MakePayload(of.Items, of.Secret, &of.DefaultMode, of.Optional))
	case "downwardPayload":
		var of downwardVolume
		if err := json.Unmarshal(with, &of); err != nil {
			return nil, err
		}
		return payloadOf(downwardapi.CollectData(of.Items, of.Pod, allocatableHost{list: of.Allocatable}, &of.DefaultMode))
	case "writes":
		var payloads []payload
		if err := json.Unmarshal(with, &payloads); err != nil {
			return nil, err
		}
		return writes(payloads)
	case "nested":
		var of struct {
			Name string `json:"name"`
			Pod  v1.Pod `json:"pod"`
		}
		if err := json.Unmarshal(with, &of); err != nil {
			return nil, err
		}
		folders, err := util.NodescopeNestedMountpoints(of.Name, of.Pod)
		return append([]string{}, folders...), err
	case "hostPath":
		var of v1.HostPathVolumeSource
		if err := json.Unmarshal(with, &of); err != nil {
			return nil, err
		}
		return nil, hostpath.NodescopeSetUp(of.Path, *of.Type)
	case "mounts":
		var of mountsOf
		if err := json.Unmarshal(with, &of); err != nil {
			return nil, err
		}
		return kubelet.NodescopeMounts(&of.Container, of.Volumes, of.Envs)
	}
	return nil, fmt.Errorf("unknown operation %q", ask)
}
