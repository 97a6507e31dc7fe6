package kubelet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/allocation"
	"k8s.io/kubernetes/pkg/kubelet/config"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	kubepod "k8s.io/kubernetes/pkg/kubelet/pod"
	"k8s.io/kubernetes/pkg/kubelet/podcertificate"
	"k8s.io/kubernetes/pkg/kubelet/prober"
	"k8s.io/kubernetes/pkg/kubelet/status"
	"k8s.io/kubernetes/pkg/kubelet/userns"
	testingclock "k8s.io/utils/clock/testing"
)

// NodescopeHandling is one thing that the sync loop hands to the kubelet, and how the rest answers meanwhile.
type NodescopeHandling struct {
	// additions, updates, removes, reconcile, syncs, died (the first container of the first pod) or cleanups
	Kind  string             `json:"kind"`
	Pods  []*v1.Pod          `json:"pods"`
	World nodescopeHandWorld `json:"world"`
}

type nodescopeHandWorld struct {
	States       nodescopeStates                `json:"states"`
	SourcesReady bool                           `json:"sourcesReady"`
	Refusals     map[types.UID]NodescopeFailure `json:"refusals"`
	// UIDs of which the cache has two dead containers, and of which it has an error.
	DeadUIDs   []types.UID `json:"dead"`
	UnreadUIDs []types.UID `json:"unread"`
	// UIDs of pods of which nothing has to be kept.
	Removable     []types.UID `json:"removable"`
	TerminatingOf []string    `json:"terminatingFullNames"`
	// What SyncKnownPods says: any state, since only the UIDs count.
	Working []types.UID           `json:"working"`
	Running []nodescopeRunningPod `json:"running"`
	// Whether the runtime lists its pods: "", "update" or "list" is where it fails.
	RuntimeFails string `json:"runtimeFails"`
}

// NodescopeCall is something that the kubelet asked of a part that is the harness'.
type NodescopeCall map[string]any

type nodescopeHandled struct {
	Calls   []NodescopeCall `json:"calls"`
	Pods    []string        `json:"pods"`
	Mirrors []string        `json:"mirrors"`
}

// nodescopeHands is a kubelet of which the pod manager, the allocation manager and the handlers are real.
type nodescopeHands struct {
	kl      *Kubelet
	world   nodescopeHandWorld
	calls   []NodescopeCall
	doomed  chan kubecontainer.ContainerID
	backOff *testingclock.FakeClock
}

// nodescopeNow is what the kubelet's clock says, in ms.
const nodescopeNow = 5000

func newNodescopeHands() (*nodescopeHands, error) {
	h := &nodescopeHands{
		kl:      &Kubelet{},
		doomed:  make(chan kubecontainer.ContainerID, 1000),
		backOff: testingclock.NewFakeClock(time.UnixMilli(0)),
	}
	kl := h.kl
	kl.clock = testingclock.NewFakeClock(time.UnixMilli(nodescopeNow))
	kl.nodeName = "node"
	// Nothing lies there.
	kl.rootDirectory = "/nonexistent/nodescope"
	kl.recorder = nodescopeHandRecorder{h}
	kl.podManager = kubepod.NewBasicPodManager()
	kl.podCertificateManager = &podcertificate.NoOpManager{}
	kl.podWorkers = nodescopeHandWorkers{h: h}
	kl.statusManager = nodescopeHandStatuses{h: h}
	kl.podCache = nodescopeHandCache{h: h}
	kl.runtimeCache = nodescopeHandRuntime{h}
	kl.probeManager = nodescopeHandProber{}
	kl.mirrorPodClient = nodescopeHandMirrors{h: h}
	kl.containerDeletor = &podContainerDeletor{worker: h.doomed, containersToKeep: 1}
	kl.sourcesReady = config.NewSourcesReady(func(sets.Set[string]) bool { return h.world.SourcesReady })
	kl.crashLoopBackOff = flowcontrol.NewBackOff(time.Second, time.Minute)
	kl.crashLoopBackOff.Clock = h.backOff
	kl.allocationManager = allocation.NewInMemoryManager(nil, kl.statusManager, func(*v1.Pod) {},
		kl.GetActivePods, kl.podManager.GetPodByUID, kl.sourcesReady)
	kl.allocationManager.AddPodAdmitHandlers(lifecycle.PodAdmitHandlers{nodescopeHandAdmission{h}})
	made, err := userns.MakeUserNsManager(nodescopeNoUserNs{})
	kl.usernsManager = made
	return h, err
}

