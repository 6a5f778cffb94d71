// Package batches has the command batch: units are command lines of the program itself, done in this
// process or in others.
package batches
