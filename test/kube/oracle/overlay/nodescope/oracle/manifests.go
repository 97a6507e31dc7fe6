package main

import (
	"encoding/json"
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/capabilities"
	"k8s.io/kubernetes/pkg/kubelet/config"
)

func init() {
	subjects["manifests"] = func() (subject, error) {
		// As a kubelet does at its start.
		capabilities.Initialize(capabilities.Capabilities{AllowPrivileged: true})
		return &manifests{}, nil
	}
}

// manifests are read from files, folders and the answers of URLs.
type manifests struct {
	folder *config.NodescopeFolder
}

type manifest struct {
	Text     string `json:"text"`
	Location string `json:"location"`
	Node     string `json:"node"`
	Event    string `json:"event"`
}

func (m *manifests) answer(ask string, with json.RawMessage) (any, error) {
	var given manifest
	if err := json.Unmarshal(with, &given); err != nil {
		return nil, err
	}
	switch ask {
	case "file":
		_, pod, err := config.NodescopeDecodeFile([]byte(given.Text), given.Location, given.Node)
		if err != nil {
			return nil, err
		}
		return []*v1.Pod{pod}, nil
	case "url":
		return config.NodescopeDecodeURL([]byte(given.Text), given.Location, given.Node)
	case "folder":
		m.folder = config.NewNodescopeFolder(given.Location, given.Node)
		return nil, nil
	case "list":
		return m.folder.List(), nil
	case "touched":
		return m.folder.Touched(given.Event, given.Location), nil
	default:
		return nil, fmt.Errorf("manifests do not answer %q", ask)
	}
}
