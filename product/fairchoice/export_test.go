package fairchoice

// SetLostMost lets the search for the shortest stem that is certain expand so many places;
// 0: as always.
func SetLostMost(most int) { lostMost = most }
