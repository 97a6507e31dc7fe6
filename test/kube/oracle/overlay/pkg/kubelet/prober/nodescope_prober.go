package prober

import (
	v1 "k8s.io/api/core/v1"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
	"k8s.io/kubernetes/pkg/kubelet/prober/results"
)

// NodescopeManager is a probe manager that knows the pod's probes, but runs none: the results are given.
func NodescopeManager(pod *v1.Pod, liveness, readinessOf, startupOf results.Manager) Manager {
	m := NewManager(nil, liveness, readinessOf, startupOf, nil, nil).(*manager)
	containers := append([]v1.Container{}, pod.Spec.Containers...)
	for _, c := range pod.Spec.InitContainers {
		if podutil.IsRestartableInitContainer(&c) {
			containers = append(containers, c)
		}
	}
	for _, c := range containers {
		if c.ReadinessProbe != nil {
			m.workers[probeKey{pod.UID, c.Name, readiness}] = &worker{probeType: readiness}
		}
		if c.StartupProbe != nil {
			m.workers[probeKey{pod.UID, c.Name, startup}] = &worker{probeType: startup}
		}
	}
	return m
}
