package batch

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is the K-th of N parts of a list, K from 1.
type Shard struct{ K, N int }

// Whole is the only part of a list that is not split.
var Whole = Shard{1, 1}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.K, s.N) }

// ParseShard reads K/N.
func ParseShard(text string) (Shard, error) {
	k, n, ok := strings.Cut(text, "/")
	s := Shard{}
	var errK, errN error
	s.K, errK = strconv.Atoi(k)
	s.N, errN = strconv.Atoi(n)
	if !ok || errK != nil || errN != nil || s.K < 1 || s.K > s.N {
		return Shard{}, fmt.Errorf("%q: a part of so many is needed, K/N, with K from 1 to N, such as 3/8", text)
	}
	return s, nil
}

// The variables that say which part of a job a process is.
const (
	kubernetesIndex = "JOB_COMPLETION_INDEX"
	slurmIndex      = "SLURM_ARRAY_TASK_ID"
)

// ShardOf finds out which part of a list is to be done: the one that is asked for (the zero
// value: none is), or what the surroundings say, of shards (0: not said) in all. from says
// who said it, "" if nobody did. Contradictions are errors.
func ShardOf(asked Shard, shards int, getenv func(string) string) (s Shard, from string, err error) {
	if asked.N > 0 && shards > 0 && asked.N != shards {
		return s, "", fmt.Errorf("--shard %v and --shards %d contradict each other", asked, shards)
	}
	var said []Shard
	var names []string
	for _, one := range []struct {
		name string
		read func(string, int, func(string) string) (Shard, error)
	}{{kubernetesIndex, indexed}, {slurmIndex, slurmArray}} {
		value := getenv(one.name)
		if value == "" {
			continue
		}
		n := shards
		if asked.N > 0 {
			n = asked.N
		}
		part, err := one.read(value, n, getenv)
		if err != nil {
			return s, "", err
		}
		said, names = append(said, part), append(names, one.name)
	}
	switch {
	case len(said) == 2 && said[0] != said[1]:
		return s, "", fmt.Errorf("%s and %s are both set, and mean the shards %v and %v: unset one of them", names[0], names[1], said[0], said[1])
	case len(said) > 0 && asked.N > 0 && said[0] != asked:
		return s, "", fmt.Errorf("--shard %v and %s=%s, which means %v, contradict each other: leave --shard out, or unset the variable", asked, names[0], getenv(names[0]), said[0])
	case asked.N > 0:
		return asked, "--shard", nil
	case len(said) > 0:
		return said[0], names[0] + "=" + getenv(names[0]), nil
	case shards > 1:
		return s, "", fmt.Errorf("--shards %d says how many there are, and nothing which one this is: give --shard K/%d, or run it where %s or %s is set", shards, shards, kubernetesIndex, slurmIndex)
	}
	return Whole, "", nil
}

// indexed reads the index of an Indexed Job of Kubernetes, from 0.
func indexed(value string, shards int, _ func(string) string) (Shard, error) {
	i, err := strconv.Atoi(value)
	switch {
	case err != nil || i < 0:
		return Shard{}, fmt.Errorf("%s=%s: a number from 0 is needed", kubernetesIndex, value)
	case shards == 0:
		return Shard{}, fmt.Errorf("%s=%s says which shard this is, and nothing how many there are: give --shards N, with the job's completions", kubernetesIndex, value)
	case i >= shards:
		return Shard{}, fmt.Errorf("%s=%s: of %d shards the last is %d: make --shards what the job's completions are", kubernetesIndex, value, shards, shards-1)
	}
	return Shard{i + 1, shards}, nil
}

// slurmArray reads the index of a task of a Slurm array. With a number of shards it counts
// from 0; without, the tasks of the array are the shards.
func slurmArray(value string, shards int, getenv func(string) string) (Shard, error) {
	id, err := strconv.Atoi(value)
	if err != nil || id < 0 {
		return Shard{}, fmt.Errorf("%s=%s: a number from 0 is needed", slurmIndex, value)
	}
	if shards > 0 {
		if id >= shards {
			return Shard{}, fmt.Errorf("%s=%s: of %d shards the last is %d: make the array 0-%d", slurmIndex, value, shards, shards-1, shards-1)
		}
		return Shard{id + 1, shards}, nil
	}
	read := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(getenv(name)); err == nil {
			return n
		}
		return otherwise
	}
	count, least, most := read("SLURM_ARRAY_TASK_COUNT", 0), read("SLURM_ARRAY_TASK_MIN", -1), read("SLURM_ARRAY_TASK_MAX", -1)
	if count < 1 || least < 0 || most-least+1 != count || id < least || id > most {
		return Shard{}, fmt.Errorf("%s=%s: the tasks of this array are not numbered one after the other, so they are not the shards: give --shards N, and number from 0", slurmIndex, value)
	}
	return Shard{id - least + 1, count}, nil
}

// Of returns the tasks of the shard. A question that is asked twice is one. Neighbours are in
// different shards: in a list over a parameter the last tasks take longest.
func (s Shard) Of(tasks []*Task) (mine []*Task) {
	seen := make(map[string]bool, len(tasks))
	for _, t := range tasks {
		if seen[t.Key] {
			continue
		}
		if len(seen)%s.N == s.K-1 {
			mine = append(mine, t)
		}
		seen[t.Key] = true
	}
	return mine
}
