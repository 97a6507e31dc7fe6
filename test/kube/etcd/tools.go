//go:build tools

// Package tools keeps etcd's server among the module's requirements.
package tools

import _ "go.etcd.io/etcd/server/v3"
