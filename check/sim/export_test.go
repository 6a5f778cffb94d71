package sim

// KeepAll has a session keep every point of its run.
func (s *Program) KeepAll() { s.kept.most, s.kept.bytes = 1<<40, 1<<60 }

// Kept is how many points are kept.
func (s *Program) Kept() int { return len(s.kept.all) }
