//go:build tools

// Package tools imports the program that this module builds, so that go.mod and go.sum pin its dependencies.
//
// `go install` would name the program cmd, after its folder. To move to another version: require it, run `go mod tidy`,
// and set the same version in tools/versions.ts.
package tools

import (
	_ "sigs.k8s.io/lws/cmd"
)
