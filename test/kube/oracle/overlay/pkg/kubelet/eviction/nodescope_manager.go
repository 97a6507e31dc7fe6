package eviction

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	statsapi "k8s.io/kubelet/pkg/apis/stats/v1alpha1"
	evictionapi "k8s.io/kubernetes/pkg/kubelet/eviction/api"
	"k8s.io/utils/clock"
)

// NodescopeStatements are the fields of a KubeletConfiguration.
type NodescopeStatements struct {
	Hard, Soft, Grace, Reclaim map[string]string
	Pods                       bool
}

func (s NodescopeStatements) parse() ([]evictionapi.Threshold, error) {
	enforced := []string{}
	if s.Pods {
		enforced = append(enforced, "pods")
	}
	return ParseThresholdConfig(enforced, s.Hard, s.Soft, s.Grace, s.Reclaim)
}

func valueText(value *evictionapi.ThresholdValue) string {
	if value == nil {
		return ""
	}
	if value.Quantity != nil {
		return value.Quantity.String()
	}
	return strconv.FormatFloat(float64(value.Percentage), 'g', -1, 64) + "%"
}

func thresholdText(t evictionapi.Threshold) string {
	return fmt.Sprintf("%s<%s %s %d", t.Signal, valueText(&t.Value), valueText(t.MinReclaim), t.GracePeriod)
}

// thresholdTexts leaves out what stands for a threshold that is not there.
func thresholdTexts(thresholds []evictionapi.Threshold) []string {
	texts := []string{}
	for _, t := range thresholds {
		if t.Operator != "" {
			texts = append(texts, thresholdText(t))
		}
	}
	return texts
}

// NodescopeParse is what the configuration comes to, sorted.
func NodescopeParse(s NodescopeStatements) (any, error) {
	thresholds, err := s.parse()
	if err != nil {
		return nil, err
	}
	texts := thresholdTexts(thresholds)
	sort.Strings(texts)
	return texts, nil
}

// NodescopeFs, and what follows, are the figures in Nodescope's names.
type NodescopeFs struct {
	Time                                     *int64
	AvailableBytes, CapacityBytes, UsedBytes *uint64
	InodesFree, Inodes, InodesUsed           *uint64
}

func timeOf(ms *int64) metav1.Time {
	if ms == nil {
		return metav1.Time{}
	}
	return metav1.NewTime(time.UnixMilli(*ms))
}

func (f *NodescopeFs) stats() *statsapi.FsStats {
	if f == nil {
		return nil
	}
	return &statsapi.FsStats{
		Time: timeOf(f.Time), AvailableBytes: f.AvailableBytes, CapacityBytes: f.CapacityBytes, UsedBytes: f.UsedBytes,
		InodesFree: f.InodesFree, Inodes: f.Inodes, InodesUsed: f.InodesUsed,
	}
}

type NodescopeMemory struct {
	Time                                        *int64
	AvailableBytes, WorkingSetBytes, UsageBytes *uint64
}

func (m *NodescopeMemory) stats() *statsapi.MemoryStats {
	if m == nil {
		return nil
	}
	return &statsapi.MemoryStats{
		Time: timeOf(m.Time), AvailableBytes: m.AvailableBytes, WorkingSetBytes: m.WorkingSetBytes, UsageBytes: m.UsageBytes,
	}
}

type NodescopeNode struct {
	Memory, PodsMemory           *NodescopeMemory
	NodeFs, ImageFs, ContainerFs *NodescopeFs
	Rlimit                       *struct {
		Time                     *int64
		MaxPid, RunningProcesses *int64
	}
}

type NodescopePod struct {
	Uid             string
	WorkingSetBytes *uint64
	Processes       *uint64
	Containers      []struct {
		Name            string
		WorkingSetBytes *uint64
		Rootfs, Logs    *NodescopeFs
	}
	Volumes []struct {
		Name                  string
		UsedBytes, InodesUsed *uint64
	}
	EphemeralStorageBytes *uint64
}

