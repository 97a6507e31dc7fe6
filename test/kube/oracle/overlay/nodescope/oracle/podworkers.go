package main

import (
	"encoding/json"
	"fmt"

	"k8s.io/kubernetes/pkg/kubelet"
)

func init() {
	subjects["podWorkers"] = func() (subject, error) {
		return inBubble(func() (subject, error) { return podWorkers{kubelet.NewNodescopeWorkers()}, nil })
	}
}

// podWorkers take new workers through a sequence of operations with every question.
type podWorkers struct{ real *kubelet.NodescopeWorkers }

func (p podWorkers) answer(ask string, with json.RawMessage) (any, error) {
	if ask != "run" {
		return nil, fmt.Errorf("pod workers do not answer %q", ask)
	}
	return p.real.Run(with)
}
