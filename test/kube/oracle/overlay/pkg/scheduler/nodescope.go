package scheduler

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// NodescopeCluster is what one question is about. Nominated pods are pending, with a node in their status.
type NodescopeCluster struct {
	Nodes          []*v1.Node                    `json:"nodes"`
	Pods           []*v1.Pod                     `json:"pods"`
	Nominated      []*v1.Pod                     `json:"nominated"`
	Pod            *v1.Pod                       `json:"pod"`
	Budgets        []*policy.PodDisruptionBudget `json:"budgets"`
	Namespaces     []*v1.Namespace               `json:"namespaces"`
	Services       []*v1.Service                 `json:"services"`
	ReplicaSets    []*appsv1.ReplicaSet          `json:"replicaSets"`
	Claims         []*v1.PersistentVolumeClaim   `json:"claims"`
	Volumes        []*v1.PersistentVolume        `json:"volumes"`
	StorageClasses []*storagev1.StorageClass     `json:"storageClasses"`
}

type NodescopeStatus struct {
	Code    string   `json:"code"`
	Plugin  string   `json:"plugin"`
	Reasons []string `json:"reasons"`
}

type NodescopeScore struct {
	Total    int64            `json:"total"`
	ByPlugin map[string]int64 `json:"byPlugin"`
}

type NodescopeCandidate struct {
	Node       string   `json:"node"`
	Victims    []string `json:"victims"`
	Violations int64    `json:"violations"`
}

// NodescopeAnswer is one scheduling cycle. Best: every node that the tie break may choose. Chosen: the same of preemption.
type NodescopeAnswer struct {
	Order      []string                   `json:"order"`
	Feasible   []string                   `json:"feasible"`
	Statuses   map[string]NodescopeStatus `json:"statuses"`
	Scores     map[string]NodescopeScore  `json:"scores"`
	Best       []string                   `json:"best"`
	Message    string                     `json:"message"`
	Plugins    []string                   `json:"plugins"`
	Candidates []NodescopeCandidate       `json:"candidates"`
	Chosen     []string                   `json:"chosen"`
	Nominated  *string                    `json:"nominated"`
	Preempted  []string                   `json:"preempted"`
}

// NodescopeJudge is a scheduler of the default profile whose informers are filled by hand.
type NodescopeJudge struct {
	sched     *Scheduler
	profile   framework.Framework
	evaluator *preemption.Evaluator
	factory   informers.SharedInformerFactory
	lock      sync.Mutex
	preempted []string
}

type nodescopeNominator struct {
	framework.PodNominator
	pods map[string][]fwk.PodInfo
}

func (n nodescopeNominator) NominatedPodsForNode(node string) []fwk.PodInfo {
	return n.pods[node]
}

func NodescopeNewJudge() (*NodescopeJudge, error) {
	ctx := context.Background()
	client := fake.NewSimpleClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	recorder := func(string) events.EventRecorder { return events.NewFakeRecorder(1) }
	sched, err := New(ctx, client, factory, nil, recorder)
	if err != nil {
		return nil, err
	}
	judge := &NodescopeJudge{sched: sched, profile: sched.Profiles[v1.DefaultSchedulerName], factory: factory}
	for _, plugin := range judge.profile.PreEnqueuePlugins() {
		if found, ok := plugin.(*defaultpreemption.DefaultPreemption); ok {
			judge.evaluator = found.Evaluator
		}
	}
	if judge.evaluator == nil {
		return nil, fmt.Errorf("the default profile does not preempt")
	}
	judge.evaluator.NodescopeSynchronous()
	judge.evaluator.PreemptPod = func(_ context.Context, _ preemption.Candidate, _, victim *v1.Pod, _ string) error {
		judge.lock.Lock()
		defer judge.lock.Unlock()
		judge.preempted = append(judge.preempted, string(victim.UID))
		return nil
	}
	return judge, nil
}

func fill[T runtime.Object](informer cache.SharedIndexInformer, lists ...[]T) error {
	all := []any{}
	for _, list := range lists {
		for _, each := range list {
			all = append(all, each)
		}
	}
	return informer.GetIndexer().Replace(all, "")
}

