package kubelet

import (
	"net"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/kubernetes/fake"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
)

// NodescopeObjects are the objects of an API server.
type NodescopeObjects struct {
	ConfigMaps []v1.ConfigMap `json:"configMaps"`
	Secrets    []v1.Secret    `json:"secrets"`
	Services   []v1.Service   `json:"services"`
}

type givenConfigMaps []v1.ConfigMap

func (givenConfigMaps) RegisterPod(*v1.Pod)   {}
func (givenConfigMaps) UnregisterPod(*v1.Pod) {}
func (g givenConfigMaps) GetConfigMap(namespace, name string) (*v1.ConfigMap, error) {
	for i := range g {
		if g[i].Namespace == namespace && g[i].Name == name {
			return &g[i], nil
		}
	}
	return nil, apierrors.NewNotFound(v1.Resource("configmap"), name)
}

type givenSecrets []v1.Secret

func (givenSecrets) RegisterPod(*v1.Pod)   {}
func (givenSecrets) UnregisterPod(*v1.Pod) {}
func (g givenSecrets) GetSecret(namespace, name string) (*v1.Secret, error) {
	for i := range g {
		if g[i].Namespace == namespace && g[i].Name == name {
			return &g[i], nil
		}
	}
	return nil, apierrors.NewNotFound(v1.Resource("secret"), name)
}

// NodescopeEnvironment is the environment of the pod's first container when it starts.
func NodescopeEnvironment(pod *v1.Pod, podIPs, hostIPs []string, allocatable v1.ResourceList, synced bool, objects NodescopeObjects) ([]kubecontainer.EnvVar, error) {
	node := &v1.Node{}
	node.Name = "node"
	node.Status.Allocatable = allocatable
	kl := &Kubelet{
		nodeName:         "node",
		kubeClient:       fake.NewClientset(),
		configMapManager: givenConfigMaps(objects.ConfigMaps),
		secretManager:    givenSecrets(objects.Secrets),
		serviceHasSynced: func() bool { return synced },
	}
	for _, ip := range hostIPs {
		kl.nodeIPs = append(kl.nodeIPs, net.ParseIP(ip))
		node.Status.Addresses = append(node.Status.Addresses, v1.NodeAddress{Type: v1.NodeInternalIP, Address: ip})
	}
	nodes := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	_ = nodes.Add(node)
	kl.nodeLister = corelisters.NewNodeLister(nodes)
	services := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for i := range objects.Services {
		_ = services.Add(&objects.Services[i])
	}
	kl.serviceLister = corelisters.NewServiceLister(services)
	podIP := ""
	if len(podIPs) > 0 {
		podIP = podIPs[0]
	}
	return kl.makeEnvironmentVariables(pod, &pod.Spec.Containers[0], podIP, podIPs, nil)
}
