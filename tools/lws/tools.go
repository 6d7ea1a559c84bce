//go:build tools

// Package tools names the program this module exists to build, so that go.mod and go.sum pin all it needs.
//
// `go install` would call the program cmd, after its folder. To move to another version: require it, run `go mod tidy`,
// and set the same version in tools/versions.ts.
package tools

import (
	_ "sigs.k8s.io/lws/cmd"
)
