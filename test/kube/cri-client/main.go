// Command cri-client asks a CRI runtime by the kubelet's own client (k8s.io/cri-client), which checks what it gets.
// Questions come as lines of JSON, {"call": "Version", "with": {…}}, messages as protobuf's JSON; answers go the same
// way: {"answer": …} or {"error": "…", "code": "NotFound"}.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"google.golang.org/grpc/status"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/transport/spdy"
	internalapi "k8s.io/cri-api/pkg/apis"
	v1 "k8s.io/cri-api/pkg/apis/runtime/v1"
	criclient "k8s.io/cri-client/pkg"
	"k8s.io/klog/v2"
)

const version = "cri-client 2"

type question struct {
	Call string          `json:"call"`
	With json.RawMessage `json:"with"`
}

type answer struct {
	Answer any    `json:"answer,omitempty"`
	Error  string `json:"error,omitempty"`
	Code   string `json:"code,omitempty"`
}

// with holds what any of the calls takes.
type with struct {
	ID            string                         `json:"id"`
	Config        *v1.PodSandboxConfig           `json:"config"`
	Container     *v1.ContainerConfig            `json:"container"`
	Resources     *v1.ContainerResources         `json:"resources"`
	Image         string                         `json:"image"`
	Handler       string                         `json:"handler"`
	Cmd           []string                       `json:"cmd"`
	Seconds       int64                          `json:"seconds"`
	SandboxFilter *v1.PodSandboxFilter           `json:"sandboxFilter"`
	Filter        *v1.ContainerFilter            `json:"filter"`
	StatsFilter   *v1.ContainerStatsFilter       `json:"statsFilter"`
	PodStats      *v1.PodSandboxStatsFilter      `json:"podStatsFilter"`
	Exec          *v1.ExecRequest                `json:"exec"`
	Attach        *v1.AttachRequest              `json:"attach"`
	Forward       *v1.PortForwardRequest         `json:"forward"`
	Checkpoint    *v1.CheckpointContainerRequest `json:"checkpoint"`
}

func main() {
	endpoint := flag.String("endpoint", "", "the socket, unix:///PATH")
	isVersion := flag.Bool("version", false, "prints the version")
	flag.Parse()
	if *isVersion {
		fmt.Println(version)
		return
	}
	logger := klog.Background()
	runtime, err := criclient.NewRemoteRuntimeService(*endpoint, 10*time.Second, nil, &logger)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	images, err := criclient.NewRemoteImageService(*endpoint, 10*time.Second, nil, &logger)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			_ = out.Encode(answer{Error: err.Error(), Code: "BadQuestion"})
			continue
		}
		var given with
		if err := json.Unmarshal(asked.With, &given); err != nil {
			_ = out.Encode(answer{Error: err.Error(), Code: "BadQuestion"})
			continue
		}
		value, err := ask(runtime, images, asked.Call, given)
		if err != nil {
			_ = out.Encode(answer{Error: err.Error(), Code: status.Code(err).String()})
			continue
		}
		_ = out.Encode(answer{Answer: value})
	}
}

