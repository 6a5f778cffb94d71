// Package serve shows models in a browser, live: they are edited, checked, drawn and stepped
// through there. It maps requests to package check, its rooms and what lies below, and analyses nothing.
//
//	server       what there is, how it begins and ends
//	guard        who may ask: host, origin, token; headers; panics
//	listen       addresses
//	connections  a bound on them
//	api          requests and answers in general
//	folder       the files that it may read and write
//	document     the text of an editor, read; mistakes in it with their places
//	checks       questions that are being answered, and their answers
//	simulate     sessions of check/sim
//	pictures     compositions and automata as drawings
//
// Answers are JSON; a picture in one is a text, which the page takes apart before it shows it.
// The page, in assets, is plain JavaScript. What was checked and stepped stays here, so that a
// page that is loaded again, or was cut off, finds it by its number.
package serve
