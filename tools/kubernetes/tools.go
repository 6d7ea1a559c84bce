//go:build tools

// Package tools imports the programs that this module builds, so that go.mod and go.sum pin their dependencies.
//
// Programs of k8s.io/kubernetes cannot be installed with `go install`: its go.mod replaces 31 staging modules with local
// folders. This module replaces each of them with its published version instead. To move to Kubernetes 1.Y.Z:
//
//  1. take the names on the `replace` lines of the go.mod that `go mod download -json k8s.io/kubernetes@v1.Y.Z` points at;
//  2. write `k8s.io/NAME => k8s.io/NAME v0.Y.Z` for each of them below `replace` in go.mod;
//  3. require k8s.io/kubernetes v1.Y.Z, run `go mod tidy`, and set the same version in tools/versions.ts.
package tools

import (
	_ "go.etcd.io/etcd/server/v3"
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
	_ "k8s.io/kubernetes/cmd/kube-scheduler"
	_ "k8s.io/kubernetes/cmd/kubectl"
)
