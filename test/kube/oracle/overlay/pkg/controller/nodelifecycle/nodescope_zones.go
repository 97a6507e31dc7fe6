package nodelifecycle

import (
	"context"
	"fmt"
	"sort"
	"time"

	coordv1 "k8s.io/api/coordination/v1"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	coordlisters "k8s.io/client-go/listers/coordination/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/controller/nodelifecycle/scheduler"
)

// Zones is a node lifecycle controller with the defaults of kube-controller-manager, whose loops are run by hand. It reads
// nodes from the API server itself, and looks at them one after the other by name.
type Zones struct {
	controller *Controller
	client     *fake.Clientset
	leases     cache.Indexer
	uids       int
}

type currentNodes struct{ client *fake.Clientset }

func (c currentNodes) Get(name string) (*v1.Node, error) {
	return c.client.CoreV1().Nodes().Get(context.Background(), name, metav1.GetOptions{})
}

func (c currentNodes) List(labels.Selector) ([]*v1.Node, error) {
	list, err := c.client.CoreV1().Nodes().List(context.Background(), metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	nodes := make([]*v1.Node, 0, len(list.Items))
	for i := range list.Items {
		nodes = append(nodes, &list.Items[i])
	}
	sort.Slice(nodes, func(i, j int) bool { return nodes[i].Name < nodes[j].Name })
	return nodes, nil
}

func NewZones() *Zones {
	scheduler.InOrder()
	client := fake.NewSimpleClientset()
	leases := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	nc := &Controller{
		kubeClient:                  client,
		now:                         metav1.Now,
		knownNodeSet:                make(map[string]*v1.Node),
		nodeHealthMap:               newNodeHealthMap(),
		recorder:                    &record.FakeRecorder{},
		nodeMonitorPeriod:           5 * time.Second,
		nodeStartupGracePeriod:      time.Minute,
		nodeMonitorGracePeriod:      50 * time.Second,
		nodeUpdateWorkerSize:        1,
		zoneNoExecuteTainter:        make(map[string]*scheduler.RateLimitedTimedQueue),
		zoneStates:                  make(map[string]ZoneState),
		evictionLimiterQPS:          0.1,
		secondaryEvictionLimiterQPS: 0.01,
		largeClusterThreshold:       50,
		unhealthyZoneThreshold:      0.55,
		nodeLister:                  currentNodes{client},
		leaseLister:                 coordlisters.NewLeaseLister(leases),
		getPodsAssignedToNode:       func(string) ([]*v1.Pod, error) { return nil, nil },
	}
	nc.enterPartialDisruptionFunc = nc.ReducedQPSFunc
	nc.enterFullDisruptionFunc = nc.HealthyQPSFunc
	nc.computeZoneStateFunc = nc.ComputeZoneState
	return &Zones{controller: nc, client: client, leases: leases}
}

// ZoneNode is what a node says of itself.
type ZoneNode struct {
	Name   string
	Labels map[string]string
	Ready  v1.ConditionStatus
}

// Post creates the node or writes its labels and its status, as a kubelet does.
func (z *Zones) Post(said ZoneNode) error {
	ctx, nodes := context.Background(), z.client.CoreV1().Nodes()
	// As it is read from an API server: a patch would make another value of it, which would count as another heartbeat.
	now := metav1.NewTime(metav1.Now().Rfc3339Copy().Local())
	ready := v1.NodeCondition{Type: v1.NodeReady, Status: said.Ready, LastHeartbeatTime: now, LastTransitionTime: now}
	node, err := nodes.Get(ctx, said.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		z.uids++
		node = &v1.Node{ObjectMeta: metav1.ObjectMeta{
			Name: said.Name, UID: types.UID(fmt.Sprint(z.uids)), Labels: said.Labels, CreationTimestamp: metav1.Now(),
		}}
		node.Status.Conditions = []v1.NodeCondition{ready}
		_, err = nodes.Create(ctx, node, metav1.CreateOptions{})
		return err
	}
	if err != nil {
		return err
	}
	node.Labels = said.Labels
	for i := range node.Status.Conditions {
		if node.Status.Conditions[i].Type == v1.NodeReady {
			node.Status.Conditions[i] = ready
		}
	}
	_, err = nodes.Update(ctx, node, metav1.UpdateOptions{})
	return err
}

// Remove deletes the node and its lease.
func (z *Zones) Remove(name string) error {
	_ = z.leases.Delete(lease(name))
	return z.client.CoreV1().Nodes().Delete(context.Background(), name, metav1.DeleteOptions{})
}

func lease(name string) *coordv1.Lease {
	now := metav1.NowMicro()
	return &coordv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: v1.NamespaceNodeLease, Name: name},
		Spec:       coordv1.LeaseSpec{RenewTime: &now},
	}
}

// Renew renews the lease of a node.
func (z *Zones) Renew(name string) error { return z.leases.Update(lease(name)) }

// Run runs the loops from the middle between two looks at the nodes to the middle between the next two.
func (z *Zones) Run() error {
	half := int(z.controller.nodeMonitorPeriod / scheduler.NodeEvictionPeriod / 2)
	for pass := 1; pass <= 2*half; pass++ {
		time.Sleep(scheduler.NodeEvictionPeriod)
		if pass != half {
			z.controller.doNoExecuteTaintingPass(context.Background())
		} else if err := z.controller.monitorNodeHealth(context.Background()); err != nil {
			return err
		} else {
			// A look takes time.
			time.Sleep(time.Millisecond)
		}
	}
	return nil
}

// Nodes are the names of all nodes, with the status of Ready and the NoExecute taints.
func (z *Zones) Nodes() ([]string, error) {
	nodes, err := z.controller.nodeLister.List(labels.Everything())
	found := []string{}
	for _, node := range nodes {
		line := node.Name
		for _, condition := range node.Status.Conditions {
			if condition.Type == v1.NodeReady {
				line += " " + string(condition.Status)
			}
		}
		for _, taint := range node.Spec.Taints {
			if taint.Effect == v1.TaintEffectNoExecute {
				line += " " + taint.Key
			}
		}
		found = append(found, line)
	}
	return found, err
}
