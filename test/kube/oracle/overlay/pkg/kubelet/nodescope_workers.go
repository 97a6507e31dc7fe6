package kubelet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/kubernetes/pkg/kubelet/allocation"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"
	"k8s.io/kubernetes/pkg/kubelet/util/queue"
	"k8s.io/utils/clock"
)

// NodescopeOperation is one thing that happens to the pod workers. Kind says which fields count.
type NodescopeOperation struct {
	Kind string `json:"kind"`
	// update, killNow
	UpdateType string                `json:"updateType"`
	Pod        *v1.Pod               `json:"pod"`
	MirrorPod  *v1.Pod               `json:"mirrorPod"`
	RunningPod *nodescopeRunningPod  `json:"runningPod"`
	Kill       *nodescopeKillOptions `json:"kill"`
	StartTime  *int64                `json:"startTime"`
	// known: what is desired. IsClosedLeft: workers that were forgotten do not run before the next operation.
	UIDs         []types.UID `json:"uids"`
	IsClosedLeft bool        `json:"isClosedLeft"`
	// IsInOneTurn: no worker runs before the next operation.
	IsInOneTurn bool `json:"isInOneTurn"`
	// end, answer: the how manieth of those that wait, by uid.
	Which   int    `json:"which"`
	Outcome string `json:"outcome"`
	// runtime, slow
	UID     types.UID `json:"uid"`
	Content string    `json:"content"`
	IsSlow  bool      `json:"isSlow"`
	// tick
	AfterMs int64 `json:"afterMs"`
}

type nodescopeRunningPod struct {
	UID       types.UID `json:"uid"`
	Name      string    `json:"name"`
	Namespace string    `json:"namespace"`
}

type nodescopeKillOptions struct {
	IsAwaited  bool   `json:"isAwaited"`
	StatusFunc string `json:"statusFunc"`
	Evict      bool   `json:"evict"`
	Override   *int64 `json:"override"`
}

type nodescopeUpdate struct {
	UpdateType string                   `json:"updateType"`
	Pod        string                   `json:"pod"`
	MirrorPod  string                   `json:"mirrorPod"`
	RunningPod string                   `json:"runningPod"`
	Kill       *nodescopeKillRemembered `json:"kill"`
	StartTime  *int64                   `json:"startTime"`
}

type nodescopeKillRemembered struct {
	Evict    bool   `json:"evict"`
	Override *int64 `json:"override"`
}

type nodescopeRecord struct {
	FullName           string           `json:"fullName"`
	HasChannel         bool             `json:"hasChannel"`
	HasContext         bool             `json:"hasContext"`
	IsCancelled        bool             `json:"isCancelled"`
	Working            bool             `json:"working"`
	Pending            *nodescopeUpdate `json:"pending"`
	Active             *nodescopeUpdate `json:"active"`
	SyncedAt           *int64           `json:"syncedAt"`
	StartedAt          *int64           `json:"startedAt"`
	TerminatingAt      *int64           `json:"terminatingAt"`
	TerminatedAt       *int64           `json:"terminatedAt"`
	GracePeriod        int64            `json:"gracePeriod"`
	Awaited            int              `json:"awaited"`
	StatusFuncs        []string         `json:"statusFuncs"`
	StartedTerminating bool             `json:"startedTerminating"`
	Deleted            bool             `json:"deleted"`
	Evicted            bool             `json:"evicted"`
	Finished           bool             `json:"finished"`
	RestartRequested   bool             `json:"restartRequested"`
	ObservedRuntime    bool             `json:"observedRuntime"`
}

type nodescopeKnown struct {
	State     string `json:"state"`
	Orphan    bool   `json:"orphan"`
	HasConfig bool   `json:"hasConfig"`
	Static    bool   `json:"static"`
}

type nodescopeOpen struct {
	UID         types.UID `json:"uid"`
	Kind        string    `json:"kind"`
	IsCancelled bool      `json:"isCancelled"`
}

// nodescopeKilled is what came of killPodNow; empty while it waits.
type nodescopeKilled struct {
	Result string `json:"result"`
	At     *int64 `json:"at"`
}

