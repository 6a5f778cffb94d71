// Package trials has no code but tests: of the program seltl-cluster from outside, as its
// users run it, as processes that are asked, killed, stopped, cut off and lied to. What it
// answers is compared with one process. SELTL_CLUSTER names a program to try instead of
// one that is built; those of minutes run only where SELTL_SOAK makes them longer (make soak-cluster).
package trials
