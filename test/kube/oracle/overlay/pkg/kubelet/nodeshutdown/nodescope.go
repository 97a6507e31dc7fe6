package nodeshutdown

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
)

// NodescopeGroup is a group with the names of its pods.
type NodescopeGroup struct {
	Priority int32    `json:"priority"`
	Seconds  int64    `json:"seconds"`
	Pods     []string `json:"pods"`
}

// NodescopeGroups are the groups that a shutdown manager of this configuration ends, in their order.
func NodescopeGroups(conf *Config, pods []*v1.Pod) []NodescopeGroup {
	conf.Logger = klog.Background()
	manager := newPodManager(conf)
	groups := []NodescopeGroup{}
	if len(manager.shutdownGracePeriodByPodPriority) == 0 {
		return groups
	}
	for _, group := range groupByPriority(manager.shutdownGracePeriodByPodPriority, pods) {
		names := []string{}
		for _, pod := range group.Pods {
			names = append(names, pod.Name)
		}
		groups = append(groups, NodescopeGroup{group.Priority, group.ShutdownGracePeriodSeconds, names})
	}
	return groups
}
