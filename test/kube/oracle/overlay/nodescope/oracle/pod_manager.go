package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	basemetrics "k8s.io/component-base/metrics"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/metrics"
	"k8s.io/kubernetes/pkg/kubelet/pod"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"
)

func init() {
	subjects["podManager"] = func() (subject, error) {
		s := &podManager{registry: basemetrics.NewKubeRegistry()}
		if err := s.registry.Register(metrics.ManagedEphemeralContainers); err != nil {
			return nil, err
		}
		return s, s.renew()
	}
}

// podManager is the kubelet's pod manager and its mirror client. A pod is named in the answers by its
// resourceVersion, which who asks makes unique: so it is seen which object was handed out.
type podManager struct {
	manager  pod.Manager
	registry basemetrics.KubeRegistry
	// What the metric said before, since it is one for all managers of a process.
	ephemeralBefore float64
}

type managerOperation struct {
	Kind string    `json:"kind"`
	Pods []*v1.Pod `json:"pods"`
	// What is asked afterwards.
	UIDs      []types.UID `json:"uids"`
	FullNames []string    `json:"fullNames"`
	Asked     []*v1.Pod   `json:"asked"`
}

type pair struct {
	Pod       string `json:"pod"`
	MirrorPod string `json:"mirrorPod"`
	WasMirror bool   `json:"wasMirror"`
}

type managerAnswers struct {
	Pods           []string          `json:"pods"`
	AllPods        []string          `json:"allPods"`
	AllMirrorPods  []string          `json:"allMirrorPods"`
	Orphans        []string          `json:"orphans"`
	ByUID          []string          `json:"byUID"`
	ByFullName     []string          `json:"byFullName"`
	ByName         []string          `json:"byName"`
	MirrorOf       []string          `json:"mirrorOf"`
	PodOf          []string          `json:"podOf"`
	Pairs          []pair            `json:"pairs"`
	IsMirrorOf     [][]bool          `json:"isMirrorOf"`
	Translated     []string          `json:"translated"`
	PodToMirror    map[string]string `json:"podToMirror"`
	MirrorToPod    map[string]string `json:"mirrorToPod"`
	StaticToMirror map[string]string `json:"staticToMirror"`
	Ephemeral      float64           `json:"ephemeral"`
}

func (s *podManager) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "new":
		return nil, s.renew()
	case "operation":
		var o managerOperation
		if err := json.Unmarshal(with, &o); err != nil {
			return nil, err
		}
		if err := s.operate(o); err != nil {
			return nil, err
		}
		return s.answers(o)
	case "identity":
		var pods []*v1.Pod
		if err := json.Unmarshal(with, &pods); err != nil {
			return nil, err
		}
		return identities(pods), nil
	case "fullName":
		var name string
		if err := json.Unmarshal(with, &name); err != nil {
			return nil, err
		}
		first, second, err := kubecontainer.ParsePodFullName(name)
		return map[string]string{"name": first, "namespace": second}, err
	case "createMirrorPod", "deleteMirrorPod":
		var c mirrorCall
		if err := json.Unmarshal(with, &c); err != nil {
			return nil, err
		}
		return c.answer(ask)
	default:
		return nil, fmt.Errorf("the pod manager does not answer %q", ask)
	}
}

func (s *podManager) renew() error {
	s.manager = pod.NewBasicPodManager()
	before, err := s.ephemeral()
	s.ephemeralBefore = before
	return err
}

func (s *podManager) ephemeral() (float64, error) {
	families, err := s.registry.Gather()
	if err != nil {
		return 0, err
	}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			return metric.GetGauge().GetValue(), nil
		}
	}
	return 0, errors.New("no metric of ephemeral containers")
}

func (s *podManager) operate(o managerOperation) error {
	if o.Kind == "set" {
		s.manager.SetPods(o.Pods)
		return nil
	}
	if len(o.Pods) != 1 {
		return errors.New("one pod is needed")
	}
	switch o.Kind {
	case "add":
		s.manager.AddPod(o.Pods[0])
	case "update":
		s.manager.UpdatePod(o.Pods[0])
	case "remove":
		s.manager.RemovePod(o.Pods[0])
	default:
		return fmt.Errorf("no operation %q", o.Kind)
	}
	return nil
}

// found names a pod; one that was not found must be nil.
func found(p *v1.Pod, ok bool) string {
	if ok != (p != nil) {
		return "contradiction"
	}
	return version(p)
}

func version(p *v1.Pod) string {
	if p == nil {
		return ""
	}
	return p.ResourceVersion
}

func versions(pods []*v1.Pod) []string {
	all := make([]string, 0, len(pods))
	for _, p := range pods {
		all = append(all, version(p))
	}
	sort.Strings(all)
	return all
}

