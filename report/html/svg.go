package html

import (
	"bytes"
	"encoding/xml"
	"html/template"
	"io"
	"slices"
	"strings"
)

// What a drawing may consist of.
var (
	drawn      = strings.Fields("svg g defs title desc rect circle ellipse line path polyline polygon text tspan marker")
	attributes = strings.Fields(`width height viewBox x y x1 y1 x2 y2 cx cy r rx ry d points dx dy
		fill fill-opacity fill-rule stroke stroke-width stroke-dasharray stroke-opacity stroke-linecap stroke-linejoin opacity
		font-family font-size font-weight font-style text-anchor dominant-baseline transform class role aria-label
		data-row data-state data-from data-to data-edge data-labels`)
)

// plainDrawing copies an SVG drawing, and is false if it is not well-formed or has anything but
// shapes and texts in it: no script, link, image or foreign content. Styles and ids are left out.
// The drawing is one image to screen readers, with a name of its own or else the one given.
func plainDrawing(svg []byte, name string) (template.HTML, bool) {
	var out strings.Builder
	d := xml.NewDecoder(bytes.NewReader(svg))
	depth := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			return template.HTML(out.String()), depth == 0 && out.Len() > 0
		}
		if err != nil {
			return "", false
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "style" { // the document has the one of our pictures
				if err := d.Skip(); err != nil {
					return "", false
				}
				continue
			}
			if !slices.Contains(drawn, t.Name.Local) || depth == 0 && (t.Name.Local != "svg" || out.Len() > 0) {
				return "", false
			}
			if depth++; depth == 1 {
				t.Attr = named(t.Attr, name)
			}
			out.WriteString("<" + t.Name.Local)
			for _, a := range t.Attr {
				if a.Name.Space != "" || a.Name.Local == "xmlns" || a.Name.Local == "id" {
					continue
				}
				if !slices.Contains(attributes, a.Name.Local) || strings.Contains(strings.ToLower(a.Value), "url(") {
					return "", false
				}
				out.WriteString(" " + a.Name.Local + `="` + escaped(a.Value) + `"`)
			}
			out.WriteString(">")
		case xml.EndElement:
			depth--
			out.WriteString("</" + t.Name.Local + ">")
		case xml.CharData:
			if depth > 0 {
				out.WriteString(escaped(string(t)))
			}
		}
	}
}

// named are the attributes of a drawing that has a role and a name.
func named(attr []xml.Attr, name string) (all []xml.Attr) {
	for _, a := range attr {
		switch {
		case a.Name.Local == "role":
		case a.Name.Local != "aria-label":
			all = append(all, a)
		case strings.TrimSpace(a.Value) != "":
			name = a.Value
		}
	}
	return append(all, xml.Attr{Name: xml.Name{Local: "role"}, Value: "img"}, xml.Attr{Name: xml.Name{Local: "aria-label"}, Value: name})
}

// breakable is a text that may be broken behind its signs, so that no name has to be.
func breakable(text string) template.HTML {
	return template.HTML(strings.NewReplacer("/", "/<wbr>", ":", ":<wbr>", ",", ",<wbr>", ".", ".<wbr>").Replace(escaped(text)))
}

func escaped(text string) string { return template.HTMLEscapeString(text) }
