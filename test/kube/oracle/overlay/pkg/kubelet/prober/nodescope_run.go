package prober

import (
	"context"
	"errors"
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	remote "k8s.io/cri-client/pkg"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/kubelet/prober/results"
	"k8s.io/kubernetes/pkg/kubelet/status"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"
	utilexec "k8s.io/utils/exec"
)

// NodescopeCommand is how a command in a container ends.
type NodescopeCommand struct {
	// exit, timeout or error.
	Ends   string
	Code   int
	Output string
	// ms.
	Takes int64
}

func (c NodescopeCommand) run(cmd []string, timeout time.Duration) ([]byte, error) {
	time.Sleep(time.Duration(c.Takes) * time.Millisecond)
	text := fmt.Sprint(cmd)
	text = text[1 : len(text)-1]
	switch {
	case c.Ends == "timeout":
		return nil, fmt.Errorf("%w: %q timed out after %s", remote.ErrCommandTimedOut, text, timeout)
	case c.Ends == "error":
		return nil, errors.New("rpc error: code = Unknown desc = " + c.Output)
	case c.Code != 0:
		err := fmt.Errorf("command '%s' exited with %d: %s", text, c.Code, "")
		return []byte(c.Output), utilexec.CodeExitError{Err: err, Code: c.Code}
	default:
		return []byte(c.Output), nil
	}
}

// commands end one after the other; the last one stays.
type commands struct {
	ends []NodescopeCommand
	ran  []string
}

func (c *commands) RunInContainer(_ context.Context, id kubecontainer.ContainerID, cmd []string, timeout time.Duration) ([]byte, error) {
	c.ran = append(c.ran, fmt.Sprintf("%s %q %v", id.ID, cmd, timeout))
	if len(c.ends) == 0 {
		return nil, nil
	}
	end := c.ends[0]
	if len(c.ends) > 1 {
		c.ends = c.ends[1:]
	}
	return end.run(cmd, timeout)
}

// NodescopeAsked is a probe or a hook of a pod's first container, once.
type NodescopeAsked struct {
	Pod      v1.Pod
	PodIP    string
	Commands []NodescopeCommand
}

type NodescopeAnswered struct {
	Result string   `json:"result"`
	Ran    []string `json:"ran"`
	Events []string `json:"events"`
}

func recorded(recorder *record.FakeRecorder) []string {
	events := []string{}
	for len(recorder.Events) > 0 {
		events = append(events, <-recorder.Events)
	}
	return events
}

// NodescopeProbe runs the readiness probe over the network of this machine, with commands that end as they are told to.
func NodescopeProbe(asked NodescopeAsked) (any, error) {
	ran := &commands{ends: asked.Commands}
	recorder := record.NewFakeRecorder(100)
	id := kubecontainer.ContainerID{Type: "fake", ID: "c1"}
	status := v1.PodStatus{PodIP: asked.PodIP}
	prober := newProber(ran, recorder)
	result, err := prober.probe(context.Background(), readiness, &asked.Pod, status, asked.Pod.Spec.Containers[0], id)
	told := result.String()
	if err != nil {
		told = "none"
	}
	return NodescopeAnswered{told, ran.ran, recorded(recorder)}, nil
}

type podIPs []string

func (p podIPs) GetPodStatus(context.Context, types.UID, string, string) (*kubecontainer.PodStatus, error) {
	return &kubecontainer.PodStatus{IPs: p}, nil
}

// NodescopeHook runs the postStart hook in the same way; its result is why it failed.
func NodescopeHook(asked NodescopeAsked, doer kubetypes.HTTPDoer) (any, error) {
	ran := &commands{ends: asked.Commands}
	recorder := record.NewFakeRecorder(100)
	id := kubecontainer.ContainerID{Type: "fake", ID: "c1"}
	ips := podIPs{}
	if asked.PodIP != "" {
		ips = podIPs{asked.PodIP}
	}
	container := &asked.Pod.Spec.Containers[0]
	runner := lifecycle.NewHandlerRunner(doer, ran, ips, recorder)
	message, _ := runner.Run(context.Background(), id, &asked.Pod, container, container.Lifecycle.PostStart)
	return NodescopeAnswered{message, ran.ran, recorded(recorder)}, nil
}

