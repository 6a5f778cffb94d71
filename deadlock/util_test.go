package deadlock

import "github.com/seltl/seltl/budget"

func testMeter() *budget.Meter { return budget.New(nil, budget.Limits{}, nil) }
