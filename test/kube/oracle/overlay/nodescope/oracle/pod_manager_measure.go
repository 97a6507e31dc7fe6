package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/pod"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"
)

func init() {
	subjects["podManagerSpeed"] = func() (subject, error) { return podManagerSpeed{}, nil }
}

// podManagerSpeed measures what bench/measures/pod-manager.ts measures, in the same way: medians of short windows.
type podManagerSpeed struct{}

const (
	windows   = 40
	window    = 20 * time.Millisecond
	batchSize = 16
)

func nanosOf(operation func(at int)) float64 {
	return nanosOfBatches(batchSize, operation)
}

// nanosOfBatches looks at the time after so many calls.
func nanosOfBatches(size int, operation func(at int)) float64 {
	calls := 0
	windowNanos := func() float64 {
		started := time.Now()
		elapsed, done := time.Duration(0), 0
		for elapsed < window {
			for batch := 0; batch < size; batch++ {
				operation(calls)
				calls++
			}
			done += size
			elapsed = time.Since(started)
		}
		return float64(elapsed.Nanoseconds()) / float64(done)
	}
	for warmUp := 0; warmUp < windows/2; warmUp++ {
		windowNanos()
	}
	var taken []float64
	for len(taken) < windows {
		taken = append(taken, windowNanos())
	}
	sort.Float64s(taken)
	return taken[windows/2]
}

func measuredPod(name, uid string, annotations map[string]string) *v1.Pod {
	return &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", UID: types.UID(uid), Annotations: annotations},
		Spec:       v1.PodSpec{Containers: []v1.Container{{Name: "main", Image: "registry.k8s.io/pause:3.10"}}},
	}
}

// A third of them static, each of those with a mirror.
func measuredPods(count int) (others, mirrors []*v1.Pod) {
	for index := 0; index < count; index++ {
		name, uid := fmt.Sprintf("pod-%05d-node", index), fmt.Sprintf("6fa459ea-ee8a-3ca4-894e-%012d", index)
		if index%3 != 0 {
			others = append(others, measuredPod(name, uid, map[string]string{kubetypes.ConfigSourceAnnotationKey: "api"}))
			continue
		}
		others = append(others, measuredPod(name, uid, map[string]string{
			kubetypes.ConfigHashAnnotationKey: uid, kubetypes.ConfigSourceAnnotationKey: "file",
		}))
		mirrors = append(mirrors, measuredPod(name, "mirror-"+uid, map[string]string{
			kubetypes.ConfigHashAnnotationKey: uid, kubetypes.ConfigMirrorAnnotationKey: uid,
			kubetypes.ConfigSourceAnnotationKey: "api",
		}))
	}
	return others, mirrors
}

func (podManagerSpeed) answer(ask string, with json.RawMessage) (any, error) {
	if ask != "measure" {
		return nil, fmt.Errorf("speed does not answer %q", ask)
	}
	var count int
	if err := json.Unmarshal(with, &count); err != nil {
		return nil, err
	}
	others, mirrors := measuredPods(count)
	all := append(append([]*v1.Pod{}, others...), mirrors...)
	var names []string
	for _, p := range others {
		names = append(names, kubecontainer.GetPodFullName(p))
	}
	m := pod.NewBasicPodManager()
	m.SetPods(all)
	other := func(at int) *v1.Pod { return others[at%len(others)] }
	mirror := func(at int) *v1.Pod { return mirrors[at%len(mirrors)] }
	replace := func(at int) {
		m.RemovePod(other(at))
		m.AddPod(other(at))
	}
	return map[string]float64{
		"translatePodUID":      nanosOf(func(at int) { m.TranslatePodUID(mirror(at).UID) }),
		"getPodByUID":          nanosOf(func(at int) { m.GetPodByUID(other(at).UID) }),
		"getPodByFullName":     nanosOf(func(at int) { m.GetPodByFullName(names[at%len(names)]) }),
		"getPodByMirrorPod":    nanosOf(func(at int) { m.GetPodByMirrorPod(mirror(at)) }),
		"getMirrorPodByPod":    nanosOf(func(at int) { m.GetMirrorPodByPod(other(at)) }),
		"updatePod":            nanosOf(func(at int) { m.UpdatePod(other(at)) }),
		"removeAndAddPod":      nanosOf(replace),
		"getPods":              nanosOf(func(int) { m.GetPods() }),
		"getPodsAndMirrorPods": nanosOf(func(int) { m.GetPodsAndMirrorPods() }),
		"getUIDTranslations":   nanosOf(func(int) { m.GetUIDTranslations() }),
		"setPods":              nanosOf(func(int) { m.SetPods(all) }),
	}, nil
}