func (n NodescopeNode) summary(pods []NodescopePod) *statsapi.Summary {
	s := &statsapi.Summary{}
	s.Node.Memory = n.Memory.stats()
	if n.PodsMemory != nil {
		s.Node.SystemContainers = []statsapi.ContainerStats{{Name: statsapi.SystemContainerPods, Memory: n.PodsMemory.stats()}}
	}
	s.Node.Fs = n.NodeFs.stats()
	s.Node.Runtime = &statsapi.RuntimeStats{ImageFs: n.ImageFs.stats(), ContainerFs: n.ContainerFs.stats()}
	if r := n.Rlimit; r != nil {
		s.Node.Rlimit = &statsapi.RlimitStats{Time: timeOf(r.Time), MaxPID: r.MaxPid, NumOfRunningProcesses: r.RunningProcesses}
	}
	for _, p := range pods {
		stats := statsapi.PodStats{PodRef: statsapi.PodReference{UID: p.Uid}}
		if p.WorkingSetBytes != nil {
			stats.Memory = &statsapi.MemoryStats{WorkingSetBytes: p.WorkingSetBytes}
		}
		if p.Processes != nil {
			stats.ProcessStats = &statsapi.ProcessStats{ProcessCount: p.Processes}
		}
		if p.EphemeralStorageBytes != nil {
			stats.EphemeralStorage = &statsapi.FsStats{UsedBytes: p.EphemeralStorageBytes}
		}
		for _, c := range p.Containers {
			container := statsapi.ContainerStats{Name: c.Name, Rootfs: c.Rootfs.stats(), Logs: c.Logs.stats()}
			if c.WorkingSetBytes != nil {
				container.Memory = &statsapi.MemoryStats{WorkingSetBytes: c.WorkingSetBytes}
			}
			stats.Containers = append(stats.Containers, container)
		}
		for _, v := range p.Volumes {
			stats.VolumeStats = append(stats.VolumeStats, statsapi.VolumeStats{
				Name: v.Name, FsStats: statsapi.FsStats{UsedBytes: v.UsedBytes, InodesUsed: v.InodesUsed},
			})
		}
		s.Pods = append(s.Pods, stats)
	}
	return s
}

type NodescopeConfig struct {
	Statements           NodescopeStatements
	TransitionMs         int64
	MaxPodGrace          int64
	Isolation            bool
	ImageFs, ContainerFs bool
}

// NodescopeRound is a node as one round finds it.
type NodescopeRound struct {
	Node NodescopeNode
	Pods []NodescopePod
	// After the node-level reclaim; nil: as before.
	Reclaimed *NodescopeNode
	// Texts of errors; empty: none.
	StatsError, DeadError, ImageError string
	Specs                             []*v1.Pod
}

// NodescopeManager is a manager with everything around it, in one round after another.
type NodescopeManager struct {
	m       *managerImpl
	config  NodescopeConfig
	round   NodescopeRound
	reclaim []string
}

func (n *NodescopeManager) Get(context.Context, bool) (*statsapi.Summary, error) {
	if n.round.StatsError != "" {
		return nil, errors.New(n.round.StatsError)
	}
	if len(n.reclaim) > 0 && n.round.Reclaimed != nil {
		return n.round.Reclaimed.summary(n.round.Pods), nil
	}
	return n.round.Node.summary(n.round.Pods), nil
}

func (n *NodescopeManager) GetCPUAndMemoryStats(ctx context.Context) (*statsapi.Summary, error) {
	return n.Get(ctx, false)
}

func (n *NodescopeManager) HasDedicatedImageFs(context.Context) (bool, error) {
	return n.config.ImageFs, nil
}

func (n *NodescopeManager) HasDedicatedContainerFs(context.Context) (bool, error) {
	return n.config.ContainerFs, nil
}

func (n *NodescopeManager) reclaimed(kind, failure string) error {
	n.reclaim = append(n.reclaim, kind)
	if failure != "" {
		return errors.New(failure)
	}
	return nil
}

func (n *NodescopeManager) DeleteUnusedImages(context.Context) error {
	return n.reclaimed("unused images", n.round.ImageError)
}

func (n *NodescopeManager) DeleteAllUnusedContainers(context.Context) error {
	return n.reclaimed("dead containers", n.round.DeadError)
}

