// Package batch works off lists of questions on many machines: each question of a list
// is a unit, each unit has one result in a folder that all machines share, and nothing
// else passes between them.
//
//	list.go    work lists: one command a line, or JSON lines
//	words.go   their words: quotes, and braces that stand for several words
//	question.go  the name of a result: a hash of all that it depends on
//	folder.go  results and plans in a folder, written whole or not at all
//	shard.go   which part of a list is whose
//	run.go     units that have no result yet are asked, one or several at a time
//	merge.go   one report of all results, and what is missing
//
// A unit is a command line of seltl. Which commands there are, what files they read, and
// how they are answered its callers know: nothing here knows flags. So two
// machines may do the same unit, a machine may die at any moment, and a list may be split
// otherwise the next time: what is there is not done again, and the rest is.
//
// # Decisions
//
// A unit of a work list is a command line (check/batch), and is run by the command itself with its report
// taken (cmdline.Streams.Take), its files opened by who knows which ones its key names, and their names relative to
// the first of them: so every command and flag is there without being told twice, and a key and a report
// are the same wherever a list lies. urfave/cli has state in common, so command lines are read one at a
// time, and run at once.
package batch
