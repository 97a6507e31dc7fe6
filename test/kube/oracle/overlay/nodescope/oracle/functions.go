package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/duration"
	resourcehelper "k8s.io/component-helpers/resource"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	core "k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	v1helper "k8s.io/kubernetes/pkg/apis/core/v1/helper"
	"k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/printers"
	printersinternal "k8s.io/kubernetes/pkg/printers/internalversion"
)

func init() {
	subjects["functions"] = func() (subject, error) {
		table := printers.NewTableGenerator().With(printersinternal.AddHandlers)
		return functions{table}, nil
	}
}

// functions answers what depends on its arguments alone.
type functions struct {
	table *printers.HumanReadableGenerator
}

// answerTo reads what a function is asked with.
func answerTo[T any](with json.RawMessage, function func(T) (any, error)) (any, error) {
	var input T
	if err := json.Unmarshal(with, &input); err != nil {
		return nil, err
	}
	return function(input)
}

func (f functions) answer(ask string, with json.RawMessage) (any, error) {
	switch ask {
	case "qosClass":
		return answerTo(with, func(pod v1.Pod) (any, error) { return qos.ComputePodQOS(&pod), nil })
	case "podRequests":
		return answerTo(with, podRequests)
	case "podCgroup":
		return answerTo(with, podCgroup)
	case "cpuWeight":
		return answerTo(with, func(shares uint64) (any, error) { return cm.NodescopeCPUWeight(shares), nil })
	case "quantity":
		return answerTo(with, quantity)
	case "humanDuration":
		return answerTo(with, func(milliseconds int64) (any, error) {
			return duration.HumanDuration(time.Duration(milliseconds) * time.Millisecond), nil
		})
	case "hashContainer":
		return answerTo(with, func(c v1.Container) (any, error) {
			return strconv.FormatUint(kubecontainer.HashContainer(&c), 16), nil
		})
	case "columns":
		return f.columns(with)
	case "defaultPod":
		return defaulted(with)
	case "asWritten":
		return answerTo(with, func(pod v1.Pod) (any, error) { return pod, nil })
	case "environment":
		return answerTo(with, environment)
	case "validatePod":
		return validated(with)
	default:
		return answerOfContainers(ask, with)
	}
}

func podRequests(pod v1.Pod) (any, error) {
	amounts := map[string]int64{}
	for name, amount := range resourcehelper.PodRequests(&pod, resourcehelper.PodResourcesOptions{}) {
		if name == v1.ResourceCPU {
			amounts[string(name)] = amount.MilliValue()
		} else {
			amounts[string(name)] = amount.Value()
		}
	}
	return amounts, nil
}

// podCgroup is what the kubelet sets for the cgroup of a pod, with its defaults.
func podCgroup(pod v1.Pod) (any, error) {
	resources := cm.ResourceConfigForPod(&pod, true, cm.QuotaPeriod, false)
	pages := map[string]int64{}
	for size, limit := range resources.HugePageLimit {
		name, err := v1helper.HugePageUnitSizeFromByteSize(size)
		if err != nil {
			return nil, err
		}
		pages[name] = limit
	}
	return map[string]any{
		"cpuShares": resources.CPUShares, "cpuQuota": resources.CPUQuota, "cpuPeriod": resources.CPUPeriod,
		"memoryLimitInBytes": resources.Memory, "pages": pages,
	}, nil
}

func quantity(texts []string) (any, error) {
	one, err := resource.ParseQuantity(texts[0])
	if err != nil {
		return nil, err
	}
	other, err := resource.ParseQuantity(texts[1])
	if err != nil {
		return nil, err
	}
	sum := one.DeepCopy()
	sum.Add(other)
	// Parsed again: a quantity remembers the text that it came from.
	again := one.DeepCopy()
	again.Neg()
	again.Neg()
	return map[string]any{
		"canonical": again.String(), "compared": one.Cmp(other), "sum": sum.String(),
		"value": strconv.FormatInt(one.Value(), 10), "milliValue": strconv.FormatInt(one.MilliValue(), 10),
	}, nil
}

// decoded is a pod as an API server and a kubelet read it: with its defaults, in the internal type.
func decoded(with json.RawMessage) (*core.Pod, error) {
	object, err := runtime.Decode(legacyscheme.Codecs.UniversalDecoder(), with)
	if err != nil {
		return nil, err
	}
	pod, ok := object.(*core.Pod)
	if !ok {
		return nil, fmt.Errorf("%T is no pod", object)
	}
	return pod, nil
}

func (f functions) columns(with json.RawMessage) (any, error) {
	pod, err := decoded(with)
	if err != nil {
		return nil, err
	}
	table, err := f.table.GenerateTable(pod, printers.GenerateOptions{Wide: true})
	if err != nil {
		return nil, err
	}
	return table.Rows[0].Cells, nil
}

func defaulted(with json.RawMessage) (any, error) {
	pod, err := decoded(with)
	if err != nil {
		return nil, err
	}
	var written v1.Pod
	err = corev1.Convert_core_Pod_To_v1_Pod(pod, &written, nil)
	return written, err
}

func validated(with json.RawMessage) (any, error) {
	pod, err := decoded(with)
	if err != nil {
		return nil, err
	}
	options := podutil.GetValidationOptionsFromPodSpecAndMeta(&pod.Spec, nil, &pod.ObjectMeta, nil)
	options.ResourceIsPod = true
	problems := []map[string]string{}
	for _, problem := range validation.ValidatePodCreate(pod, options) {
		problems = append(problems, map[string]string{
			"field": problem.Field, "message": problem.ErrorBody(), "reason": string(problem.Type),
		})
	}
	return problems, nil
}