// NodescopeNewManager makes a manager as NewManager does.
func NodescopeNewManager(config NodescopeConfig, kill KillPodFunc, recorder record.EventRecorder) (*NodescopeManager, error) {
	thresholds, err := config.Statements.parse()
	if err != nil {
		return nil, err
	}
	n := &NodescopeManager{config: config}
	manager, _ := NewManager(n, Config{
		PressureTransitionPeriod: time.Duration(config.TransitionMs) * time.Millisecond,
		MaxPodGracePeriodSeconds: config.MaxPodGrace,
		Thresholds:               thresholds,
	}, kill, n, n, recorder, &v1.ObjectReference{Kind: "Node", Name: "node"}, clock.RealClock{}, config.Isolation)
	n.m = manager.(*managerImpl)
	return n, nil
}

// Round is one synchronize. Order: of the thresholds whose grace period has passed, which is that of a Go map.
func (n *NodescopeManager) Round(round NodescopeRound) (map[string]any, error) {
	n.round = round
	n.reclaim = []string{}
	evicted, err := n.m.synchronize(n, func() []*v1.Pod { return append([]*v1.Pod{}, round.Specs...) })
	if err != nil {
		return nil, err
	}
	uids := []string{}
	for _, pod := range evicted {
		uids = append(uids, string(pod.UID))
	}
	conditions := []string{}
	for _, condition := range n.m.nodeConditions {
		conditions = append(conditions, string(condition))
	}
	sort.Strings(conditions)
	configured := thresholdTexts(n.m.config.Thresholds)
	sort.Strings(configured)
	since := []string{}
	for t, at := range n.m.thresholdsFirstObservedAt {
		since = append(since, fmt.Sprintf("%s @%d", thresholdText(t), at.UnixMilli()))
	}
	sort.Strings(since)
	return map[string]any{
		"evicted": uids, "conditions": conditions, "order": thresholdTexts(n.m.thresholdsMet),
		"reclaims": n.reclaim, "thresholds": configured, "since": since,
	}, nil
}

// NodescopeRanking is a question about one ranking.
type NodescopeRanking struct {
	Signal               evictionapi.Signal
	ImageFs, ContainerFs bool
	Specs                []*v1.Pod
	Pods                 []NodescopePod
}

// Ranked are the UIDs, the first one to be evicted first.
func (r NodescopeRanking) Ranked() (any, error) {
	rank, ok := buildSignalToRankFunc(r.ImageFs, r.ContainerFs)[r.Signal]
	if !ok {
		return nil, errors.New("no ranking function")
	}
	_, stats := makeSignalObservations(NodescopeNode{}.summary(r.Pods))
	rank(r.Specs, stats)
	uids := []string{}
	for _, pod := range r.Specs {
		uids = append(uids, string(pod.UID))
	}
	return uids, nil
}

type nodescopeNotifiers struct{ set int64 }

func (f *nodescopeNotifiers) NewCgroupNotifier(_, _ string, threshold int64) (CgroupNotifier, error) {
	f.set = threshold
	return nodescopeSilent{}, nil
}

type nodescopeSilent struct{}

func (nodescopeSilent) Start(chan<- struct{}) {}
func (nodescopeSilent) Stop()                 {}

// NodescopeNotifier is a question about the notifiers of a configuration.
type NodescopeNotifier struct {
	Statements NodescopeStatements
	Node       NodescopeNode
}

// Notified is, for each memory threshold, its description and what its notifier waits for.
func (q NodescopeNotifier) Notified() (any, error) {
	thresholds, err := q.Statements.parse()
	if err != nil {
		return nil, err
	}
	texts := []string{}
	for _, t := range thresholds {
		if t.Signal != evictionapi.SignalMemoryAvailable && t.Signal != evictionapi.SignalAllocatableMemoryAvailable {
			continue
		}
		factory := &nodescopeNotifiers{}
		m := &linuxMemoryThresholdNotifier{threshold: t, factory: factory, events: make(chan struct{}), handler: func(string) {}}
		text := m.Description() + ": "
		if err := m.UpdateThreshold(q.Node.summary(nil)); err != nil {
			text += "error"
		} else {
			text += strconv.FormatInt(factory.set, 10)
		}
		texts = append(texts, text)
	}
	sort.Strings(texts)
	return texts, nil
}