func ask(r internalapi.RuntimeService, i internalapi.ImageManagerService, call string, w with) (any, error) {
	ctx := context.Background()
	done := func(err error) (any, error) { return "done", err }
	switch call {
	case "Version":
		return r.Version(ctx, "0.1.0")
	case "Status":
		return r.Status(ctx, true)
	case "RuntimeConfig":
		return r.RuntimeConfig(ctx)
	case "UpdateRuntimeConfig":
		return done(r.UpdateRuntimeConfig(ctx, &v1.RuntimeConfig{NetworkConfig: &v1.NetworkConfig{PodCidr: "10.9.0.0/24"}}))
	case "RunPodSandbox":
		return r.RunPodSandbox(ctx, w.Config, w.Handler)
	case "StopPodSandbox":
		return done(r.StopPodSandbox(ctx, w.ID))
	case "RemovePodSandbox":
		return done(r.RemovePodSandbox(ctx, w.ID))
	case "PodSandboxStatus":
		return r.PodSandboxStatus(ctx, w.ID, true)
	case "ListPodSandbox":
		return r.ListPodSandbox(ctx, w.SandboxFilter)
	case "CreateContainer":
		return r.CreateContainer(ctx, w.ID, w.Container, w.Config)
	case "StartContainer":
		return done(r.StartContainer(ctx, w.ID))
	case "StopContainer":
		return done(r.StopContainer(ctx, w.ID, w.Seconds))
	case "RemoveContainer":
		return done(r.RemoveContainer(ctx, w.ID))
	case "ListContainers":
		return r.ListContainers(ctx, w.Filter)
	case "ContainerStatus":
		return r.ContainerStatus(ctx, w.ID, true)
	case "UpdateContainerResources":
		return done(r.UpdateContainerResources(ctx, w.ID, w.Resources))
	case "ReopenContainerLog":
		return done(r.ReopenContainerLog(ctx, w.ID))
	case "ExecSync":
		stdout, stderr, err := r.ExecSync(ctx, w.ID, w.Cmd, time.Duration(w.Seconds)*time.Second)
		code := 0
		if exit, ok := err.(interface{ ExitStatus() int }); ok {
			code, err = exit.ExitStatus(), nil
		}
		return map[string]any{"stdout": string(stdout), "stderr": string(stderr), "exitCode": code}, err
	case "Exec":
		return r.Exec(ctx, w.Exec)
	case "Attach":
		return r.Attach(ctx, w.Attach)
	case "PortForward":
		return r.PortForward(ctx, w.Forward)
	case "StreamExec":
		answered, err := r.Exec(ctx, w.Exec)
		if err != nil {
			return nil, err
		}
		return stream(ctx, answered.Url, w.Exec.Stdin, w.Exec.Tty)
	case "StreamAttach":
		answered, err := r.Attach(ctx, w.Attach)
		if err != nil {
			return nil, err
		}
		return stream(ctx, answered.Url, w.Attach.Stdin, w.Attach.Tty)
	case "StreamForward":
		answered, err := r.PortForward(ctx, w.Forward)
		if err != nil {
			return nil, err
		}
		return forward(answered.Url, fmt.Sprint(w.Seconds))
	case "ContainerStats":
		return r.ContainerStats(ctx, w.ID)
	case "ListContainerStats":
		return r.ListContainerStats(ctx, w.StatsFilter)
	case "PodSandboxStats":
		return r.PodSandboxStats(ctx, w.ID)
	case "ListPodSandboxStats":
		return r.ListPodSandboxStats(ctx, w.PodStats)
	case "CheckpointContainer":
		return done(r.CheckpointContainer(ctx, w.Checkpoint))
	case "ListImages":
		var filter *v1.ImageFilter
		if w.Image != "" {
			filter = &v1.ImageFilter{Image: &v1.ImageSpec{Image: w.Image}}
		}
		return i.ListImages(ctx, filter)
	case "ImageStatus":
		return i.ImageStatus(ctx, &v1.ImageSpec{Image: w.Image}, true)
	case "PullImage":
		return i.PullImage(ctx, &v1.ImageSpec{Image: w.Image}, nil, nil)
	case "RemoveImage":
		return done(i.RemoveImage(ctx, &v1.ImageSpec{Image: w.Image}))
	case "ImageFsInfo":
		return i.ImageFsInfo(ctx)
	}
	return nil, fmt.Errorf("no call %q", call)
}

// stream does what the API server does with the URL of a command.
func stream(ctx context.Context, address string, stdin, tty bool) (any, error) {
	target, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	executor, err := remotecommand.NewSPDYExecutor(&rest.Config{}, http.MethodPost, target)
	if err != nil {
		return nil, err
	}
	var stdout, stderr bytes.Buffer
	options := remotecommand.StreamOptions{Stdout: &stdout, Tty: tty}
	if stdin {
		options.Stdin = bytes.NewReader(bytes.Repeat([]byte("x"), 200_000))
	}
	if !tty {
		options.Stderr = &stderr
	}
	ended := ""
	if err := executor.StreamWithContext(ctx, options); err != nil {
		ended = err.Error()
	}
	return map[string]string{"stdout": stdout.String(), "stderr": stderr.String(), "error": ended}, nil
}

// forward does what kubectl does with one connection to a port; the answer is what the stream for errors says.
func forward(address, port string) (any, error) {
	target, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	transport, upgrader, err := spdy.RoundTripperFor(&rest.Config{})
	if err != nil {
		return nil, err
	}
	dialer := spdy.NewDialer(upgrader, &http.Client{Transport: transport}, http.MethodPost, target)
	connection, protocol, err := dialer.Dial("portforward.k8s.io")
	if err != nil {
		return nil, err
	}
	defer connection.Close()
	headers := http.Header{}
	headers.Set(corev1.StreamType, corev1.StreamTypeError)
	headers.Set(corev1.PortHeader, port)
	headers.Set(corev1.PortForwardRequestIDHeader, "0")
	failures, err := connection.CreateStream(headers)
	if err != nil {
		return nil, err
	}
	_ = failures.Close()
	headers.Set(corev1.StreamType, corev1.StreamTypeData)
	data, err := connection.CreateStream(headers)
	if err != nil {
		return nil, err
	}
	_ = data.Close()
	said, err := io.ReadAll(failures)
	if err != nil {
		return nil, err
	}
	received, err := io.ReadAll(data)
	return map[string]string{"protocol": protocol, "error": string(said), "data": string(received)}, err
}
