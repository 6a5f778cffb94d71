//go:build !unix

package cputime

import "os"

// Peak is not known here.
func Peak(*os.ProcessState) float64 { return 0 }

// OwnPeak returns 0: it is not known.
func OwnPeak() float64 { return 0 }