// NodescopeHandle hands the operations to a new kubelet and says what it did with each of them.
func NodescopeHandle(with json.RawMessage) (any, error) {
	var operations []NodescopeHandling
	if err := json.Unmarshal(with, &operations); err != nil {
		return nil, err
	}
	h, err := newNodescopeHands()
	if err != nil {
		return nil, err
	}
	seen := make([]nodescopeHandled, 0, len(operations))
	for _, operation := range operations {
		if err := h.take(operation); err != nil {
			return nil, err
		}
		seen = append(seen, h.look())
	}
	return seen, nil
}

func (h *nodescopeHands) take(o NodescopeHandling) error {
	h.world, h.calls = o.World, []NodescopeCall{}
	switch o.Kind {
	case "additions":
		h.kl.HandlePodAdditions(o.Pods)
	case "updates":
		h.kl.HandlePodUpdates(o.Pods)
	case "removes":
		h.kl.HandlePodRemoves(o.Pods)
	case "reconcile":
		h.kl.HandlePodReconcile(o.Pods)
	case "syncs":
		h.kl.HandlePodSyncs(o.Pods)
	case "died":
		uid := o.Pods[0].UID
		h.kl.cleanUpContainersInPod(uid, string(uid)+"/0")
	case "cleanups":
		// One that is long over: it goes where back-offs are cleaned up.
		h.kl.crashLoopBackOff.Next("over", h.backOff.Now())
		h.backOff.Step(3 * time.Minute)
		// Its error is logged only.
		_ = h.kl.HandlePodCleanups(context.Background())
		if h.kl.crashLoopBackOff.Get("over") == 0 {
			h.record(NodescopeCall{"call": "collectGarbage"})
		}
	default:
		return fmt.Errorf("the kubelet does not handle %q", o.Kind)
	}
	h.drain()
	return nil
}

func (h *nodescopeHands) record(call NodescopeCall) {
	h.drain()
	h.calls = append(h.calls, call)
}

// drain puts the containers that are to be deleted among the calls: one entry where both of a pod go.
func (h *nodescopeHands) drain() {
	before := ""
	for len(h.doomed) > 0 {
		id := (<-h.doomed).ID
		uid, _, _ := strings.Cut(id, "/")
		if last := len(h.calls) - 1; before != "" && before != id && strings.HasPrefix(before, uid+"/") {
			h.calls[last]["all"] = true
			before = ""
			continue
		}
		h.calls = append(h.calls, NodescopeCall{"call": "deleteContainers", "uid": uid, "all": false})
		before = id
	}
}

func (h *nodescopeHands) look() nodescopeHandled {
	pods, mirrors, _ := h.kl.podManager.GetPodsAndMirrorPods()
	return nodescopeHandled{h.calls, nodescopeVersions(pods), nodescopeVersions(mirrors)}
}

func nodescopeVersions(pods []*v1.Pod) []string {
	all := make([]string, 0, len(pods))
	for _, pod := range pods {
		all = append(all, nodescopeVersion(pod))
	}
	slices.Sort(all)
	return all
}

type nodescopeHandWorkers struct {
	PodWorkers
	h *nodescopeHands
}

func (w nodescopeHandWorkers) UpdatePod(o UpdatePodOptions) {
	call := NodescopeCall{
		"call": "updatePod", "updateType": o.UpdateType.String(),
		"pod": nodescopeVersion(o.Pod), "mirrorPod": nodescopeVersion(o.MirrorPod),
		"runningPod": "", "startTime": nil, "grace": nil,
	}
	if o.RunningPod != nil {
		call["runningPod"] = o.RunningPod.ID
	}
	if !o.StartTime.IsZero() {
		call["startTime"] = o.StartTime.UnixMilli()
	}
	if kill := o.KillPodOptions; kill != nil {
		if kill.CompletedCh != nil || kill.Evict || kill.PodStatusFunc != nil {
			panic("a kill that no handler asks for")
		}
		call["grace"] = kill.PodTerminationGracePeriodSecondsOverride
	}
	w.h.record(call)
}

func (w nodescopeHandWorkers) SyncKnownPods(desired []*v1.Pod) map[types.UID]PodWorkerSync {
	w.h.record(NodescopeCall{"call": "syncKnownPods", "pods": nodescopeVersions(desired)})
	known := map[types.UID]PodWorkerSync{}
	for _, uid := range w.h.world.Working {
		known[uid] = PodWorkerSync{State: SyncPod}
	}
	return known
}