// nodescopeGiven is what a fake was called with.
type nodescopeGiven struct {
	UID        types.UID `json:"uid"`
	Kind       string    `json:"kind"`
	UpdateType string    `json:"updateType"`
	Pod        string    `json:"pod"`
	MirrorPod  string    `json:"mirrorPod"`
	RunningPod string    `json:"runningPod"`
	Status     string    `json:"status"`
	Grace      *int64    `json:"grace"`
	StatusFunc string    `json:"statusFunc"`
	// The time that the cache's answer has to be newer than; nil: any.
	NewerThan *int64 `json:"newerThan"`
}

type nodescopeSeen struct {
	Records   map[types.UID]nodescopeRecord `json:"records"`
	Started   map[string]types.UID          `json:"started"`
	Waiting   map[string][]types.UID        `json:"waiting"`
	Due       map[types.UID]int64           `json:"due"`
	Open      []nodescopeOpen               `json:"open"`
	Given     []nodescopeGiven              `json:"given"`
	Told      []int                         `json:"told"`
	KillsNow  []nodescopeKilled             `json:"killsNow"`
	Events    []string                      `json:"events"`
	Known     map[types.UID]nodescopeKnown  `json:"known"`
	Work      []types.UID                   `json:"work"`
	Questions map[types.UID][]bool          `json:"questions"`
	Mirrors   []string                      `json:"mirrors"`
}

// NodescopeWorkers runs operations on real pod workers whose syncer, cache and recorder are the harness'. Everything
// has to be called from within one synctest bubble: its clock is the workers' clock.
type NodescopeWorkers struct {
	allocationManager allocation.Manager
}

// NewNodescopeWorkers is to be called within the bubble too.
func NewNodescopeWorkers() *NodescopeWorkers {
	return &NodescopeWorkers{allocationManager: allocation.NewInMemoryManager(nil, nil, nil, nil, nil, nil)}
}

// Run takes new workers through the operations and says what is seen after each of them.
func (n *NodescopeWorkers) Run(with json.RawMessage) (any, error) {
	var asked struct {
		UIDs       []types.UID          `json:"uids"`
		FullNames  []string             `json:"fullNames"`
		Operations []NodescopeOperation `json:"operations"`
	}
	if err := json.Unmarshal(with, &asked); err != nil {
		return nil, err
	}
	world := newNodescopeWorld(n.allocationManager)
	defer world.end()
	seen := make([]nodescopeSeen, 0, len(asked.Operations))
	for _, operation := range asked.Operations {
		if err := world.take(operation); err != nil {
			return nil, err
		}
		seen = append(seen, world.look(asked.UIDs, asked.FullNames))
	}
	return seen, nil
}

// nodescopeCall is a fake that has been called and does not return before the harness says so.
type nodescopeCall struct {
	uid    types.UID
	kind   string
	ctx    context.Context
	given  nodescopeGiven
	answer chan string
	isOpen bool
}

// nodescopeWorker is a worker's goroutine as seen from outside: what rings lies in in, and gets to it by out only when
// the harness hands it over. Thus every interleaving of operations and workers is chosen, none happens by chance.
type nodescopeWorker struct {
	uid    types.UID
	in     chan struct{}
	out    chan struct{}
	call   *nodescopeCall
	isGone bool
}

type nodescopeWorld struct {
	workers   *podWorkers
	start     time.Time
	queue     *nodescopeQueue
	loops     []*nodescopeWorker
	rung      []types.UID
	calls     []*nodescopeCall
	contents  map[types.UID]string
	slow      map[types.UID]bool
	config    map[types.UID]*v1.Pod
	awaited   []chan struct{}
	killsNow  []nodescopeKilled
	events    []string
	recording sync.Mutex
	known     map[types.UID]nodescopeKnown
	work      []types.UID
	over      chan struct{}
}

