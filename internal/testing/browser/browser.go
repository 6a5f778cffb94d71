// Package browser opens pages in a real browser, for tests: in chromium without a window. What
// a page must never do is recorded: errors in its console, and requests for anything but itself, or
// its server.
package browser

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Page is a page in a browser.
type Page struct {
	t   testing.TB
	ctx context.Context
	url string

	mu       sync.Mutex
	problems []string
}

// program is the browser's, "" if there is none.
func program() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// mostTime is how long a test may use a page.
const mostTime = 2 * time.Minute

// Browser is a browser that runs until the end of a test.
type Browser struct{ ctx context.Context }

// features of chromium that are off: beside chromedp's, pages that it opens for suggestions in its
// own, never seen window, and the process that it keeps ready for the next page. They take half of
// all processor time.
const features = "Translate,BlinkGenPropertyTrees,WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess"

// Start starts a browser. The test is skipped where there is none.
func Start(t testing.TB) *Browser {
	t.Helper()
	path := program()
	if path == "" {
		t.Skip("SKIPPED: there is no chromium here (make setup-browser installs it)")
	}
	flags := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("disable-features", features))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), flags...)
	t.Cleanup(stop)
	ctx, closed := chromedp.NewContext(allocator)
	t.Cleanup(closed)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("browser: %v", err)
	}
	return &Browser{ctx}
}

// Open opens a page at a size of window, until the end of the test.
func (b *Browser) Open(t testing.TB, address string, width, height int) *Page {
	t.Helper()
	ctx, closed := chromedp.NewContext(b.ctx)
	t.Cleanup(closed)
	ctx, cancel := context.WithTimeout(ctx, mostTime)
	t.Cleanup(cancel)
	p := &Page{t: t, ctx: ctx, url: address}
	if err := chromedp.Listen(ctx, p.listen); err != nil {
		t.Fatalf("browser: %v", err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatalf("browser: %v", err)
	}
	p.Do(chromedp.EmulateViewport(int64(width), int64(height)), chromedp.Navigate(address))
	return p
}

// Media has the page rendered for a medium, "screen" or "print", "" for what it is, and with
// features and their values, such as prefers-color-scheme and dark, and no others.
func (p *Page) Media(medium string, features ...string) {
	p.t.Helper()
	params := emulation.SetEmulatedMediaParams{Media: medium}
	for i := 0; i+1 < len(features); i += 2 {
		params.Features = append(params.Features, &emulation.MediaFeature{Name: features[i], Value: features[i+1]})
	}
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, params); err != nil {
		p.t.Fatalf("browser: %v", err)
	}
}

// Offline cuts the page off the network, or ends that.
func (p *Page) Offline(on bool) {
	p.t.Helper()
	params := network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{{Offline: on, DownloadThroughput: -1, UploadThroughput: -1}}}
	if _, err := chromedp.Call(p.ctx, network.EmulateNetworkConditionsByRule, params); err != nil {
		p.t.Fatalf("browser: %v", err)
	}
}

// listen records what goes wrong.
func (p *Page) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.problems = append(p.problems, "exception: "+e.ExceptionDetails.Text+describe(e.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			p.problems = append(p.problems, fmt.Sprintf("console: %s of %d values", e.Type, len(e.Args)))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			p.problems = append(p.problems, "log: "+e.Entry.Text)
		}
	case *network.EventRequestWillBeSent:
		if !p.own(e.Request.URL) {
			p.problems = append(p.problems, "request: "+e.Request.URL)
		}
	}
}

// describe says what was thrown.
func describe(o *runtime.RemoteObject) string {
	if o == nil {
		return ""
	}
	return ": " + o.Description
}

// own reports whether a page may ask for an address: for itself or, if it comes from a server, for
// what is there.
func (p *Page) own(address string) bool {
	a, err := url.Parse(address)
	b, _ := url.Parse(p.url)
	return address == p.url || err == nil && b != nil && b.Scheme == "http" && (a.Scheme == b.Scheme && a.Host == b.Host || a.Scheme == "data" || a.Scheme == "blob")
}

// Problems are the errors in the console, and the requests for anything but the page, so far.
func (p *Page) Problems() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string{}, p.problems...)
}

// Do performs actions; the test ends if one fails.
func (p *Page) Do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatalf("browser: %v", err)
	}
}

// run performs an action that has a result.
func run[T any](p *Page, action chromedp.Action[T]) T {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, action)
	if err != nil {
		p.t.Fatalf("browser: %v", err)
	}
	return value
}

// Get evaluates a JavaScript expression.
func Get[T any](p *Page, expression string) T {
	p.t.Helper()
	return run(p, chromedp.Evaluate[T](expression))
}

// Until waits for a JavaScript expression to be true, through whatever the page loads meanwhile.
func (p *Page) Until(expression string) {
	p.t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(30 * time.Millisecond) {
		yes, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		switch {
		case err == nil && yes:
			return
		case time.Now().After(end):
			p.Screenshot("stuck")
			p.t.Fatalf("this does not become true (%v): %s\nthe page: %s\nproblems: %q", err, expression, Get[string](p, `document.body.innerText`), p.Problems())
		}
	}
}

// Screenshot writes the whole page as a PNG into the folder that SELTL_SCREENSHOTS names, if it
// names one.
func (p *Page) Screenshot(name string) {
	p.t.Helper()
	dir := os.Getenv("SELTL_SCREENSHOTS")
	if dir == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), run(p, chromedp.FullScreenshot(100)), 0o644); err != nil {
		p.t.Fatal(err)
	}
}
