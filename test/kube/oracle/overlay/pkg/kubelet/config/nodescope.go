package config

import (
	"bytes"
	"io"
	"net/http"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	api "k8s.io/kubernetes/pkg/apis/core"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"
)

// NodescopeMerge does what a message on a source's channel does, and has done it when it returns.
func NodescopeMerge(to *PodConfig, source string, pods []*v1.Pod) error {
	set := kubetypes.PodUpdate{Pods: pods, Op: kubetypes.SET, Source: source}
	return to.pods.Merge(source, set)
}

// NodescopeDecodeFile reads one manifest. parsed: it was a pod, good or not.
func NodescopeDecodeFile(text []byte, path, node string) (parsed bool, pod *v1.Pod, err error) {
	return tryDecodeSinglePod(text, func(pod *api.Pod) error {
		return applyDefaults(pod, path, true, types.NodeName(node))
	})
}

type answering []byte

func (body answering) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(body))}, nil
}

// NodescopeDecodeURL reads what a manifest URL answered.
func NodescopeDecodeURL(text []byte, url, node string) ([]*v1.Pod, error) {
	updates := make(chan interface{}, 1)
	source := &sourceURL{
		url:      url,
		nodeName: types.NodeName(node),
		updates:  updates,
		client:   &http.Client{Transport: answering(text)},
	}
	if err := source.extractFromURL(); err != nil {
		return nil, err
	}
	return (<-updates).(kubetypes.PodUpdate).Pods, nil
}

// NodescopeFolder is a manifest folder, or a single file, that is read when it is told to.
type NodescopeFolder struct {
	source  *sourceFile
	updates chan interface{}
}

// NewNodescopeFolder reads nothing yet.
func NewNodescopeFolder(path, node string) *NodescopeFolder {
	updates := make(chan interface{}, 10)
	return &NodescopeFolder{newSourceFile(path, types.NodeName(node), time.Hour, updates), updates}
}

// List reads everything, as at the start and every 20 s. The snapshots that came of it.
func (f *NodescopeFolder) List() [][]*v1.Pod {
	// What is wrong is only logged by the kubelet.
	_ = f.source.listConfig()
	return f.taken()
}

// Touched is one event of the watch: "add", "modify" or "delete" of the file of that path.
func (f *NodescopeFolder) Touched(event, path string) [][]*v1.Pod {
	kinds := map[string]podEventType{"add": podAdd, "modify": podModify, "delete": podDelete}
	_ = f.source.consumeWatchEvent(&watchEvent{path, kinds[event]})
	return f.taken()
}

func (f *NodescopeFolder) taken() [][]*v1.Pod {
	sets := [][]*v1.Pod{}
	for {
		select {
		case update := <-f.updates:
			sets = append(sets, update.(kubetypes.PodUpdate).Pods)
		default:
			return sets
		}
	}
}
