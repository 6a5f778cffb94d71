package cmdline

import (
	"io"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/internal/diagram"
)

// DrawInto draws graphs into the files that --dot and --svg name; none: into no file.
func DrawInto(c *cli.Context, graphs func() []*diagram.Graph) error {
	for _, flag := range []string{"dot", "svg"} {
		if err := DrawAs(c, flag, graphs); err != nil {
			return err
		}
	}
	return nil
}

// DrawAs does so for one of these flags.
func DrawAs(c *cli.Context, flag string, graphs func() []*diagram.Graph) error {
	name := c.String(flag)
	if name == "" {
		return nil
	}
	all := graphs()
	if len(all) == 0 {
		return nil
	}
	return DrawFile(name, flag, all...)
}

// DrawFile draws graphs into a file: as SVG or for Graphviz, as its name ends, else as said.
func DrawFile(name, format string, graphs ...*diagram.Graph) error {
	switch filepath.Ext(name) {
	case ".svg":
		format = "svg"
	case ".dot", ".gv":
		format = "dot"
	}
	return WriteFile(name, func(w io.Writer) error { return WritePicture(w, format, graphs...) })
}

// WritePicture draws graphs as SVG or for Graphviz.
func WritePicture(w io.Writer, format string, graphs ...*diagram.Graph) error {
	if format == "svg" {
		return diagram.WriteSVG(w, graphs...)
	}
	return diagram.WriteDOT(w, graphs...)
}
