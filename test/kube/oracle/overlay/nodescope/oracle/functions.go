package main

import (
	"encoding/json"
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"
	_ "k8s.io/kubernetes/pkg/kubelet"
)

func init() {
	subjects["functions"] = func() (subject, error) { return functions{}, nil }
}

// functions answers what depends on its arguments alone.
type functions struct{}

func (functions) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "qosClass":
		var pod v1.Pod
		if err := json.Unmarshal(with, &pod); err != nil {
			return nil, err
		}
		return qos.ComputePodQOS(&pod), nil
	default:
		return nil, fmt.Errorf("functions do not answer %q", ask)
	}
}
