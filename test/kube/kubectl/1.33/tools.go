//go:build tools

// Package tools keeps kubectl among the module's requirements.
package tools

import _ "k8s.io/kubernetes/cmd/kubectl"
