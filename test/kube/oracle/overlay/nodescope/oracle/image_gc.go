package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"time"

	noopoteltrace "go.opentelemetry.io/otel/trace/noop"
	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	statsapi "k8s.io/kubelet/pkg/apis/stats/v1alpha1"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/images"
)

func init() {
	subjects["imageGC"] = func() (subject, error) {
		return inBubble(func() (subject, error) { return &imageGC{}, nil })
	}
}

// imageGC is an image garbage collector, and the node that it looks at.
type imageGC struct {
	kubecontainer.Runtime
	manager images.ImageGCManager
	began   time.Time
	node    imageNode
	removed []string
	events  *record.FakeRecorder
}

type imageNode struct {
	Images []struct {
		ID     string
		Size   int64
		Pinned bool
	}
	// The images of containers.
	Used []string
	// What cannot be removed.
	Stuck     []string
	Capacity  *uint64
	Available *uint64
	Failure   string
}

type imagePolicy struct {
	High, Low      int
	MinAge, MaxAge int64
}

func (i *imageGC) ListImages(context.Context) ([]kubecontainer.Image, error) {
	var list []kubecontainer.Image
	for _, image := range i.node.Images {
		list = append(list, kubecontainer.Image{ID: image.ID, Size: image.Size, Pinned: image.Pinned})
	}
	return list, nil
}

func (i *imageGC) GetPods(context.Context, bool) ([]*kubecontainer.Pod, error) {
	pod := &kubecontainer.Pod{}
	for _, id := range i.node.Used {
		pod.Containers = append(pod.Containers, &kubecontainer.Container{ImageID: id})
	}
	return []*kubecontainer.Pod{pod}, nil
}

func (i *imageGC) RemoveImage(_ context.Context, image kubecontainer.ImageSpec) error {
	for _, id := range i.node.Stuck {
		if id == image.Image {
			return fmt.Errorf("cannot remove %s", id)
		}
	}
	i.removed = append(i.removed, image.Image)
	left := i.node.Images[:0:0]
	for _, each := range i.node.Images {
		if each.ID != image.Image {
			left = append(left, each)
		}
	}
	i.node.Images = left
	return nil
}

func (i *imageGC) ImageFsStats(context.Context) (*statsapi.FsStats, *statsapi.FsStats, error) {
	if i.node.Failure != "" {
		return nil, nil, errors.New(i.node.Failure)
	}
	stats := &statsapi.FsStats{CapacityBytes: i.node.Capacity, AvailableBytes: i.node.Available}
	return stats, stats, nil
}

func (i *imageGC) recorded() []string {
	events := []string{}
	for {
		select {
		case event := <-i.events.Events:
			events = append(events, event)
		default:
			return events
		}
	}
}

func (i *imageGC) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "new":
		var policy imagePolicy
		if err := json.Unmarshal(with, &policy); err != nil {
			return nil, err
		}
		i.events = record.NewFakeRecorder(10)
		i.began = time.Now()
		i.removed = nil
		manager, err := images.NewImageGCManager(i, i, nil, i.events, &v1.ObjectReference{}, images.ImageGCPolicy{
			HighThresholdPercent: policy.High,
			LowThresholdPercent:  policy.Low,
			MinAge:               time.Duration(policy.MinAge) * time.Millisecond,
			MaxAge:               time.Duration(policy.MaxAge) * time.Millisecond,
		}, noopoteltrace.NewTracerProvider())
		i.manager = manager
		return time.Now().UnixMilli(), err
	case "collect":
		i.node = imageNode{}
		if err := json.Unmarshal(with, &i.node); err != nil {
			return nil, err
		}
		err := i.manager.GarbageCollect(context.Background(), i.began)
		text := ""
		if err != nil {
			text = err.Error()
		}
		removed := append([]string{}, i.removed...)
		i.removed = nil
		left := []string{}
		for _, image := range i.node.Images {
			left = append(left, image.ID)
		}
		sort.Strings(left)
		return map[string]any{"removed": removed, "left": left, "error": text, "events": i.recorded()}, nil
	}
	return nil, fmt.Errorf("unknown operation %q", ask)
}
