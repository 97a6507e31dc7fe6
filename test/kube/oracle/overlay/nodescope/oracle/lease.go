package main

import (
	"context"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/component-helpers/apimachinery/lease"
	kubeletutil "k8s.io/kubernetes/pkg/kubelet/util"
	"k8s.io/utils/clock"
)

// leaseScript is how an API server answers, call after call, and what its lease is like.
type leaseScript struct {
	Answers []string
	Holder  string
	IsOwned bool
}

type leaseCall struct {
	// ms since the last call.
	Gap      int64  `json:"gap"`
	Verb     string `json:"verb"`
	Resource string `json:"resource"`
	// What is written.
	Holder   string `json:"holder,omitempty"`
	Owner    string `json:"owner,omitempty"`
	Duration int32  `json:"duration,omitempty"`
	// How often connections were closed before it.
	Closed int `json:"closed"`
}

type leaseServer struct {
	sync.Mutex
	leaseScript
	calls  []leaseCall
	last   time.Time
	closed int
	done   chan struct{}
}

func refusal(answer string) error {
	leases := schema.GroupResource{Group: "coordination.k8s.io", Resource: "leases"}
	switch answer {
	case "not-found":
		return apierrors.NewNotFound(leases, "n")
	case "conflict":
		return apierrors.NewConflict(leases, "n", nil)
	case "forbidden":
		return apierrors.NewForbidden(leases, "n", nil)
	case "unavailable":
		return apierrors.NewServiceUnavailable("away")
	default:
		return nil
	}
}

func (s *leaseServer) react(action clienttesting.Action) (bool, runtime.Object, error) {
	s.Lock()
	defer s.Unlock()
	if len(s.calls) == len(s.Answers) {
		return true, nil, apierrors.NewServiceUnavailable("over")
	}
	call := leaseCall{
		Gap: time.Since(s.last).Milliseconds(), Verb: action.GetVerb(), Resource: action.GetResource().Resource,
		Closed: s.closed,
	}
	var written *coordinationv1.Lease
	switch its := action.(type) {
	case clienttesting.CreateActionImpl:
		written = its.GetObject().(*coordinationv1.Lease)
	case clienttesting.UpdateActionImpl:
		written = its.GetObject().(*coordinationv1.Lease)
	}
	if written != nil {
		if holder := written.Spec.HolderIdentity; holder != nil {
			call.Holder = *holder
		}
		call.Owner = string(written.OwnerReferences[0].UID)
		call.Duration = *written.Spec.LeaseDurationSeconds
	}
	answer := s.Answers[len(s.calls)]
	s.calls = append(s.calls, call)
	s.last = time.Now()
	if len(s.calls) == len(s.Answers) {
		close(s.done)
	}
	if err := refusal(answer); err != nil {
		return true, nil, err
	}
	if call.Resource == "nodes" {
		node := &v1.Node{}
		node.UID = "node-uid"
		return true, node, nil
	}
	if written != nil {
		return true, written, nil
	}
	return true, s.lease(), nil
}

func (s *leaseServer) lease() *coordinationv1.Lease {
	there := &coordinationv1.Lease{}
	there.Name = "n"
	there.Spec.HolderIdentity = &s.Holder
	if s.IsOwned {
		there.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: "n", UID: "first-uid"}}
	}
	return there
}

// leaseCalls are the calls that a kubelet's lease controller makes until the script is over.
func leaseCalls(script leaseScript) (any, error) {
	server := &leaseServer{leaseScript: script, last: time.Now(), done: make(chan struct{})}
	client := &fake.Clientset{}
	client.AddReactor("*", "*", server.react)
	onFailure := func() {
		server.Lock()
		defer server.Unlock()
		server.closed++
	}
	ctx, cancel := context.WithCancel(context.Background())
	controller := lease.NewController(clock.RealClock{}, client, "n", 40, onFailure, 10*time.Second, "n",
		v1.NamespaceNodeLease, kubeletutil.SetNodeOwnerFunc(client, "n"))
	ended := make(chan struct{})
	go func() {
		controller.Run(ctx)
		close(ended)
	}()
	<-server.done
	cancel()
	<-ended
	return server.calls, nil
}
