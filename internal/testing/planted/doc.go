// Package planted plants faults, one at a time, into a copy of the repository, and sees that the suites of
// make test notice each: in what encodes C, in what binds specifications to it, in passes, and in what is
// said of assumptions. It is a test that takes ten minutes or more:
//
//	SELTL_PLANTED=all go test -timeout 6h -v ./internal/testing/planted
//	SELTL_PLANTED="a guard" go test -timeout 6h -v ./internal/testing/planted
package planted
