//go:build tools

// Package tools keeps KWOK's command among the module's requirements.
package tools

import _ "sigs.k8s.io/kwok/cmd/kwok"
