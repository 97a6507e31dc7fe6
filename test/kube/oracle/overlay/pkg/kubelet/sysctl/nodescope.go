package sysctl

import (
	"context"

	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
)

// NodescopeAllowlist is the allowlist of a kubelet on that kernel, without sysctls that its administrator allows.
func NodescopeAllowlist(kernel string) (lifecycle.PodAdmitHandler, error) {
	safe := getSafeSysctlAllowlist(context.Background(), func() (*version.Version, error) {
		return version.ParseGeneric(kernel)
	})
	return NewAllowlist(safe)
}
