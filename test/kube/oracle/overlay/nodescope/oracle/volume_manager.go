package main

import (
	"encoding/json"
	"fmt"
	"testing/synctest"

	"k8s.io/kubernetes/pkg/kubelet/volumemanager"
)

func init() {
	subjects["volumeManager"] = func() (subject, error) {
		return inBubble(func() (subject, error) { return volumeManagers{}, nil })
	}
}

// volumeManagers take a new volume manager through its life with every question.
type volumeManagers struct{}

func (volumeManagers) answer(ask string, with json.RawMessage) (any, error) {
	if ask != "run" {
		return nil, fmt.Errorf("the volume manager does not answer %q", ask)
	}
	return answerTo(with, func(life volumemanager.NodescopeVolumeLife) (any, error) {
		return volumemanager.NodescopeRunVolumes(life, synctest.Wait)
	})
}
