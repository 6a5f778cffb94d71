// Package bind makes components of C sources (package c/encode) and an LKS
// (package lks) of what a specification says about them (package internal/c/specification): names are
// resolved, C expressions get the meaning that they have in the sources, guards of
// abstractions are shown to exclude each other and to cover all cases, and what a
// procedure returns is split into classes, one for each set of conditions of the
// specification that a value satisfies. docs/c.md says what a component is.
package bind