func newNodescopeWorld(allocationManager allocation.Manager) *nodescopeWorld {
	w := &nodescopeWorld{
		start:    time.Now(),
		contents: map[types.UID]string{},
		slow:     map[types.UID]bool{},
		config:   map[types.UID]*v1.Pod{},
		killsNow: []nodescopeKilled{},
		over:     make(chan struct{}),
	}
	w.queue = &nodescopeQueue{real: queue.NewBasicWorkQueue(clock.RealClock{}), due: map[types.UID]time.Time{}}
	made := newPodWorkers(nodescopeSyncer{w}, nodescopeRecorder{w}, w.queue, time.Minute, 10*time.Second,
		nodescopeCache{w}, allocationManager)
	w.workers = made.(*podWorkers)
	w.workers.workerChannelFn = func(uid types.UID, in chan struct{}) <-chan struct{} {
		loop := &nodescopeWorker{uid: uid, in: in, out: make(chan struct{})}
		w.loops = append(w.loops, loop)
		return loop.out
	}
	return w
}

// end lets every goroutine of this world go.
func (w *nodescopeWorld) end() {
	close(w.over)
	for _, loop := range w.loops {
		if !loop.isGone {
			close(loop.out)
		}
	}
	// Whoever still waits for a kill is told, by the time.
	time.Sleep(time.Hour)
	synctest.Wait()
}

func (w *nodescopeWorld) ms(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	ms := t.Sub(w.start).Milliseconds()
	return &ms
}

// settle lets everything run that can run: each worker that waits takes its ring, those first that were told first.
func (w *nodescopeWorld) settle() {
	synctest.Wait()
	for _, uid := range w.rung {
		for _, loop := range w.loops {
			if loop.uid == uid {
				w.hand(loop)
			}
		}
	}
	w.rung = nil
	for isDone := false; !isDone; {
		isDone = true
		for _, loop := range w.loops {
			if w.hand(loop) {
				isDone = false
			}
		}
	}
	w.loops = slices.DeleteFunc(w.loops, func(loop *nodescopeWorker) bool { return loop.isGone })
}

// hand gives a worker that waits the ring that lies there. False: there was nothing to hand over.
func (w *nodescopeWorld) hand(loop *nodescopeWorker) bool {
	if loop.isGone || loop.call != nil {
		return false
	}
	select {
	case _, ok := <-loop.in:
		if !ok {
			loop.isGone = true
			close(loop.out)
			synctest.Wait()
			return true
		}
		w.follow(loop, func() {
			select {
			case loop.out <- struct{}{}:
			default:
				// It has returned and left a ring.
				loop.isGone = true
			}
		})
		return true
	default:
		return false
	}
}

// follow does what lets one worker run, until that worker waits again: for a ring or in a fake.
func (w *nodescopeWorld) follow(loop *nodescopeWorker, do func()) {
	before := len(w.calls)
	do()
	synctest.Wait()
	loop.call = nil
	for _, call := range w.calls[before:] {
		if call.isOpen {
			loop.call = call
		}
	}
}

// handClosed lets workers that were forgotten find that out.
func (w *nodescopeWorld) handClosed() {
	for _, loop := range w.loops {
		if current, ok := w.workers.podUpdates[loop.uid]; ok && current == loop.in {
			continue
		}
		for w.hand(loop) {
		}
	}
}

func (w *nodescopeWorld) take(o NodescopeOperation) error {
	w.known, w.work, w.events = nil, []types.UID{}, []string{}
	for _, call := range w.calls {
		call.given = nodescopeGiven{}
	}
	w.calls = slices.DeleteFunc(w.calls, func(call *nodescopeCall) bool { return !call.isOpen })
	switch o.Kind {
	case "update":
		w.update(o)
	case "known":
		w.syncKnownPods(o)
	case "killNow":
		w.killNow(o)
	case "end", "answer", "runtime", "slow", "tick":
		w.settle()
		w.takeSettled(o)
	default:
		return fmt.Errorf("pod workers do not know the operation %q", o.Kind)
	}
	if !o.IsInOneTurn {
		w.settle()
	}
	return nil
}

