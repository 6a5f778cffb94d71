// Package programcmds has the commands about programs and clauses: reach, clp, program, check-certificate, and
// what verify, deadlock and conform do with C.
package programcmds