func (j *NodescopeJudge) fillAll(c NodescopeCluster) error {
	core := j.factory.Core().V1()
	for _, err := range []error{
		fill(core.Nodes().Informer(), c.Nodes),
		fill(core.Pods().Informer(), c.Pods, c.Nominated, []*v1.Pod{c.Pod}),
		fill(core.Namespaces().Informer(), c.Namespaces),
		fill(core.Services().Informer(), c.Services),
		fill(core.PersistentVolumeClaims().Informer(), c.Claims),
		fill(core.PersistentVolumes().Informer(), c.Volumes),
		fill(j.factory.Apps().V1().ReplicaSets().Informer(), c.ReplicaSets),
		fill(j.factory.Storage().V1().StorageClasses().Informer(), c.StorageClasses),
		fill(j.factory.Policy().V1().PodDisruptionBudgets().Informer(), c.Budgets),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func (j *NodescopeJudge) snapshot(ctx context.Context, c NodescopeCluster) error {
	logger := klog.FromContext(ctx)
	known := internalcache.New(ctx, time.Hour, nil)
	for _, node := range c.Nodes {
		known.AddNode(logger, node)
	}
	for _, pod := range c.Pods {
		if err := known.AddPod(logger, pod); err != nil {
			return err
		}
	}
	*j.sched.nodeInfoSnapshot = *internalcache.NewEmptySnapshot()
	j.sched.nextStartNodeIndex = 0
	return known.UpdateSnapshot(logger, j.sched.nodeInfoSnapshot)
}

func (j *NodescopeJudge) nominate(pods []*v1.Pod) {
	nominated := map[string][]fwk.PodInfo{}
	for _, pod := range pods {
		info, _ := framework.NewPodInfo(pod)
		node := pod.Status.NominatedNodeName
		nominated[node] = append(nominated[node], info)
	}
	j.profile.SetPodNominator(nodescopeNominator{pods: nominated})
}

// Schedule is the scheduling cycle of one pod, without the tie breaks.
func (j *NodescopeJudge) Schedule(c NodescopeCluster) (*NodescopeAnswer, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := j.fillAll(c); err != nil {
		return nil, err
	}
	if err := j.snapshot(ctx, c); err != nil {
		return nil, err
	}
	j.nominate(c.Nominated)
	j.preempted = []string{}
	answer := &NodescopeAnswer{Order: []string{}, Feasible: []string{}, Statuses: map[string]NodescopeStatus{},
		Scores: map[string]NodescopeScore{}, Best: []string{}, Plugins: []string{}, Candidates: []NodescopeCandidate{}, Chosen: []string{}}
	all, err := j.sched.nodeInfoSnapshot.NodeInfos().List()
	if err != nil {
		return nil, err
	}
	for _, node := range all {
		answer.Order = append(answer.Order, node.Node().Name)
	}
	if len(all) == 0 {
		answer.Message = ErrNoNodesAvailable.Error()
		return answer, nil
	}
	state := framework.NewCycleState()
	feasible, diagnosis, err := j.sched.findNodesThatFitPod(ctx, j.profile, state, c.Pod)
	if err != nil {
		answer.Message = err.Error()
		return answer, nil
	}
	for _, node := range feasible {
		answer.Feasible = append(answer.Feasible, node.Node().Name)
	}
	slices.Sort(answer.Feasible)
	diagnosis.NodeToStatus.ForEachExplicitNode(func(name string, status *fwk.Status) {
		reasons := slices.Clone(status.Reasons())
		slices.Sort(reasons)
		answer.Statuses[name] = NodescopeStatus{Code: status.Code().String(), Plugin: status.Plugin(), Reasons: reasons}
	})
	if len(feasible) > 0 {
		return answer, j.score(ctx, state, c.Pod, feasible, answer)
	}
	return answer, j.preempt(ctx, state, c.Pod, diagnosis, answer)
}

func (j *NodescopeJudge) score(ctx context.Context, state fwk.CycleState, pod *v1.Pod, feasible []fwk.NodeInfo, answer *NodescopeAnswer) error {
	if len(feasible) == 1 {
		answer.Best = append(answer.Best, answer.Feasible...)
		return nil
	}
	scores, err := prioritizeNodes(ctx, nil, j.profile, state, pod, feasible)
	if err != nil {
		return err
	}
	best := int64(-1)
	for _, score := range scores {
		by := map[string]int64{}
		for _, each := range score.Scores {
			by[each.Name] = each.Score
		}
		answer.Scores[score.Name] = NodescopeScore{Total: score.TotalScore, ByPlugin: by}
		if score.TotalScore > best {
			best, answer.Best = score.TotalScore, nil
		}
		if score.TotalScore == best {
			answer.Best = append(answer.Best, score.Name)
		}
	}
	slices.Sort(answer.Best)
	return nil
}

// Enough choices that every candidate of a tie is chosen once: the order of a map decides.
const choices = 200

func (j *NodescopeJudge) preempt(ctx context.Context, state fwk.CycleState, pod *v1.Pod, diagnosis framework.Diagnosis, answer *NodescopeAnswer) error {
	if diagnosis.PreFilterMsg == "" {
		candidates, _ := j.evaluator.NodescopeCandidates(ctx, state, pod, diagnosis.NodeToStatus)
		chosen := sets.New[string]()
		for _, each := range candidates {
			victims := []string{}
			for _, victim := range each.Victims().Pods {
				victims = append(victims, string(victim.UID))
			}
			answer.Candidates = append(answer.Candidates, NodescopeCandidate{Node: each.Name(), Victims: victims, Violations: each.Victims().NumPDBViolations})
		}
		for i := 0; i < choices && len(candidates) > 0; i++ {
			chosen.Insert(j.evaluator.SelectCandidate(ctx, candidates).Name())
		}
		answer.Chosen = sets.List(chosen)
		slices.SortFunc(answer.Candidates, func(a, b NodescopeCandidate) int {
			if a.Node < b.Node {
				return -1
			}
			return 1
		})
	}
	result, status := j.profile.RunPostFilterPlugins(ctx, state, pod, diagnosis.NodeToStatus)
	diagnosis.PostFilterMsg = status.Message()
	if result != nil && result.NominatingInfo != nil {
		answer.Nominated = &result.NominatedNodeName
	}
	fit := &framework.FitError{Pod: pod, NumAllNodes: j.sched.nodeInfoSnapshot.NumNodes(), Diagnosis: diagnosis}
	answer.Message = fit.Error()
	answer.Plugins = sets.List(diagnosis.UnschedulablePlugins)
	answer.Preempted = j.preempted
	slices.Sort(answer.Preempted)
	return nil
}

type NodescopeHint struct {
	Pod      *v1.Pod  `json:"pod"`
	Plugins  []string `json:"plugins"`
	Old      *v1.Pod  `json:"old"`
	New      *v1.Pod  `json:"new"`
	OldNode  *v1.Node `json:"oldNode"`
	NewNode  *v1.Node `json:"newNode"`
	NodeOnly bool     `json:"nodeOnly"`
}

// Hints are the plugins that would put a pod that they rejected back into the queue after a change of one pod or node.
func (j *NodescopeJudge) Hints(h NodescopeHint) ([]string, error) {
	hints, err := buildQueueingHintMap(context.Background(), j.profile.EnqueueExtensions())
	if err != nil {
		return nil, err
	}
	var oldObject, newObject any
	var changes []fwk.ClusterEvent
	switch {
	case h.NodeOnly && h.OldNode != nil && h.NewNode != nil:
		oldObject, newObject = h.OldNode, h.NewNode
		changes = framework.NodeSchedulingPropertiesChange(h.NewNode, h.OldNode)
	case h.NodeOnly && h.NewNode != nil:
		newObject = h.NewNode
		changes = []fwk.ClusterEvent{{Resource: fwk.Node, ActionType: fwk.Add}}
	case h.NodeOnly:
		oldObject = h.OldNode
		changes = []fwk.ClusterEvent{{Resource: fwk.Node, ActionType: fwk.Delete}}
	case h.Old != nil && h.New != nil:
		oldObject, newObject = h.Old, h.New
		changes = framework.PodSchedulingPropertiesChange(h.New, h.Old)
	case h.New != nil:
		newObject = h.New
		changes = []fwk.ClusterEvent{framework.EventAssignedPodAdd}
	default:
		oldObject = h.Old
		changes = []fwk.ClusterEvent{framework.EventAssignedPodDelete}
	}
	found := sets.New[string]()
	for _, change := range changes {
		for registered, functions := range hints {
			if !framework.MatchClusterEvents(registered, change) {
				continue
			}
			for _, each := range functions {
				if !slices.Contains(h.Plugins, each.PluginName) {
					continue
				}
				hint, err := each.QueueingHintFn(klog.Background(), h.Pod, oldObject, newObject)
				if err != nil || hint == fwk.Queue {
					found.Insert(each.PluginName)
				}
			}
		}
	}
	return sets.List(found), nil
}