func (w nodescopeHandWorkers) IsPodKnownTerminated(uid types.UID) bool {
	return w.h.world.States[uid].KnownTerminated
}

func (w nodescopeHandWorkers) IsPodTerminationRequested(uid types.UID) bool {
	return w.h.world.States[uid].TerminationRequested
}

func (w nodescopeHandWorkers) IsPodForMirrorPodTerminatingByFullName(fullName string) bool {
	return slices.Contains(w.h.world.TerminatingOf, fullName)
}

func (w nodescopeHandWorkers) ShouldPodContentBeRemoved(uid types.UID) bool {
	return slices.Contains(w.h.world.Removable, uid)
}

type nodescopeHandStatuses struct {
	status.Manager
	h *nodescopeHands
}

func (s nodescopeHandStatuses) GetPodStatus(uid types.UID) (v1.PodStatus, bool) {
	return nodescopeStateStatuses{states: s.h.world.States}.GetPodStatus(uid)
}

func (s nodescopeHandStatuses) SetPodStatus(_ klog.Logger, pod *v1.Pod, status v1.PodStatus) {
	s.h.record(NodescopeCall{"call": "setPodStatus", "pod": nodescopeVersion(pod), "status": status})
}

func (s nodescopeHandStatuses) RemoveOrphanedStatuses(_ klog.Logger, uids map[types.UID]bool) {
	all := []string{}
	for uid := range uids {
		all = append(all, string(uid))
	}
	slices.Sort(all)
	s.h.record(NodescopeCall{"call": "removeOrphanedStatuses", "uids": all})
}

// Nothing is resized.
func (nodescopeHandStatuses) BackfillPodResizeConditions([]*v1.Pod)               {}
func (nodescopeHandStatuses) ClearPodResizePendingCondition(types.UID)            {}
func (nodescopeHandStatuses) GetPodResizeConditions(types.UID) []*v1.PodCondition { return nil }

type nodescopeHandCache struct {
	kubecontainer.Cache
	h *nodescopeHands
}

func (c nodescopeHandCache) Get(uid types.UID) (*kubecontainer.PodStatus, error) {
	if slices.Contains(c.h.world.UnreadUIDs, uid) {
		return nil, errors.New("runtime is down")
	}
	found := &kubecontainer.PodStatus{ID: uid}
	if slices.Contains(c.h.world.DeadUIDs, uid) {
		for _, which := range []string{"0", "1"} {
			found.ContainerStatuses = append(found.ContainerStatuses, &kubecontainer.Status{
				ID: kubecontainer.ContainerID{Type: "t", ID: string(uid) + "/" + which}, Name: "c",
				State: kubecontainer.ContainerStateExited,
			})
		}
	}
	return found, nil
}

type nodescopeHandRuntime struct{ h *nodescopeHands }

func (r nodescopeHandRuntime) ForceUpdateIfOlder(context.Context, time.Time) error {
	if r.h.world.RuntimeFails == "update" {
		return errors.New("runtime is down")
	}
	return nil
}

func (r nodescopeHandRuntime) GetPods(context.Context) ([]*kubecontainer.Pod, error) {
	if r.h.world.RuntimeFails == "list" {
		return nil, errors.New("runtime is down")
	}
	pods := []*kubecontainer.Pod{}
	for _, running := range r.h.world.Running {
		pods = append(pods, &kubecontainer.Pod{ID: running.UID, Name: running.Name, Namespace: running.Namespace})
	}
	return pods, nil
}

type nodescopeHandProber struct{ prober.Manager }

func (nodescopeHandProber) CleanupPods(map[types.UID]sets.Empty) {}

// nodescopeHandMirrors answers as the harness says, which registration sets.
type nodescopeHandMirrors struct {
	h        *nodescopeHands
	register *nodescopeRegistering
}

func (m nodescopeHandMirrors) CreateMirrorPod(_ context.Context, pod *v1.Pod) error {
	m.record(NodescopeCall{"call": "createMirrorPod", "fullName": kubecontainer.GetPodFullName(pod), "pod": nodescopeVersion(pod)})
	return nil
}

func (m nodescopeHandMirrors) DeleteMirrorPod(_ context.Context, fullName string, uid *types.UID) (bool, error) {
	m.record(NodescopeCall{"call": "deleteMirrorPod", "fullName": fullName, "uid": uid})
	if m.register == nil {
		return true, nil
	}
	return !slices.Contains(m.register.Kept, fullName), nil
}

