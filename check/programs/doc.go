// Package programs asks the questions that people have about programs with data, and puts the answers into
// a [report.Report], as package check does for models: C programs ([ReachC], [ReachRoutines]), C components
// with a specification ([ConformC], [VerifyC], [DeadlockC]), systems ([Reach]), Horn clauses ([CLP]), and
// certificates of the answers ([Certificate], [CertificateC], [Solution], [Summaries]). What a verdict about
// C rests on is listed here ([Assumables], [RestsOn]); runs of C programs that are stepped through are loaded
// by [StepC] and [StepSpecifiedC].
package programs
