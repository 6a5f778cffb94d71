package batch

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/seltl/seltl/bug"
)

// QuestionSchema identifies the form of a Question, which is a part of it: what is asked
// otherwise has another name.
const QuestionSchema = "seltl.question/1"

// Question is all that an answer depends on. Names of files are relative to the folder of
// the first of them, so that a list means the same wherever it lies.
type Question struct {
	Schema string   `json:"schema"`
	Build  string   `json:"build"` // of the program that answers
	Words  []string `json:"words"` // the command line
	Inputs []Input  `json:"inputs"`
}

// Input is a file that may be read for an answer.
type Input struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // of its text, in hexadecimal digits
}

// Key is the name of the question's result: the SHA-256 of the question, in hexadecimal
// digits.
func (q *Question) Key() string {
	text, err := json.Marshal(q)
	if err != nil {
		panic(bug.Errorf("batch", "a question has no text: %v", err))
	}
	return Digest(text)
}

// Digest names a text by its hash.
func Digest(text []byte) string {
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}

// Task is a unit that can be asked.
type Task struct {
	Unit
	Question Question
	Key      string   // Question.Key()
	Folder   string   // what names of files are relative to
	Words    []string // the command line that is run: the question's, and what changes no answer
	Apart    bool     // it needs a process for itself
}
