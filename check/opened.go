package check

import (
	"bytes"
	"io"
	"io/fs"
	"slices"
	"sync"
)

// mostKept bounds the texts that Opened keeps: of one file, and of all together.
const mostKept = 4 << 20

// Opened keeps the texts of the files that are opened by way of it, for reports that show
// them. The zero value keeps nothing, until Keep is set. It is safe for concurrent use.
type Opened struct {
	Keep  bool
	mu    sync.Mutex
	files []*openedFile
}

type openedFile struct {
	name string
	text bytes.Buffer
	long bool // longer than what is kept
}

// From returns an Open that opens files as another one does.
func (o *Opened) From(open Open) Open {
	return func(name string) (io.ReadCloser, error) {
		r, err := open(name)
		if err != nil || !o.Keep {
			return r, err
		}
		if name == "-" {
			name = "<stdin>"
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		file := &openedFile{name: name}
		o.files = append(slices.DeleteFunc(o.files, func(f *openedFile) bool { return f.name == name }), file)
		keeper := &keeper{r, o, file}
		if f, ok := r.(fs.File); ok {
			return &fileKeeper{keeper, f}, nil
		}
		return keeper, nil
	}
}

// Each yields names and texts in the order in which the files were opened, but for those that
// are too long to be kept.
func (o *Opened) Each(yield func(name, text string) bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, f := range o.files {
		if !f.long && !yield(f.name, f.text.String()) {
			return
		}
	}
}

// keeper is a reader whose text is kept.
type keeper struct {
	io.ReadCloser
	o    *Opened
	file *openedFile
}

func (k *keeper) Read(p []byte) (int, error) {
	n, err := k.ReadCloser.Read(p)
	k.o.mu.Lock()
	defer k.o.mu.Unlock()
	room := mostKept
	for _, f := range k.o.files {
		room -= f.text.Len()
	}
	if k.file.long = k.file.long || n > room; k.file.long {
		k.file.text = bytes.Buffer{}
	} else {
		k.file.text.Write(p[:n])
	}
	return n, err
}

// fileKeeper is one that knows how long it is.
type fileKeeper struct {
	*keeper
	f fs.File
}

func (k *fileKeeper) Stat() (fs.FileInfo, error) { return k.f.Stat() }
