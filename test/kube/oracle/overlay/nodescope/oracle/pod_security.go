package main

import (
	"context"
	"encoding/json"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	psadmission "k8s.io/pod-security-admission/admission"
	"k8s.io/pod-security-admission/admission/api/load"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/metrics"
	podpolicy "k8s.io/pod-security-admission/policy"
)

func init() {
	subjects["podSecurity"] = func() (subject, error) {
		evaluator, err := podpolicy.NewEvaluator(podpolicy.DefaultChecks())
		return podSecurity{evaluator}, err
	}
}

// podSecurity answers what the admission plugin PodSecurity does.
type podSecurity struct {
	evaluator podpolicy.Evaluator
}

// judged is a pod and the level that it is held to.
type judged struct {
	Level   api.Level
	Version string
	Pod     v1.Pod
}

func (s podSecurity) violations(j judged) (any, error) {
	version, err := api.ParseVersion(j.Version)
	if err != nil {
		return nil, err
	}
	lv := api.LevelVersion{Level: j.Level, Version: version}
	result := podpolicy.AggregateCheckResults(s.evaluator.EvaluatePod(lv, &j.Pod.ObjectMeta, &j.Pod.Spec))
	return map[string]any{"reason": result.ForbiddenReason(), "detail": result.ForbiddenDetail()}, nil
}

// securedWrite is a write of an object. Old is absent when it is created.
type securedWrite struct {
	Group, Kind, Plural, Subresource string
	Next                             json.RawMessage
	Old                              json.RawMessage
	// Namespace is the one of the object, Pods those in a namespace that is written.
	Namespace v1.Namespace
	Pods      []*v1.Pod
}

var securedKinds = map[string]func() runtime.Object{
	"Namespace":             func() runtime.Object { return &v1.Namespace{} },
	"Pod":                   func() runtime.Object { return &v1.Pod{} },
	"ReplicationController": func() runtime.Object { return &v1.ReplicationController{} },
	"ReplicaSet":            func() runtime.Object { return &appsv1.ReplicaSet{} },
	"Deployment":            func() runtime.Object { return &appsv1.Deployment{} },
	"StatefulSet":           func() runtime.Object { return &appsv1.StatefulSet{} },
	"DaemonSet":             func() runtime.Object { return &appsv1.DaemonSet{} },
	"Job":                   func() runtime.Object { return &batchv1.Job{} },
	"CronJob":               func() runtime.Object { return &batchv1.CronJob{} },
}

func (w securedWrite) read(data json.RawMessage) (runtime.Object, error) {
	object := securedKinds[w.Kind]()
	return object, json.Unmarshal(data, object)
}

func (w securedWrite) GetNamespace(context.Context, string) (*v1.Namespace, error) {
	return &w.Namespace, nil
}

func (w securedWrite) ListPods(context.Context, string) ([]*v1.Pod, error) {
	return w.Pods, nil
}

// unrecorded keeps no metrics.
type unrecorded struct{}

func (unrecorded) RecordEvaluation(metrics.Decision, api.LevelVersion, metrics.Mode, api.Attributes) {
}
func (unrecorded) RecordExemption(api.Attributes)   {}
func (unrecorded) RecordError(bool, api.Attributes) {}

func (s podSecurity) validate(w securedWrite) (any, error) {
	configuration, err := load.LoadFromReader(nil)
	if err != nil {
		return nil, err
	}
	plugin := &psadmission.Admission{
		Configuration: configuration, Evaluator: s.evaluator, Metrics: unrecorded{},
		NamespaceGetter: w, PodLister: w,
	}
	if err := plugin.CompleteConfiguration(); err != nil {
		return nil, err
	}
	attributes := &api.AttributesRecord{
		Name: "x", Namespace: "n", Subresource: w.Subresource, Operation: admissionv1.Create,
		Kind:     schema.GroupVersionKind{Group: w.Group, Version: "v1", Kind: w.Kind},
		Resource: schema.GroupVersionResource{Group: w.Group, Version: "v1", Resource: w.Plural},
	}
	if attributes.Object, err = w.read(w.Next); err != nil {
		return nil, err
	}
	if w.Old != nil {
		attributes.Operation = admissionv1.Update
		if attributes.OldObject, err = w.read(w.Old); err != nil {
			return nil, err
		}
	}
	response := plugin.Validate(context.Background(), attributes)
	answer := map[string]any{"warnings": append([]string{}, response.Warnings...)}
	if response.Result != nil {
		answer["refusal"] = response.Result
	}
	return answer, nil
}

func (s podSecurity) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "violations":
		return answerTo(with, s.violations)
	case "validate":
		return answerTo(with, s.validate)
	}
	return nil, fmt.Errorf("unknown operation %q", ask)
}