func (m nodescopeHandMirrors) record(call NodescopeCall) {
	if m.register != nil {
		call["at"] = time.Since(m.register.start).Milliseconds()
	}
	m.h.record(call)
}

type nodescopeHandAdmission struct{ h *nodescopeHands }

func (a nodescopeHandAdmission) Admit(attrs *lifecycle.PodAdmitAttributes) lifecycle.PodAdmitResult {
	a.h.record(NodescopeCall{
		"call": "admit", "pod": nodescopeVersion(attrs.Pod), "others": nodescopeVersions(attrs.OtherPods),
	})
	if refusal, ok := a.h.world.Refusals[attrs.Pod.UID]; ok {
		return lifecycle.PodAdmitResult{Reason: refusal.Reason, Message: refusal.Message}
	}
	return lifecycle.PodAdmitResult{Admit: true}
}

type nodescopeHandRecorder struct{ h *nodescopeHands }

func (r nodescopeHandRecorder) Event(object kruntime.Object, kind, reason, message string) {
	r.h.record(NodescopeCall{
		"call": "event", "pod": nodescopeVersion(object.(*v1.Pod)), "type": kind, "reason": reason, "message": message,
	})
}

func (r nodescopeHandRecorder) Eventf(object kruntime.Object, kind, reason, format string, args ...any) {
	r.Event(object, kind, reason, fmt.Sprintf(format, args...))
}

func (r nodescopeHandRecorder) AnnotatedEventf(object kruntime.Object, _ map[string]string, kind, reason, format string, args ...any) {
	r.Eventf(object, kind, reason, format, args...)
}

type nodescopeNoUserNs struct{}

func (nodescopeNoUserNs) HandlerSupportsUserNamespaces(string) (bool, error) { return false, nil }
func (nodescopeNoUserNs) GetPodDir(types.UID) string                         { return "" }
func (nodescopeNoUserNs) ListPodsFromDisk() ([]types.UID, error)             { return nil, nil }
func (nodescopeNoUserNs) GetKubeletMappings() (uint32, uint32, error)        { return 1 << 16, 110 << 16, nil }
func (nodescopeNoUserNs) GetMaxPods() int                                    { return 110 }
func (nodescopeNoUserNs) GetUserNamespacesIDsPerPod() uint32                 { return 1 << 16 }

// nodescopeRegistering is a kubelet that has just started: what it knows, and when it sees its Node.
type nodescopeRegistering struct {
	Pods []*v1.Pod `json:"pods"`
	// In ms; nil: never.
	NodeAt     *int64 `json:"nodeAt"`
	IsDeleting bool   `json:"isDeleting"`
	// Full names of mirrors that are not deleted.
	Kept  []string `json:"kept"`
	start time.Time
}

func (r *nodescopeRegistering) List(labels.Selector) ([]*v1.Node, error) { return nil, nil }

func (r *nodescopeRegistering) Get(name string) (*v1.Node, error) {
	if r.NodeAt == nil || time.Since(r.start).Milliseconds() < *r.NodeAt {
		return nil, apierrors.NewNotFound(v1.Resource("nodes"), name)
	}
	node := &v1.Node{}
	node.Name, node.UID = name, "node-uid"
	if r.IsDeleting {
		now := node.CreationTimestamp
		node.DeletionTimestamp = &now
	}
	return node, nil
}

// NodescopeRegister is what a kubelet does for the mirrors of its static pods in the first second after its start. It
// has to be called within a synctest bubble.
func NodescopeRegister(with json.RawMessage) (any, error) {
	register := &nodescopeRegistering{start: time.Now()}
	if err := json.Unmarshal(with, register); err != nil {
		return nil, err
	}
	h, err := newNodescopeHands()
	if err != nil {
		return nil, err
	}
	h.calls = []NodescopeCall{}
	h.kl.kubeClient = fake.NewClientset()
	h.kl.nodeLister = register
	h.kl.mirrorPodClient = nodescopeHandMirrors{h, register}
	h.kl.podManager.SetPods(register.Pods)
	ctx, cancel := context.WithCancel(context.Background())
	go h.kl.fastStaticPodsRegistration(ctx)
	time.Sleep(time.Second)
	synctest.Wait()
	calls := h.calls
	// It goes on with what it has.
	cancel()
	synctest.Wait()
	return calls, nil
}