// NodescopeWorkerStep is what happens before a worker is left alone for some ms.
type NodescopeWorkerStep struct {
	// As it is cached from now on; none: as before. Its times are those of a run that begins with the year 2000.
	Status *v1.PodStatus
	// Nothing is cached from now on.
	NoStatus bool
	// How its commands end from now on.
	Commands []NodescopeCommand
	// "", stop or trigger.
	Act string
	Ms  int64
}

// NodescopeWorkerRun is the life of one worker, of the pod's first container or init container.
type NodescopeWorkerRun struct {
	Pod   v1.Pod
	Type  string
	Init  bool
	Steps []NodescopeWorkerStep
}

type cachedStatus struct {
	status.Manager
	is *v1.PodStatus
}

func (c *cachedStatus) GetPodStatus(types.UID) (v1.PodStatus, bool) {
	if c.is == nil {
		return v1.PodStatus{}, false
	}
	return *c.is, true
}

type loggedResults struct {
	results.Manager
	log func(string)
}

func (l loggedResults) Set(id kubecontainer.ContainerID, result results.Result, pod *v1.Pod) {
	if now, found := l.Get(id); !found || now != result {
		l.log(fmt.Sprintf("%s %s", id.ID, result))
	}
	l.Manager.Set(id, result, pod)
	for len(l.Updates()) > 0 {
		<-l.Updates()
	}
}

// moved is the status with the times of a run that began then.
func moved(status *v1.PodStatus, began time.Time) *v1.PodStatus {
	by := began.Sub(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	for _, list := range [][]v1.ContainerStatus{status.ContainerStatuses, status.InitContainerStatuses} {
		for i := range list {
			if running := list[i].State.Running; running != nil {
				running.StartedAt.Time = running.StartedAt.Add(by)
			}
		}
	}
	return status
}

// NodescopeRunWorker runs a worker on the clock of a bubble; `settle` waits until nothing moves. The log has ms since the beginning.
func NodescopeRunWorker(run NodescopeWorkerRun, settle func()) (any, error) {
	began := time.Now()
	log := []string{}
	write := func(line string) {
		log = append(log, fmt.Sprintf("%d %s", time.Since(began).Milliseconds(), line))
	}
	ran := &commands{}
	cached := &cachedStatus{}
	kept := func() results.Manager { return loggedResults{results.NewManager(), write} }
	liveness_, readiness_, startup_ := kept(), kept(), kept()
	m := NewManager(cached, liveness_, readiness_, startup_, ran, record.NewFakeRecorder(10000)).(*manager)
	// Long ago, so that the first probe does not wait for a random time.
	m.start = began.Add(-24 * time.Hour)
	probed := run.Pod.Spec.Containers
	if run.Init {
		probed = run.Pod.Spec.InitContainers
	}
	kind := map[string]probeType{"liveness": liveness, "readiness": readiness, "startup": startup}[run.Type]
	w := newWorker(m, kind, &run.Pod, probed[0])
	m.workers[probeKey{run.Pod.UID, probed[0].Name, kind}] = w
	go func() {
		w.run()
		write("ended")
	}()
	settle()
	for _, step := range run.Steps {
		if step.Status != nil {
			cached.is = moved(step.Status, began)
		}
		if step.NoStatus {
			cached.is = nil
		}
		if step.Commands != nil {
			ran.ends = step.Commands
		}
		switch step.Act {
		case "stop":
			w.stop()
		case "trigger":
			select {
			case w.manualTriggerCh <- struct{}{}:
			default:
			}
		}
		time.Sleep(time.Duration(step.Ms) * time.Millisecond)
		settle()
		write(fmt.Sprintf("ran %d", len(ran.ran)))
	}
	w.stop()
	// A command may take longer than a period.
	time.Sleep(24 * time.Hour)
	settle()
	return log, nil
}