func (w *nodescopeWorld) takeSettled(o NodescopeOperation) {
	switch o.Kind {
	case "end":
		w.answer(o.Which, o.Outcome, func(kind string) bool { return kind != "cache" })
	case "answer":
		w.answer(o.Which, "", func(kind string) bool { return kind == "cache" })
	case "runtime":
		w.contents[o.UID] = o.Content
	case "slow":
		w.slow[o.UID] = o.IsSlow
	case "tick":
		w.tick(time.Duration(o.AfterMs) * time.Millisecond)
	}
}

func (w *nodescopeWorld) update(o NodescopeOperation) {
	options := UpdatePodOptions{UpdateType: nodescopeUpdateType(o.UpdateType), Pod: o.Pod, MirrorPod: o.MirrorPod}
	if running := o.RunningPod; running != nil {
		options.RunningPod = &kubecontainer.Pod{ID: running.UID, Name: running.Name, Namespace: running.Namespace}
	}
	if o.StartTime != nil {
		options.StartTime = w.start.Add(time.Duration(*o.StartTime) * time.Millisecond)
	}
	if o.Kill != nil {
		options.KillPodOptions = w.killOptions(*o.Kill)
	}
	if o.Pod != nil && options.UpdateType != kubetypes.SyncPodKill {
		w.config[o.Pod.UID] = o.Pod
	}
	w.tell(options)
}

func (w *nodescopeWorld) tell(options UpdatePodOptions) {
	if options.Pod != nil {
		w.rung = append(w.rung, options.Pod.UID)
	} else {
		w.rung = append(w.rung, options.RunningPod.ID)
	}
	w.workers.UpdatePod(options)
}

func (w *nodescopeWorld) killOptions(kill nodescopeKillOptions) *KillPodOptions {
	options := &KillPodOptions{Evict: kill.Evict, PodTerminationGracePeriodSecondsOverride: kill.Override}
	if kill.IsAwaited {
		completed := make(chan struct{})
		w.awaited = append(w.awaited, completed)
		options.CompletedCh = completed
	}
	if label := kill.StatusFunc; label != "" {
		options.PodStatusFunc = func(status *v1.PodStatus) { status.Reason = label }
	}
	return options
}

func (w *nodescopeWorld) killNow(o NodescopeOperation) {
	kill := killPodNow(w.workers, nodescopeRecorder{w})
	index := len(w.killsNow)
	w.killsNow = append(w.killsNow, nodescopeKilled{})
	w.rung = append(w.rung, o.Pod.UID)
	options := w.killOptions(*o.Kill)
	go func() {
		err := kill(o.Pod, options.Evict, options.PodTerminationGracePeriodSecondsOverride, options.PodStatusFunc)
		w.killsNow[index] = nodescopeKilled{"killed", w.ms(time.Now())}
		if err != nil {
			w.killsNow[index].Result = err.Error()
		}
	}()
	synctest.Wait()
}

func (w *nodescopeWorld) syncKnownPods(o NodescopeOperation) {
	desired := make([]*v1.Pod, len(o.UIDs))
	for i, uid := range o.UIDs {
		desired[i] = &v1.Pod{}
		desired[i].UID = uid
	}
	w.known = map[types.UID]nodescopeKnown{}
	for uid, sync := range w.workers.SyncKnownPods(desired) {
		w.known[uid] = nodescopeKnown{sync.State.String(), sync.Orphan, sync.HasConfig, sync.Static}
	}
	if !o.IsClosedLeft {
		w.handClosed()
	}
}

// answer lets one of the fakes that are open return.
func (w *nodescopeWorld) answer(which int, outcome string, isMeant func(kind string) bool) {
	var open []*nodescopeWorker
	for _, loop := range w.loops {
		if loop.call != nil && isMeant(loop.call.kind) {
			open = append(open, loop)
		}
	}
	if len(open) == 0 {
		return
	}
	slices.SortStableFunc(open, func(a, b *nodescopeWorker) int { return strings.Compare(string(a.uid), string(b.uid)) })
	loop := open[which%len(open)]
	call := loop.call
	call.isOpen = false
	w.follow(loop, func() { call.answer <- outcome })
}

