package serve

import "embed"

// assets is the page: index.html, its style and its scripts. run.js and report.css are those of
// reports.
//
//go:embed assets
var assets embed.FS
