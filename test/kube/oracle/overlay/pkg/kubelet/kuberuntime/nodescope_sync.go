package kuberuntime

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"sync"
	"time"

	cadvisorapi "github.com/google/cadvisor/info/v1"
	"go.opentelemetry.io/otel/trace/noop"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/component-base/logs/logreduction"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/kubernetes/pkg/credentialprovider"
	"k8s.io/kubernetes/pkg/kubelet/allocation"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/images"
	"k8s.io/kubernetes/pkg/kubelet/images/pullmanager"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/kubelet/prober/results"
)

// NodescopeSyncStep is what happens to a pod and its runtime; Do names it.
type NodescopeSyncStep struct {
	Do   string             `json:"do"`
	Fail []NodescopeFailure `json:"fail"`
	// sync, gc: the pod is being terminated, or its content may go.
	Deleted bool `json:"deleted"`
	// kill: the override in seconds.
	Grace *int64 `json:"grace"`
	// kill: as much of the pod as the runtime knows.
	RuntimeOnly bool `json:"runtimeOnly"`
	// advance
	Ms int64 `json:"ms"`
	// end, lose, probe
	Container string `json:"container"`
	ExitCode  int32  `json:"exitCode"`
	Reason    string `json:"reason"`
	Probe     string `json:"probe"`
	Result    string `json:"result"`
	// edit
	Pod *v1.Pod `json:"pod"`
}

// NodescopeSyncRun is a pod, what the runtime is like, and what happens.
type NodescopeSyncRun struct {
	Pod   *v1.Pod                  `json:"pod"`
	Users map[string]NodescopeUser `json:"users"`
	Stops map[string]NodescopeStop `json:"stops"`
	Steps []NodescopeSyncStep      `json:"steps"`
}

// NodescopeSyncEvent is an event and what it is about.
type NodescopeSyncEvent struct {
	At        int64  `json:"at"`
	Type      string `json:"type"`
	Reason    string `json:"reason"`
	Message   string `json:"message"`
	FieldPath string `json:"fieldPath"`
}