// tick is the sync loop's: what is due and still configured is synced.
func (w *nodescopeWorld) tick(after time.Duration) {
	time.Sleep(after)
	synctest.Wait()
	w.work = append(w.work, w.queue.GetWork()...)
	for _, uid := range w.work {
		if pod := w.config[uid]; pod != nil {
			w.tell(UpdatePodOptions{UpdateType: kubetypes.SyncPodSync, Pod: pod})
		}
	}
}

func (w *nodescopeWorld) look(uids []types.UID, fullNames []string) nodescopeSeen {
	p := w.workers
	seen := nodescopeSeen{
		Records:   map[types.UID]nodescopeRecord{},
		Started:   maps.Clone(p.startedStaticPodsByFullname),
		Waiting:   maps.Clone(p.waitingToStartStaticPodsByFullname),
		Due:       map[types.UID]int64{},
		Open:      []nodescopeOpen{},
		Given:     []nodescopeGiven{},
		Told:      []int{},
		KillsNow:  slices.Clone(w.killsNow),
		Events:    w.events,
		Known:     w.known,
		Work:      w.work,
		Questions: map[types.UID][]bool{},
		Mirrors:   []string{},
	}
	for uid, status := range p.podSyncStatuses {
		seen.Records[uid] = w.record(uid, status)
	}
	for uid, due := range w.queue.due {
		seen.Due[uid] = *w.ms(due)
	}
	for _, call := range w.calls {
		if call.isOpen {
			isCancelled := call.ctx != nil && call.ctx.Err() != nil
			seen.Open = append(seen.Open, nodescopeOpen{call.uid, call.kind, isCancelled})
		}
		if call.given.Kind != "" {
			seen.Given = append(seen.Given, call.given)
		}
	}
	for i, completed := range w.awaited {
		select {
		case <-completed:
			seen.Told = append(seen.Told, i)
		default:
		}
	}
	for _, uid := range uids {
		seen.Questions[uid] = []bool{
			p.IsPodKnownTerminated(uid), p.CouldHaveRunningContainers(uid), p.ShouldPodBeFinished(uid),
			p.IsPodTerminationRequested(uid), p.ShouldPodContainersBeTerminating(uid),
			p.ShouldPodRuntimeBeRemoved(uid), p.ShouldPodContentBeRemoved(uid),
		}
	}
	for _, name := range fullNames {
		if p.IsPodForMirrorPodTerminatingByFullName(name) {
			seen.Mirrors = append(seen.Mirrors, name)
		}
	}
	return seen
}

func (w *nodescopeWorld) record(uid types.UID, s *podSyncStatus) nodescopeRecord {
	_, hasChannel := w.workers.podUpdates[uid]
	labels := []string{}
	for _, fn := range s.statusPostTerminating {
		labels = append(labels, nodescopeLabel(fn))
	}
	return nodescopeRecord{
		FullName:           s.fullname,
		HasChannel:         hasChannel,
		HasContext:         s.ctx != nil,
		IsCancelled:        s.ctx != nil && s.ctx.Err() != nil,
		Working:            s.working,
		Pending:            w.remembered(s.pendingUpdate),
		Active:             w.remembered(s.activeUpdate),
		SyncedAt:           w.ms(s.syncedAt),
		StartedAt:          w.ms(s.startedAt),
		TerminatingAt:      w.ms(s.terminatingAt),
		TerminatedAt:       w.ms(s.terminatedAt),
		GracePeriod:        s.gracePeriod,
		Awaited:            len(s.notifyPostTerminating),
		StatusFuncs:        labels,
		StartedTerminating: s.startedTerminating,
		Deleted:            s.deleted,
		Evicted:            s.evicted,
		Finished:           s.finished,
		RestartRequested:   s.restartRequested,
		ObservedRuntime:    s.observedRuntime,
	}
}

