package deadlock

import "github.com/seltl/seltl/internal/budget"

func testMeter() *budget.Meter { return budget.New(nil, budget.Limits{}, nil) }