func (s *podManager) answers(o managerOperation) (managerAnswers, error) {
	m := s.manager
	a := managerAnswers{
		Pods:           versions(m.GetPods()),
		PodToMirror:    map[string]string{},
		MirrorToPod:    map[string]string{},
		StaticToMirror: map[string]string{},
	}
	pods, mirrors, orphans := m.GetPodsAndMirrorPods()
	a.AllPods, a.AllMirrorPods = versions(pods), versions(mirrors)
	a.Orphans = append([]string{}, orphans...)
	sort.Strings(a.Orphans)
	for _, uid := range o.UIDs {
		a.ByUID = append(a.ByUID, found(m.GetPodByUID(uid)))
		a.Translated = append(a.Translated, string(m.TranslatePodUID(uid)))
	}
	for _, fullName := range o.FullNames {
		a.ByFullName = append(a.ByFullName, found(m.GetPodByFullName(fullName)))
		name, namespace, err := kubecontainer.ParsePodFullName(fullName)
		if err != nil {
			return a, err
		}
		a.ByName = append(a.ByName, found(m.GetPodByName(namespace, name)))
	}
	for _, p := range o.Asked {
		a.MirrorOf = append(a.MirrorOf, found(m.GetMirrorPodByPod(p)))
		a.PodOf = append(a.PodOf, found(m.GetPodByMirrorPod(p)))
		one, mirror, wasMirror := m.GetPodAndMirrorPod(p)
		a.Pairs = append(a.Pairs, pair{version(one), version(mirror), wasMirror})
		var of []bool
		for _, other := range o.Asked {
			of = append(of, pod.IsMirrorPodOf(p, other))
		}
		a.IsMirrorOf = append(a.IsMirrorOf, of)
	}
	podToMirror, mirrorToPod := m.GetUIDTranslations()
	for uid, mirror := range podToMirror {
		a.PodToMirror[string(uid)] = string(mirror)
	}
	for mirror, uid := range mirrorToPod {
		a.MirrorToPod[string(mirror)] = string(uid)
	}
	for p, mirror := range m.GetStaticPodToMirrorPodMap() {
		a.StaticToMirror[version(p)] = version(mirror)
	}
	now, err := s.ephemeral()
	a.Ephemeral = now - s.ephemeralBefore
	return a, err
}

type identity struct {
	FullName       string `json:"fullName"`
	Source         string `json:"source,omitempty"`
	IsStatic       bool   `json:"isStatic"`
	IsMirror       bool   `json:"isMirror"`
	IsCritical     bool   `json:"isCritical"`
	IsNodeCritical bool   `json:"isNodeCritical"`
	// Which of the others it may push off the node.
	Preempts []bool `json:"preempts"`
}

func identities(pods []*v1.Pod) []identity {
	all := make([]identity, 0, len(pods))
	for _, p := range pods {
		source, err := kubetypes.GetPodSource(p)
		if err != nil {
			source = ""
		}
		i := identity{
			FullName:       kubecontainer.GetPodFullName(p),
			Source:         source,
			IsStatic:       kubetypes.IsStaticPod(p),
			IsMirror:       kubetypes.IsMirrorPod(p),
			IsCritical:     kubetypes.IsCriticalPod(p),
			IsNodeCritical: kubetypes.IsNodeCriticalPod(p),
		}
		for _, other := range pods {
			i.Preempts = append(i.Preempts, kubetypes.Preemptable(p, other))
		}
		all = append(all, i)
	}
	return all
}

// mirrorCall is one call of the mirror client, and how the world answers it.
type mirrorCall struct {
	// Without a client the kubelet stands alone.
	HasClient bool       `json:"hasClient"`
	Node      *v1.Node   `json:"node"`
	Outcome   string     `json:"outcome"`
	Pod       *v1.Pod    `json:"pod"`
	FullName  string     `json:"fullName"`
	UID       *types.UID `json:"uid"`
}

type mirrorAnswer struct {
	Failed  bool             `json:"failed"`
	Deleted bool             `json:"deleted"`
	Calls   []map[string]any `json:"calls"`
}

func (c mirrorCall) Get(name string) (*v1.Node, error) {
	if c.Node == nil || c.Node.Name != name {
		return nil, apierrors.NewNotFound(v1.Resource("nodes"), name)
	}
	return c.Node, nil
}

func (c mirrorCall) outcome(name string) error {
	pods := v1.Resource("pods")
	switch c.Outcome {
	case "ok":
		return nil
	case "not-found":
		return apierrors.NewNotFound(pods, name)
	case "conflict":
		return apierrors.NewConflict(pods, name, errors.New("the precondition failed"))
	case "already-exists":
		return apierrors.NewAlreadyExists(pods, name)
	case "forbidden":
		return apierrors.NewForbidden(pods, name, errors.New("no"))
	default:
		return apierrors.NewInternalError(errors.New(c.Outcome))
	}
}

func (c mirrorCall) answer(ask string) (mirrorAnswer, error) {
	a := mirrorAnswer{Calls: []map[string]any{}}
	set := fake.NewClientset()
	set.PrependReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		call := map[string]any{
			"verb": action.GetVerb(), "resource": action.GetResource().Resource, "namespace": action.GetNamespace(),
		}
		a.Calls = append(a.Calls, call)
		switch act := action.(type) {
		case clienttesting.CreateAction:
			call["object"] = act.GetObject()
			if err := c.outcome(""); err != nil {
				// A server that refuses does not hand the object back.
				return true, nil, err
			}
			return true, act.GetObject(), nil
		case clienttesting.DeleteAction:
			options := act.GetDeleteOptions()
			call["name"] = act.GetName()
			// As it is on the wire.
			call["options"] = options
			return true, nil, c.outcome(act.GetName())
		}
		return true, nil, errors.New("an unexpected call")
	})
	client := pod.NewBasicMirrorClient(set, "node", c)
	if !c.HasClient {
		client = pod.NewBasicMirrorClient(nil, "node", c)
	}
	var err error
	if ask == "createMirrorPod" {
		before := c.Pod.DeepCopy()
		err = client.CreateMirrorPod(context.Background(), c.Pod)
		if !sameMeta(before.ObjectMeta, c.Pod.ObjectMeta) {
			return a, errors.New("the static pod itself was changed")
		}
	} else {
		a.Deleted, err = client.DeleteMirrorPod(context.Background(), c.FullName, c.UID)
	}
	a.Failed = err != nil
	return a, nil
}

func sameMeta(one, other metav1.ObjectMeta) bool {
	a, _ := json.Marshal(one)
	b, _ := json.Marshal(other)
	return string(a) == string(b)
}