func (w *nodescopeWorld) remembered(u *UpdatePodOptions) *nodescopeUpdate {
	if u == nil {
		return nil
	}
	said := &nodescopeUpdate{
		UpdateType: u.UpdateType.String(),
		Pod:        nodescopeVersion(u.Pod),
		MirrorPod:  nodescopeVersion(u.MirrorPod),
		StartTime:  w.ms(u.StartTime),
	}
	if u.RunningPod != nil {
		said.RunningPod = u.RunningPod.Name
	}
	if kill := u.KillPodOptions; kill != nil {
		said.Kill = &nodescopeKillRemembered{kill.Evict, kill.PodTerminationGracePeriodSecondsOverride}
	}
	return said
}

// nodescopeVersion tells the pods of one uid apart.
func nodescopeVersion(pod *v1.Pod) string {
	if pod == nil {
		return ""
	}
	return pod.ResourceVersion
}

func nodescopeLabel(fn func(*v1.PodStatus)) string {
	if fn == nil {
		return ""
	}
	var status v1.PodStatus
	fn(&status)
	return status.Reason
}

func nodescopeUpdateType(word string) kubetypes.SyncPodType {
	for _, each := range []kubetypes.SyncPodType{
		kubetypes.SyncPodSync, kubetypes.SyncPodUpdate, kubetypes.SyncPodCreate, kubetypes.SyncPodKill,
	} {
		if each.String() == word {
			return each
		}
	}
	panic("no update is of type " + word)
}

// called notes what a fake was given.
func (w *nodescopeWorld) called(ctx context.Context, given nodescopeGiven) *nodescopeCall {
	call := &nodescopeCall{uid: given.UID, kind: given.Kind, ctx: ctx, given: given, answer: make(chan string)}
	w.recording.Lock()
	defer w.recording.Unlock()
	w.calls = append(w.calls, call)
	return call
}

// wait holds the worker in its fake until the harness answers.
func (w *nodescopeWorld) wait(call *nodescopeCall) string {
	call.isOpen = true
	select {
	case outcome := <-call.answer:
		return outcome
	case <-w.over:
		runtime.Goexit()
		return ""
	}
}

type nodescopeSyncer struct{ world *nodescopeWorld }

func (s nodescopeSyncer) sync(ctx context.Context, given nodescopeGiven) (bool, error) {
	switch outcome := s.world.wait(s.world.called(ctx, given)); outcome {
	case "ok":
		return false, nil
	case "terminal":
		return true, nil
	case "error":
		return false, errors.New("it went wrong")
	case "network":
		return false, errors.New(NetworkNotReadyErrorMsg + ": no address")
	case "cancelled":
		return false, context.Canceled
	case "wrapped":
		return false, fmt.Errorf("stopped: %w", context.Canceled)
	default:
		panic("no sync ends with " + outcome)
	}
}

func (s nodescopeSyncer) SyncPod(ctx context.Context, updateType kubetypes.SyncPodType, pod, mirrorPod *v1.Pod, status *kubecontainer.PodStatus) (bool, error) {
	return s.sync(ctx, nodescopeGiven{
		UID: pod.UID, Kind: "sync", UpdateType: updateType.String(),
		Pod: nodescopeVersion(pod), MirrorPod: nodescopeVersion(mirrorPod), Status: status.Name,
	})
}

func (s nodescopeSyncer) SyncTerminatingPod(ctx context.Context, pod *v1.Pod, status *kubecontainer.PodStatus, grace *int64, fn func(*v1.PodStatus)) error {
	_, err := s.sync(ctx, nodescopeGiven{
		UID: pod.UID, Kind: "terminating", Pod: nodescopeVersion(pod), Status: status.Name,
		Grace: grace, StatusFunc: nodescopeLabel(fn),
	})
	return err
}

func (s nodescopeSyncer) SyncTerminatingRuntimePod(ctx context.Context, running *kubecontainer.Pod) error {
	_, err := s.sync(ctx, nodescopeGiven{UID: running.ID, Kind: "runtimePod", RunningPod: running.Name})
	return err
}

func (s nodescopeSyncer) SyncTerminatedPod(ctx context.Context, pod *v1.Pod, status *kubecontainer.PodStatus) error {
	_, err := s.sync(ctx, nodescopeGiven{
		UID: pod.UID, Kind: "terminated", Pod: nodescopeVersion(pod), Status: status.Name,
	})
	return err
}

