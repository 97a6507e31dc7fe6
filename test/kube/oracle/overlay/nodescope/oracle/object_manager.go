package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/kubernetes/pkg/kubelet/util/manager"
	"k8s.io/utils/clock"
)

func init() {
	subjects["objectManager"] = func() (subject, error) {
		return inBubble(func() (subject, error) { return objectManagers{}, nil })
	}
}

// objectManagers take a new manager of ConfigMaps through its life with every question.
type objectManagers struct{}

type objectStep struct {
	// register, unregister, get, put, delete or none.
	Act string
	Pod types.UID
	// What the pod refers to.
	Names     []string
	Name      string
	Immutable bool
	// ms: how long a list takes from now on.
	ListTakes int64
	Ms        int64
}

type objectLife struct {
	// ms.
	ResyncInterval int64
	Steps          []objectStep
}

// objectServer has ConfigMaps of one namespace.
type objectServer struct {
	lock      sync.Mutex
	began     time.Time
	lines     []string
	listTakes time.Duration
	version   int
	objects   map[string]*v1.ConfigMap
	watches   map[*openWatch]bool
}

type openWatch struct {
	*watch.RaceFreeFakeWatcher
	server *objectServer
	name   string
}

func (w *openWatch) Stop() {
	w.server.lock.Lock()
	delete(w.server.watches, w)
	w.server.lock.Unlock()
	w.RaceFreeFakeWatcher.Stop()
}

func (s *objectServer) write(format string, args ...any) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.lines = append(s.lines, fmt.Sprintf("%8d %s", time.Since(s.began).Milliseconds(), fmt.Sprintf(format, args...)))
}

func nameIn(options metav1.ListOptions) string {
	return strings.TrimPrefix(options.FieldSelector, "metadata.name=")
}

func (s *objectServer) list(_ string, options metav1.ListOptions) (runtime.Object, error) {
	name := nameIn(options)
	s.write("list %s", name)
	s.lock.Lock()
	takes := s.listTakes
	s.lock.Unlock()
	time.Sleep(takes)
	s.lock.Lock()
	defer s.lock.Unlock()
	list := &v1.ConfigMapList{ListMeta: metav1.ListMeta{ResourceVersion: strconv.Itoa(s.version)}}
	if object := s.objects[name]; object != nil {
		list.Items = append(list.Items, *object.DeepCopy())
	}
	return list, nil
}

func (s *objectServer) watch(_ string, options metav1.ListOptions) (watch.Interface, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	w := &openWatch{watch.NewRaceFreeFake(), s, nameIn(options)}
	s.watches[w] = true
	return w, nil
}

// change puts an object, or deletes it if next is nil.
func (s *objectServer) change(name string, next *v1.ConfigMap) {
	s.lock.Lock()
	defer s.lock.Unlock()
	last := s.objects[name]
	if last == nil && next == nil {
		return
	}
	s.version++
	kind, told := watch.Modified, next
	switch {
	case next == nil:
		kind, told = watch.Deleted, last.DeepCopy()
		delete(s.objects, name)
	case last == nil:
		kind = watch.Added
	}
	told.ResourceVersion = strconv.Itoa(s.version)
	if next != nil {
		s.objects[name] = next
	}
	for w := range s.watches {
		if w.name == name {
			w.Action(kind, told.DeepCopy())
		}
	}
}

func (s *objectServer) watched() []string {
	s.lock.Lock()
	defer s.lock.Unlock()
	names := []string{}
	for w := range s.watches {
		names = append(names, w.name)
	}
	sort.Strings(names)
	return names
}

func referred(pod *v1.Pod) sets.Set[string] {
	names := sets.New[string]()
	for _, volume := range pod.Spec.Volumes {
		names.Insert(volume.ConfigMap.Name)
	}
	return names
}

func (s objectStep) pod() *v1.Pod {
	pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: string(s.Pod), UID: s.Pod}}
	for _, name := range s.Names {
		source := &v1.ConfigMapVolumeSource{LocalObjectReference: v1.LocalObjectReference{Name: name}}
		pod.Spec.Volumes = append(pod.Spec.Volumes, v1.Volume{Name: name, VolumeSource: v1.VolumeSource{ConfigMap: source}})
	}
	return pod
}

func (objectManagers) answer(ask string, with json.RawMessage) (any, error) {
	if ask != "run" {
		return nil, fmt.Errorf("the manager of objects does not answer %q", ask)
	}
	var life objectLife
	if err := json.Unmarshal(with, &life); err != nil {
		return nil, err
	}
	server := &objectServer{began: time.Now(), objects: map[string]*v1.ConfigMap{}, watches: map[*openWatch]bool{}}
	stopped := make(chan struct{})
	defer synctest.Wait()
	defer close(stopped)
	// As NewWatchBasedManager, with an end.
	store := manager.NewObjectCache(server.list, server.watch, func() runtime.Object { return &v1.ConfigMap{} },
		func(object runtime.Object) bool {
			configMap := object.(*v1.ConfigMap)
			return configMap.Immutable != nil && *configMap.Immutable
		}, v1.Resource("configmap"), clock.RealClock{},
		5*time.Duration(life.ResyncInterval)*time.Millisecond, stopped)
	objects := manager.NewCacheBasedManager(store, referred)
	// Idle watches are looked for at every minute: not at the moment of a step.
	time.Sleep(50 * time.Millisecond)
	for number, step := range life.Steps {
		server.lock.Lock()
		server.listTakes = time.Duration(step.ListTakes) * time.Millisecond
		server.lock.Unlock()
		switch step.Act {
		case "register":
			objects.RegisterPod(step.pod())
			// Before the first list ends.
			manager.NodescopeResyncLate(store)
		case "unregister":
			objects.UnregisterPod(step.pod())
		case "put":
			server.change(step.Name, &v1.ConfigMap{
				ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: step.Name},
				Data:       map[string]string{"step": strconv.Itoa(number)},
				Immutable:  &step.Immutable,
			})
		case "delete":
			server.change(step.Name, nil)
		case "get":
			go func() {
				object, err := objects.GetObject("n", step.Name)
				if err != nil {
					server.write("get %d %s: %s", number, step.Name, err)
					return
				}
				server.write("get %d %s: step %s", number, step.Name, object.(*v1.ConfigMap).Data["step"])
			}()
		}
		time.Sleep(time.Duration(step.Ms) * time.Millisecond)
		synctest.Wait()
		server.write("watched %v", server.watched())
	}
	server.lock.Lock()
	defer server.lock.Unlock()
	sort.Strings(server.lines)
	return append([]string{}, server.lines...), nil
}
