package main

import (
	"encoding/json"
	"fmt"

	"k8s.io/kubernetes/pkg/controller/nodelifecycle"
)

func init() {
	subjects["nodeLifecycle"] = func() (subject, error) {
		return inBubble(func() (subject, error) { return &nodeLifecycle{}, nil })
	}
}

// nodeLifecycle is a node lifecycle controller and the nodes of its cluster.
type nodeLifecycle struct{ zones *nodelifecycle.Zones }

type lifecycleRound struct {
	Removed []string
	Posted  []nodelifecycle.ZoneNode
	Renewed []string
}

func (n *nodeLifecycle) round(with json.RawMessage) (any, error) {
	var round lifecycleRound
	if err := json.Unmarshal(with, &round); err != nil {
		return nil, err
	}
	for _, name := range round.Removed {
		if err := n.zones.Remove(name); err != nil {
			return nil, err
		}
	}
	for _, node := range round.Posted {
		if err := n.zones.Post(node); err != nil {
			return nil, err
		}
	}
	for _, name := range round.Renewed {
		if err := n.zones.Renew(name); err != nil {
			return nil, err
		}
	}
	if err := n.zones.Run(); err != nil {
		return nil, err
	}
	return n.zones.Nodes()
}

func (n *nodeLifecycle) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "new":
		n.zones = nodelifecycle.NewZones()
		return nil, nil
	case "round":
		return n.round(with)
	}
	return nil, fmt.Errorf("unknown operation %q", ask)
}