type nodescopeCache struct{ world *nodescopeWorld }

func (c nodescopeCache) Get(uid types.UID) (*kubecontainer.PodStatus, error) {
	content := c.world.contents[uid]
	status := &kubecontainer.PodStatus{ID: uid, Name: content}
	sandbox := runtimeapi.PodSandboxState_SANDBOX_NOTREADY
	switch content {
	case "", "nothing":
		return &kubecontainer.PodStatus{ID: uid}, nil
	case "error":
		return nil, errors.New("runtime is down")
	case "exited":
		status.ContainerStatuses = []*kubecontainer.Status{{State: kubecontainer.ContainerStateExited}}
	case "created":
		status.ContainerStatuses = []*kubecontainer.Status{{State: kubecontainer.ContainerStateCreated}}
	case "unknown":
		status.ContainerStatuses = []*kubecontainer.Status{{State: kubecontainer.ContainerStateUnknown}}
	case "running":
		status.ContainerStatuses = []*kubecontainer.Status{
			{State: kubecontainer.ContainerStateExited}, {State: kubecontainer.ContainerStateRunning},
		}
	case "readySandbox":
		sandbox = runtimeapi.PodSandboxState_SANDBOX_READY
	default:
		panic("no runtime holds " + content)
	}
	status.SandboxStatuses = []*runtimeapi.PodSandboxStatus{{State: sandbox}}
	return status, nil
}

func (c nodescopeCache) GetNewerThan(uid types.UID, since time.Time) (*kubecontainer.PodStatus, error) {
	call := c.world.called(nil, nodescopeGiven{UID: uid, Kind: "cache", NewerThan: c.world.ms(since)})
	if c.world.slow[uid] {
		c.world.wait(call)
	}
	return c.Get(uid)
}

func (c nodescopeCache) Set(types.UID, *kubecontainer.PodStatus, error, time.Time) bool {
	panic("pod workers do not write to the cache")
}

func (c nodescopeCache) Delete(types.UID) { panic("pod workers do not write to the cache") }

func (c nodescopeCache) UpdateTime(time.Time) { panic("pod workers do not write to the cache") }

// nodescopeRecorder is called by workers and by goroutines of killPodNow, several at one moment.
type nodescopeRecorder struct{ world *nodescopeWorld }

func (r nodescopeRecorder) Event(object kruntime.Object, kind, reason, message string) {
	uid := object.(*v1.Pod).UID
	r.world.recording.Lock()
	defer r.world.recording.Unlock()
	r.world.events = append(r.world.events, fmt.Sprintf("%s %s %s: %s", uid, kind, reason, message))
}

func (r nodescopeRecorder) Eventf(object kruntime.Object, kind, reason, format string, args ...any) {
	r.Event(object, kind, reason, fmt.Sprintf(format, args...))
}

func (r nodescopeRecorder) AnnotatedEventf(object kruntime.Object, _ map[string]string, kind, reason, format string, args ...any) {
	r.Eventf(object, kind, reason, format, args...)
}

// nodescopeQueue is the real queue with every pause as short as the jitter can make it.
type nodescopeQueue struct {
	real queue.WorkQueue
	lock sync.Mutex
	due  map[types.UID]time.Time
}

func (q *nodescopeQueue) Enqueue(uid types.UID, delay time.Duration) {
	shortest := time.Duration(-1)
	for _, period := range []time.Duration{0, time.Second, 10 * time.Second, time.Minute} {
		if delay >= period && delay <= period+period/2 {
			shortest = period
		}
	}
	if shortest < 0 {
		panic(fmt.Sprintf("no pause of a worker is %v long", delay))
	}
	q.lock.Lock()
	defer q.lock.Unlock()
	q.due[uid] = time.Now().Add(shortest)
	q.real.Enqueue(uid, shortest)
}

func (q *nodescopeQueue) GetWork() []types.UID {
	work := q.real.GetWork()
	slices.Sort(work)
	for _, uid := range work {
		delete(q.due, uid)
	}
	return work
}
