package kuberuntime

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	internalapi "k8s.io/cri-api/pkg/apis"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
)

// NodescopeFailure is a call of the runtime that fails: every one of the verb, or those whose line has the target.
type NodescopeFailure struct {
	Call     string `json:"call"`
	Target   string `json:"target"`
	Message  string `json:"message"`
	NotFound bool   `json:"notFound"`
	// Not as gRPC gives it.
	Plain bool `json:"plain"`
}

// NodescopeStop is how a container of a name ends after SIGTERM: after so many ms, or only when it is killed.
type NodescopeStop struct {
	AfterMs  int64 `json:"afterMs"`
	Never    bool  `json:"never"`
	ExitCode int32 `json:"exitCode"`
}

// NodescopeUser is what an image says of its user.
type NodescopeUser struct {
	UID      *int64 `json:"uid"`
	Username string `json:"username"`
}

// NodescopeConfig is what a container was made from.
type NodescopeConfig struct {
	Name        string            `json:"name"`
	Attempt     uint32            `json:"attempt"`
	Image       string            `json:"image"`
	Command     []string          `json:"command"`
	Args        []string          `json:"args"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
}

// NodescopeCall is a call that changes something, with its time in ms since the run began.
type NodescopeCall struct {
	At   int64  `json:"at"`
	Line string `json:"line"`
	// Of a container that was made.
	Config *NodescopeConfig `json:"config,omitempty"`
}

const callMs = 1

// nodescopeCRI is a container runtime in memory. The same one, call for call, is src/main/kubelet/container/fake-runtime-service.ts.
// Every call that changes something takes callMs.
type nodescopeCRI struct {
	internalapi.RuntimeService
	internalapi.ImageManagerService

	mu         sync.Mutex
	began      time.Time
	ids        int
	sandboxes  []*runtimeapi.PodSandboxStatus
	containers []*runtimeapi.ContainerStatus
	sandboxOf  map[string]string
	ended      map[string]chan struct{}
	images     map[string]NodescopeUser
	users      map[string]NodescopeUser
	stops      map[string]NodescopeStop
	fail       []NodescopeFailure
	calls      []NodescopeCall
}

func newNodescopeCRI() *nodescopeCRI {
	return &nodescopeCRI{
		began: time.Now(), sandboxOf: map[string]string{}, ended: map[string]chan struct{}{},
		images: map[string]NodescopeUser{},
	}
}

func (c *nodescopeCRI) now() int64 { return time.Since(c.began).Milliseconds() }

func (c *nodescopeCRI) failure(call, line string) error {
	for _, f := range c.fail {
		if f.Call != call || !(f.Target == "" || strings.HasPrefix(line+" ", call+" "+f.Target+" ")) {
			continue
		}
		if f.NotFound {
			return status.Error(codes.NotFound, f.Message)
		}
		if f.Plain {
			return errors.New(f.Message)
		}
		return status.Error(codes.Unknown, f.Message)
	}
	return nil
}

// do records a call and takes its time; afterwards the runtime is locked.
func (c *nodescopeCRI) do(call, rest string) error {
	line := call + " " + rest
	c.mu.Lock()
	c.calls = append(c.calls, NodescopeCall{At: c.now(), Line: line})
	c.mu.Unlock()
	time.Sleep(callMs * time.Millisecond)
	c.mu.Lock()
	return c.failure(call, line)
}

func notFound(id string) error { return status.Error(codes.NotFound, id+" not found") }

func (c *nodescopeCRI) sandbox(id string) *runtimeapi.PodSandboxStatus {
	for _, s := range c.sandboxes {
		if s.Id == id {
			return s
		}
	}
	return nil
}

func (c *nodescopeCRI) container(id string) *runtimeapi.ContainerStatus {
	for _, one := range c.containers {
		if one.Id == id {
			return one
		}
	}
	return nil
}

// newest is the newest container of a name.
func (c *nodescopeCRI) newest(name string) *runtimeapi.ContainerStatus {
	for index := len(c.containers) - 1; index >= 0; index-- {
		if c.containers[index].Metadata.Name == name {
			return c.containers[index]
		}
	}
	return nil
}

func nameOf(one *runtimeapi.ContainerStatus) string {
	if one == nil {
		return "undefined"
	}
	return one.Metadata.Name
}

// end ends a container that runs; the runtime is locked.
func (c *nodescopeCRI) end(one *runtimeapi.ContainerStatus, code int32, reason string) {
	if one.State != runtimeapi.ContainerState_CONTAINER_RUNNING {
		return
	}
	one.State, one.ExitCode, one.Reason = runtimeapi.ContainerState_CONTAINER_EXITED, code, reason
	one.FinishedAt = time.Now().UnixNano()
	if waits := c.ended[one.Id]; waits != nil {
		close(waits)
		delete(c.ended, one.Id)
	}
}

func reasonOf(code int32) string {
	if code == 0 {
		return "Completed"
	}
	return "Error"
}

func (c *nodescopeCRI) RunPodSandbox(_ context.Context, config *runtimeapi.PodSandboxConfig, _ string) (string, error) {
	err := c.do("runPodSandbox", fmt.Sprintf("%s %d", config.Metadata.Name, config.Metadata.Attempt))
	defer c.mu.Unlock()
	if err != nil {
		return "", err
	}
	c.ids++
	made := &runtimeapi.PodSandboxStatus{
		Id: fmt.Sprintf("sandbox-%d", c.ids), Metadata: config.Metadata, State: runtimeapi.PodSandboxState_SANDBOX_READY,
		CreatedAt: time.Now().UnixNano(), Labels: config.Labels, Annotations: config.Annotations,
		Network: &runtimeapi.PodSandboxNetworkStatus{Ip: fmt.Sprintf("10.0.0.%d", c.ids)},
		Linux:   &runtimeapi.LinuxPodSandboxStatus{Namespaces: &runtimeapi.Namespace{Options: config.GetLinux().GetSecurityContext().GetNamespaceOptions()}},
	}
	c.sandboxes = append(c.sandboxes, made)
	return made.Id, nil
}

func (c *nodescopeCRI) StopPodSandbox(_ context.Context, id string) error {
	err := c.do("stopPodSandbox", id)
	defer c.mu.Unlock()
	if err != nil {
		return err
	}
	found := c.sandbox(id)
	if found == nil {
		return notFound(id)
	}
	for _, one := range c.containers {
		if c.sandboxOf[one.Id] == id {
			c.end(one, 137, reasonOf(137))
		}
	}
	found.State, found.Network = runtimeapi.PodSandboxState_SANDBOX_NOTREADY, &runtimeapi.PodSandboxNetworkStatus{}
	return nil
}

func (c *nodescopeCRI) RemovePodSandbox(_ context.Context, id string) error {
	err := c.do("removePodSandbox", id)
	defer c.mu.Unlock()
	if err != nil {
		return err
	}
	for index, s := range c.sandboxes {
		if s.Id == id {
			c.sandboxes = append(c.sandboxes[:index:index], c.sandboxes[index+1:]...)
			return nil
		}
	}
	return notFound(id)
}

func (c *nodescopeCRI) PodSandboxStatus(_ context.Context, id string, _ bool) (*runtimeapi.PodSandboxStatusResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.failure("podSandboxStatus", "podSandboxStatus "+id); err != nil {
		return nil, err
	}
	found := c.sandbox(id)
	if found == nil {
		return nil, notFound(id)
	}
	copied := *found
	return &runtimeapi.PodSandboxStatusResponse{Status: &copied}, nil
}

func (c *nodescopeCRI) ListPodSandbox(context.Context, *runtimeapi.PodSandboxFilter) ([]*runtimeapi.PodSandbox, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.failure("listPodSandboxes", "listPodSandboxes"); err != nil {
		return nil, err
	}
	listed := []*runtimeapi.PodSandbox{}
	for _, s := range c.sandboxes {
		listed = append(listed, &runtimeapi.PodSandbox{
			Id: s.Id, Metadata: s.Metadata, State: s.State, CreatedAt: s.CreatedAt, Labels: s.Labels, Annotations: s.Annotations,
		})
	}
	return listed, nil
}

func (c *nodescopeCRI) CreateContainer(_ context.Context, sandbox string, config *runtimeapi.ContainerConfig, _ *runtimeapi.PodSandboxConfig) (string, error) {
	name, attempt := config.Metadata.Name, config.Metadata.Attempt
	err := c.do("createContainer", fmt.Sprintf("%s %d", name, attempt))
	defer c.mu.Unlock()
	if err != nil {
		return "", err
	}
	if s := c.sandbox(sandbox); s == nil || s.State != runtimeapi.PodSandboxState_SANDBOX_READY {
		return "", notFound(sandbox)
	}
	c.calls[len(c.calls)-1].Config = &NodescopeConfig{
		Name: name, Attempt: attempt, Image: config.Image.Image, Command: config.Command, Args: config.Args,
		Labels: config.Labels, Annotations: config.Annotations,
	}
	c.ids++
	id := fmt.Sprintf("%s-%d", name, c.ids)
	c.sandboxOf[id] = sandbox
	c.containers = append(c.containers, &runtimeapi.ContainerStatus{
		Id: id, Metadata: config.Metadata, State: runtimeapi.ContainerState_CONTAINER_CREATED, CreatedAt: time.Now().UnixNano(),
		Image: config.Image, ImageRef: config.Image.Image, Labels: config.Labels, Annotations: config.Annotations,
	})
	return id, nil
}

func (c *nodescopeCRI) StartContainer(_ context.Context, id string) error {
	c.mu.Lock()
	name := nameOf(c.container(id))
	c.mu.Unlock()
	err := c.do("startContainer", name)
	defer c.mu.Unlock()
	if err != nil {
		return err
	}
	found := c.container(id)
	if found == nil {
		return notFound(id)
	}
	found.State, found.StartedAt = runtimeapi.ContainerState_CONTAINER_RUNNING, time.Now().UnixNano()
	return nil
}

func (c *nodescopeCRI) StopContainer(_ context.Context, id string, timeout int64) error {
	c.mu.Lock()
	name := nameOf(c.container(id))
	c.mu.Unlock()
	if err := c.do("stopContainer", fmt.Sprintf("%s %d", name, timeout)); err != nil {
		c.mu.Unlock()
		return err
	}
	found := c.container(id)
	if found == nil {
		c.mu.Unlock()
		return notFound(id)
	}
	if found.State != runtimeapi.ContainerState_CONTAINER_RUNNING {
		c.mu.Unlock()
		return nil
	}
	waits := make(chan struct{})
	c.ended[id] = waits
	c.mu.Unlock()
	how := c.stops[name]
	isKilled := how.Never || how.AfterMs > timeout*1000
	wait, code := how.AfterMs, how.ExitCode
	if isKilled {
		wait, code = timeout*1000, 137
	}
	select {
	case <-waits:
	case <-time.After(time.Duration(wait) * time.Millisecond):
		c.mu.Lock()
		c.end(found, code, reasonOf(code))
		c.mu.Unlock()
	}
	return nil
}

func (c *nodescopeCRI) RemoveContainer(_ context.Context, id string) error {
	c.mu.Lock()
	name := nameOf(c.container(id))
	c.mu.Unlock()
	err := c.do("removeContainer", name)
	defer c.mu.Unlock()
	if err != nil {
		return err
	}
	for index, one := range c.containers {
		if one.Id == id {
			c.containers = append(c.containers[:index:index], c.containers[index+1:]...)
			return nil
		}
	}
	return notFound(id)
}

func (c *nodescopeCRI) ListContainers(context.Context, *runtimeapi.ContainerFilter) ([]*runtimeapi.Container, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.failure("listContainers", "listContainers"); err != nil {
		return nil, err
	}
	listed := []*runtimeapi.Container{}
	for _, one := range c.containers {
		listed = append(listed, &runtimeapi.Container{
			Id: one.Id, PodSandboxId: c.sandboxOf[one.Id], Metadata: one.Metadata, Image: one.Image, ImageRef: one.ImageRef,
			State: one.State, CreatedAt: one.CreatedAt, Labels: one.Labels, Annotations: one.Annotations,
		})
	}
	return listed, nil
}

func (c *nodescopeCRI) ContainerStatus(_ context.Context, id string, _ bool) (*runtimeapi.ContainerStatusResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.failure("containerStatus", "containerStatus "+nameOf(c.container(id))); err != nil {
		return nil, err
	}
	found := c.container(id)
	if found == nil {
		return nil, notFound(id)
	}
	copied := *found
	return &runtimeapi.ContainerStatusResponse{Status: &copied}, nil
}

// ExecSync runs a command of the form: hook, milliseconds, and what it prints when it fails.
func (c *nodescopeCRI) ExecSync(_ context.Context, id string, command []string, _ time.Duration) ([]byte, []byte, error) {
	c.mu.Lock()
	name := nameOf(c.container(id))
	c.mu.Unlock()
	err := c.do("execSync", name+" "+strings.Join(command, " "))
	c.mu.Unlock()
	if err != nil {
		return nil, nil, err
	}
	var ms int64
	_, _ = fmt.Sscan(command[1], &ms)
	time.Sleep(time.Duration(ms) * time.Millisecond)
	if len(command) > 2 {
		// As the client of CRI makes it of an exit code.
		return nil, []byte(command[2]), fmt.Errorf("command '%s' exited with 1: %s", strings.Join(command, " "), command[2])
	}
	return nil, nil, nil
}

func (c *nodescopeCRI) Version(context.Context, string) (*runtimeapi.VersionResponse, error) {
	return &runtimeapi.VersionResponse{RuntimeName: "fake"}, nil
}

func (c *nodescopeCRI) ImageStatus(_ context.Context, image *runtimeapi.ImageSpec, _ bool) (*runtimeapi.ImageStatusResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.failure("imageStatus", "imageStatus "+image.Image); err != nil {
		return nil, err
	}
	user, found := c.images[withTag(image.Image)]
	if !found {
		return &runtimeapi.ImageStatusResponse{}, nil
	}
	told := &runtimeapi.Image{Id: "sha256:" + withTag(image.Image), Size: 1234, Username: user.Username}
	if user.UID != nil {
		told.Uid = &runtimeapi.Int64Value{Value: *user.UID}
	}
	return &runtimeapi.ImageStatusResponse{Image: told}, nil
}

// withTag is how a runtime finds an image that was pulled with the tag that a name without one stands for.
func withTag(image string) string {
	if strings.Contains(image, ":") {
		return image
	}
	return image + ":latest"
}

func (c *nodescopeCRI) PullImage(_ context.Context, image *runtimeapi.ImageSpec, _ *runtimeapi.AuthConfig, _ *runtimeapi.PodSandboxConfig) (string, error) {
	err := c.do("pullImage", image.Image)
	defer c.mu.Unlock()
	if err != nil {
		return "", err
	}
	c.images[withTag(image.Image)] = c.users[withTag(image.Image)]
	return "sha256:" + withTag(image.Image), nil
}

// NodescopeResourcesAndUser is what the kubelet takes of a container's status from the runtime.
func NodescopeResourcesAndUser(resources *runtimeapi.LinuxContainerResources, user *runtimeapi.LinuxContainerUser) (*kubecontainer.ContainerResources, *kubecontainer.ContainerUser) {
	if user == nil {
		return toKubeContainerResources(&runtimeapi.ContainerResources{Linux: resources}), nil
	}
	return toKubeContainerResources(&runtimeapi.ContainerResources{Linux: resources}), toKubeContainerUser(&runtimeapi.ContainerUser{Linux: user})
}
