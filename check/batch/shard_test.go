package batch

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseShard(t *testing.T) {
	for _, wrong := range []string{"", "3", "0/8", "9/8", "3/", "/8", "-1/8", "3/8/1", "a/b", "3 / 8"} {
		if s, err := ParseShard(wrong); err == nil {
			t.Errorf("%q is read as %v", wrong, s)
		}
	}
	if s, err := ParseShard("3/8"); err != nil || s != (Shard{3, 8}) {
		t.Errorf("%v, %v", s, err)
	}
}

func TestShardOf(t *testing.T) {
	slurm := "SLURM_ARRAY_TASK_ID=%d SLURM_ARRAY_TASK_MIN=%d SLURM_ARRAY_TASK_MAX=%d SLURM_ARRAY_TASK_COUNT=%d"
	for _, c := range []struct {
		asked  string
		shards int
		env    string
		want   string // the shard and who said it, or a part of the error
	}{
		{"", 0, "", "1/1 "},
		{"", 1, "", "1/1 "},
		{"3/8", 0, "", "3/8 --shard"},
		{"3/8", 8, "", "3/8 --shard"},
		{"3/8", 9, "", "--shard 3/8 and --shards 9 contradict each other"},
		{"", 8, "", "nothing which one this is"},
		{"", 8, "JOB_COMPLETION_INDEX=0", "1/8 JOB_COMPLETION_INDEX=0"},
		{"", 8, "JOB_COMPLETION_INDEX=7", "8/8 JOB_COMPLETION_INDEX=7"},
		{"", 8, "JOB_COMPLETION_INDEX=8", "of 8 shards the last is 7"},
		{"", 0, "JOB_COMPLETION_INDEX=2", "nothing how many there are"},
		{"", 8, "JOB_COMPLETION_INDEX=two", "a number from 0 is needed"},
		{"", 8, "JOB_COMPLETION_INDEX=-1", "a number from 0 is needed"},
		{"3/8", 0, "JOB_COMPLETION_INDEX=2", "3/8 --shard"},
		{"3/8", 0, "JOB_COMPLETION_INDEX=3", "contradict each other"},
		{"", 0, fmt.Sprintf(slurm, 5, 5, 12, 8), "1/8 SLURM_ARRAY_TASK_ID=5"},
		{"", 0, fmt.Sprintf(slurm, 12, 5, 12, 8), "8/8 SLURM_ARRAY_TASK_ID=12"},
		{"", 0, fmt.Sprintf(slurm, 7, 3, 7, 2), "not numbered one after the other"},
		{"", 0, fmt.Sprintf(slurm, 4, 0, 8, 5), "not numbered one after the other"}, // 0-8:2
		{"", 0, "SLURM_ARRAY_TASK_ID=3", "not numbered one after the other"},
		{"", 8, fmt.Sprintf(slurm, 7, 3, 7, 2), "8/8 SLURM_ARRAY_TASK_ID=7"}, // some of them once more
		{"", 8, "SLURM_ARRAY_TASK_ID=8", "make the array 0-7"},
		{"", 8, "SLURM_ARRAY_TASK_ID=x", "a number from 0 is needed"},
		{"", 8, "JOB_COMPLETION_INDEX=2 SLURM_ARRAY_TASK_ID=2", "3/8 JOB_COMPLETION_INDEX=2"},
		{"", 8, "JOB_COMPLETION_INDEX=2 SLURM_ARRAY_TASK_ID=3", "are both set, and mean the shards 3/8 and 4/8"},
	} {
		env := map[string]string{}
		for _, one := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(one, "=")
			env[name] = value
		}
		var asked Shard
		if c.asked != "" {
			asked, _ = ParseShard(c.asked)
		}
		s, from, err := ShardOf(asked, c.shards, func(name string) string { return env[name] })
		got := fmt.Sprintf("%v %s", s, from)
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("--shard %q --shards %d %s: %s, want %s", c.asked, c.shards, c.env, got, c.want)
		}
	}
}

// The shards of a list have each question once.
func TestShards(t *testing.T) {
	var tasks []*Task
	for i := range 100 {
		tasks = append(tasks, &Task{Key: fmt.Sprint("key ", i%37)})
	}
	for n := 1; n < 50; n++ {
		seen := map[string]int{}
		least, most := 100, 0
		for k := 1; k <= n; k++ {
			mine := Shard{k, n}.Of(tasks)
			least, most = min(least, len(mine)), max(most, len(mine))
			for _, task := range mine {
				seen[task.Key]++
			}
		}
		for key, times := range seen {
			if times != 1 {
				t.Errorf("%d shards: %s is in %d of them", n, key, times)
			}
		}
		if len(seen) != 37 || most-least > 1 {
			t.Errorf("%d shards have %d questions, from %d to %d each", n, len(seen), least, most)
		}
	}
}