// NodescopeSyncResult is one step of a PodSyncResult.
type NodescopeSyncResult struct {
	Action  string `json:"action"`
	Target  string `json:"target"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// NodescopeSyncOutcome is what a step did.
type NodescopeSyncOutcome struct {
	At      int64                 `json:"at"`
	Calls   []NodescopeCall       `json:"calls"`
	Events  []NodescopeSyncEvent  `json:"events"`
	Results []NodescopeSyncResult `json:"results"`
	Error   string                `json:"error"`
	// The waits in ms of every container that the pod ever had, by its position in the order in which they were seen.
	BackOff []int64 `json:"backOff"`
	// The containers of the pod's status, newest first: id and state.
	Status []string `json:"status"`
}

type nodescopeEvents struct {
	mu     sync.Mutex
	cri    *nodescopeCRI
	events []NodescopeSyncEvent
}

func (r *nodescopeEvents) Event(object runtime.Object, kind, reason, message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	told := NodescopeSyncEvent{At: r.cri.now(), Type: kind, Reason: reason, Message: message}
	if ref, ok := object.(*v1.ObjectReference); ok {
		told.FieldPath = ref.FieldPath
	}
	r.events = append(r.events, told)
}
func (r *nodescopeEvents) Eventf(object runtime.Object, kind, reason, format string, args ...interface{}) {
	r.Event(object, kind, reason, fmt.Sprintf(format, args...))
}
func (r *nodescopeEvents) AnnotatedEventf(object runtime.Object, _ map[string]string, kind, reason, format string, args ...interface{}) {
	r.Event(object, kind, reason, fmt.Sprintf(format, args...))
}

type nodescopeProbes map[string]results.Result

func (p nodescopeProbes) Get(id kubecontainer.ContainerID) (results.Result, bool) {
	result, found := p[id.ID]
	return result, found
}
func (p nodescopeProbes) Set(kubecontainer.ContainerID, results.Result, *v1.Pod) {}
func (p nodescopeProbes) Remove(kubecontainer.ContainerID)                       {}
func (p nodescopeProbes) Updates() <-chan results.Update                         { return nil }

// nodescopeOS has no files.
type nodescopeOS struct{ kubecontainer.OSInterface }

func (nodescopeOS) MkdirAll(string, os.FileMode) error           { return nil }
func (nodescopeOS) Stat(string) (os.FileInfo, error)             { return nil, os.ErrNotExist }
func (nodescopeOS) Remove(string) error                          { return nil }
func (nodescopeOS) Glob(string) ([]string, error)                { return nil, nil }
func (nodescopeOS) ReadDir(string) ([]os.DirEntry, error)        { return nil, nil }
func (nodescopeOS) Symlink(oldname string, newname string) error { return nil }

type nodescopeLogs struct{}

func (nodescopeLogs) Start()                              {}
func (nodescopeLogs) Clean(context.Context, string) error { return nil }

// nodescopeHelper adds nothing to what a container's spec says.
type nodescopeHelper struct{ kubecontainer.RuntimeHelper }

func (nodescopeHelper) GenerateRunContainerOptions(context.Context, *v1.Pod, *v1.Container, string, []string, kubecontainer.ImageVolumes) (*kubecontainer.RunContainerOptions, func(), error) {
	return &kubecontainer.RunContainerOptions{}, nil, nil
}
func (nodescopeHelper) GetPodCgroupParent(*v1.Pod) string { return "" }
func (nodescopeHelper) GetPodDNS(*v1.Pod) (*runtimeapi.DNSConfig, error) {
	return &runtimeapi.DNSConfig{}, nil
}
func (nodescopeHelper) GeneratePodHostNameAndDomain(*v1.Pod) (string, string, error) {
	return "", "", nil
}
func (nodescopeHelper) GetExtraSupplementalGroupsForPod(*v1.Pod) []int64 { return nil }
func (nodescopeHelper) GetOrCreateUserNamespaceMappings(*v1.Pod, string) (*runtimeapi.UserNamespace, error) {
	return nil, nil
}
func (nodescopeHelper) PrepareDynamicResources(context.Context, *v1.Pod) error { return nil }

type nodescopePodStates struct{ deleted bool }

func (s *nodescopePodStates) IsPodTerminationRequested(types.UID) bool { return s.deleted }
func (s *nodescopePodStates) ShouldPodRuntimeBeRemoved(types.UID) bool { return s.deleted }
func (s *nodescopePodStates) ShouldPodContentBeRemoved(types.UID) bool { return s.deleted }

type nodescopeSync struct {
	m                 *kubeGenericRuntimeManager
	cri               *nodescopeCRI
	events            *nodescopeEvents
	states            *nodescopePodStates
	liveness, startup nodescopeProbes
	backOff           *flowcontrol.Backoff
	pod               *v1.Pod
	keys              []string
}

// NodescopeRunSync takes a new runtime manager through the steps. One whose clock stands is needed.
func NodescopeRunSync(run NodescopeSyncRun) ([]NodescopeSyncOutcome, error) {
	s := newNodescopeSync(run)
	outcomes := []NodescopeSyncOutcome{}
	for _, step := range run.Steps {
		outcome, err := s.take(step)
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, outcome)
	}
	return outcomes, nil
}

func newNodescopeSync(run NodescopeSyncRun) *nodescopeSync {
	cri := newNodescopeCRI()
	cri.users, cri.stops = run.Users, run.Stops
	events := &nodescopeEvents{cri: cri}
	tracer := noop.NewTracerProvider().Tracer("")
	// As newFakeKubeRuntimeManager makes it, but for the log manager, whose queue would tick for ever.
	m := &kubeGenericRuntimeManager{
		runtimeName: "fake", recorder: kubecontainer.FilterEventRecorder(events), osInterface: nodescopeOS{}, runtimeHelper: nodescopeHelper{},
		runtimeService: cri, imageService: cri, logManager: nodescopeLogs{},
		machineInfo:       &cadvisorapi.MachineInfo{MemoryCapacity: 32 << 30},
		cpuCFSQuotaPeriod: metav1.Duration{Duration: 100 * time.Millisecond}, memoryThrottlingFactor: 0.9,
		containerManager: cm.NewFakeContainerManager(), internalLifecycle: cm.NewFakeInternalContainerLifecycle(),
		allocationManager: allocation.NewInMemoryManager(nil, nil, nil, nil, nil, nil),
		logReduction:      logreduction.NewLogReduction(identicalErrorDelay),
		podLogsDirectory:  "/nodescope-has-no-logs", seccompProfileRoot: fakeSeccompProfileRoot,
		getSwapControllerAvailable: func() bool { return false },
		getNodeAllocatable:         func() v1.ResourceList { return v1.ResourceList{} },
	}
	s := &nodescopeSync{
		m: m, cri: cri, events: events, states: &nodescopePodStates{},
		liveness: nodescopeProbes{}, startup: nodescopeProbes{}, pod: run.Pod,
		// As NewMainKubelet makes it.
		backOff: flowcontrol.NewBackOff(10*time.Second, 300*time.Second),
	}
	s.backOff.HasExpiredFunc = func(event, update time.Time, _ time.Duration) bool {
		return event.Sub(update) > 600*time.Second
	}
	m.podStateProvider = s.states
	m.livenessManager, m.startupManager = s.liveness, s.startup
	m.containerGC = newContainerGC(cri, s.states, m, tracer)
	// Parallel without a limit: a serial one leaves a goroutine behind in each run, and one pod pulls one image at a time.
	m.imagePuller = images.NewImageManager(kubecontainer.FilterEventRecorder(events), &credentialprovider.BasicDockerKeyring{}, m,
		&pullmanager.NoopImagePullManager{}, flowcontrol.NewBackOff(10*time.Second, 300*time.Second), false, nil, 5, 10, &fakePodPullingTimeRecorder{})
	m.runner = lifecycle.NewHandlerRunner(&fakeHTTP{}, m, m, events)
	s.see(run.Pod)
	return s
}

// see remembers the back-off keys of a pod's containers.
func (s *nodescopeSync) see(pod *v1.Pod) {
	for index := range pod.Spec.InitContainers {
		s.keys = append(s.keys, GetBackoffKey(pod, &pod.Spec.InitContainers[index]))
	}
	for index := range pod.Spec.Containers {
		s.keys = append(s.keys, GetBackoffKey(pod, &pod.Spec.Containers[index]))
	}
}

func (s *nodescopeSync) take(step NodescopeSyncStep) (NodescopeSyncOutcome, error) {
	ctx := context.Background()
	s.cri.calls, s.events.events = nil, nil
	outcome := NodescopeSyncOutcome{}
	status, err := s.m.GetPodStatus(ctx, s.pod.UID, s.pod.Name, s.pod.Namespace)
	if err != nil {
		return outcome, err
	}
	s.cri.fail, s.states.deleted = step.Fail, step.Deleted
	var result kubecontainer.PodSyncResult
	switch step.Do {
	case "sync":
		result = s.m.SyncPod(ctx, s.pod.DeepCopy(), status, nil, s.backOff)
	case "kill":
		running := kubecontainer.ConvertPodStatusToRunningPod("fake", status)
		pod := s.pod
		if step.RuntimeOnly {
			pod = running.ToAPIPod()
		}
		result = s.m.killPodWithSyncResult(ctx, pod, running, step.Grace)
	case "gc":
		err = s.m.GarbageCollect(ctx, kubecontainer.GCPolicy{MaxPerPodContainer: 1, MaxContainers: -1}, true, false)
		if err != nil {
			outcome.Error = err.Error()
		}
	case "forget":
		s.backOff.GC()
	case "advance":
		time.Sleep(time.Duration(step.Ms) * time.Millisecond)
	case "end":
		if found := s.cri.newest(step.Container); found != nil {
			s.cri.end(found, step.ExitCode, step.Reason)
		}
	case "lose":
		if found := s.cri.newest(step.Container); found != nil && found.State == runtimeapi.ContainerState_CONTAINER_RUNNING {
			found.State = runtimeapi.ContainerState_CONTAINER_UNKNOWN
		}
	case "loseSandbox":
		if count := len(s.cri.sandboxes); count > 0 {
			if err := s.cri.StopPodSandbox(ctx, s.cri.sandboxes[count-1].Id); err != nil {
				return outcome, err
			}
		}
	case "probe":
		s.probe(step)
	case "edit":
		s.pod = step.Pod
		s.see(step.Pod)
	default:
		return outcome, fmt.Errorf("there is no step %q", step.Do)
	}
	s.cri.fail = nil
	return s.told(outcome, &result)
}

func (s *nodescopeSync) probe(step NodescopeSyncStep) {
	found := s.cri.newest(step.Container)
	if found == nil {
		return
	}
	of := s.liveness
	if step.Probe == "startup" {
		of = s.startup
	}
	switch step.Result {
	case "success":
		of[found.Id] = results.Success
	case "failure":
		of[found.Id] = results.Failure
	default:
		delete(of, found.Id)
	}
}

func (s *nodescopeSync) told(outcome NodescopeSyncOutcome, result *kubecontainer.PodSyncResult) (NodescopeSyncOutcome, error) {
	outcome.At, outcome.Calls, outcome.Events = s.cri.now(), s.cri.calls, s.events.events
	// Goroutines that stop containers answer in any order.
	kills := 0
	for kills < len(result.SyncResults) && result.SyncResults[kills].Action == kubecontainer.KillContainer {
		kills++
	}
	stopped := result.SyncResults[:kills]
	sort.Slice(stopped, func(i, j int) bool { return fmt.Sprint(stopped[i].Target) < fmt.Sprint(stopped[j].Target) })
	for _, one := range result.SyncResults {
		told := NodescopeSyncResult{Action: string(one.Action), Target: fmt.Sprint(one.Target), Message: one.Message}
		if one.Error != nil {
			told.Reason = one.Error.Error()
		}
		outcome.Results = append(outcome.Results, told)
	}
	if err := result.Error(); err != nil {
		outcome.Error = err.Error()
	}
	for _, key := range s.keys {
		outcome.BackOff = append(outcome.BackOff, s.backOff.Get(key).Milliseconds())
	}
	status, err := s.m.GetPodStatus(context.Background(), s.pod.UID, s.pod.Name, s.pod.Namespace)
	if err != nil {
		return outcome, err
	}
	for _, one := range status.ContainerStatuses {
		outcome.Status = append(outcome.Status, fmt.Sprintf("%s %s %d %d", one.ID.ID, one.State, one.RestartCount, one.ExitCode))
	}
	return outcome, nil
}

// NodescopeSyncError is the text of a PodSyncResult's error.
func NodescopeSyncError(with json.RawMessage) (any, error) {
	var given struct {
		Error   string                `json:"error"`
		Results []NodescopeSyncResult `json:"results"`
	}
	if err := json.Unmarshal(with, &given); err != nil {
		return nil, err
	}
	result := kubecontainer.PodSyncResult{}
	for _, one := range given.Results {
		step := kubecontainer.NewSyncResult(kubecontainer.SyncAction(one.Action), one.Target)
		if one.Reason != "" {
			step.Fail(fmt.Errorf("%s", one.Reason), one.Message)
		}
		result.AddSyncResult(step)
	}
	if given.Error != "" {
		result.Fail(fmt.Errorf("%s", given.Error))
	}
	if err := result.Error(); err != nil {
		return err.Error(), nil
	}
	return nil, nil
}
