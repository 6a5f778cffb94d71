module github.com/seltl/seltl/cluster

go 1.26.0

require github.com/seltl/seltl v0.0.0

replace github.com/seltl/seltl => ../
