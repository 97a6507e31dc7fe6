package main

import (
	"encoding/json"
	"fmt"

	"k8s.io/kubernetes/pkg/kubelet"
)

func init() {
	subjects["handlers"] = func() (subject, error) {
		return inBubble(func() (subject, error) { return handlers{}, nil })
	}
}

// handlers are what the sync loop calls, housekeeping, and the registration of static pods at start-up.
type handlers struct{}

func (handlers) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "handle":
		return kubelet.NodescopeHandle(with)
	case "register":
		return kubelet.NodescopeRegister(with)
	default:
		return nil, fmt.Errorf("the handlers do not answer %q", ask)
	}
}
