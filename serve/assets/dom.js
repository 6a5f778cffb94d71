// Elements and drawings. Texts are set as text. Markup comes from two places only: the
// results of a report, which the server's templates have written, and drawings, of which nothing
// but shapes and texts is taken over.

// element makes an element with attributes, functions as listeners (onclick: ...), and texts or
// elements in it.
export function element(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === false || value === undefined || value === null) continue;
    if (typeof value === "function") e.addEventListener(key.slice(2), value);
    else e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children.flat(Infinity).filter(c => c !== null && c !== undefined && c !== false));
  return e;
}

// breakable is a text that may be broken behind its signs, so that no name has to be.
const breakable = text => String(text ?? "").split(/(?<=[.:,>/])(?=[^.:,>/])/).flatMap((part, i) => i ? [element("wbr"), part] : [part]);

export const code = (text, attributes) => element("code", attributes, breakable(text));

export const button = (text, onclick, attributes) => element("button", { type: "button", onclick, ...attributes }, text);

export const $ = id => document.getElementById(id);

// group writes a number with commas.
export const group = n => Math.round(n).toLocaleString("en-US");

// counted is a number with what is counted.
export const counted = (n, what) => group(n) + " " + what + (n === 1 ? "" : "s");

// The only place where markup is made of text.
const markup = window.trustedTypes
  ? window.trustedTypes.createPolicy("seltl", { createHTML: text => text })
  : { createHTML: text => text };

// results returns the elements of results, which the server's template has written.
export function results(html) {
  const template = document.createElement("template");
  template.innerHTML = markup.createHTML(html);
  return [...template.content.children];
}

const shapes = new Set(["svg", "g", "defs", "title", "desc", "rect", "circle", "ellipse", "line", "path", "polyline", "polygon", "text", "tspan"]);
const plain = /^(width|height|viewBox|x|y|x1|y1|x2|y2|cx|cy|r|rx|ry|d|points|dx|dy|fill|fill-.*|stroke|stroke-.*|opacity|font-.*|text-anchor|dominant-baseline|transform|class|role|aria-label|data-.*)$/;

// drawing makes elements of an SVG text, with shapes and texts only.
export function drawing(text) {
  const unstyled = text.replace(/<style>[^]*?<\/style>/g, ""); // the page has diagram.css
  const root = new DOMParser().parseFromString(markup.createHTML(unstyled), "image/svg+xml").documentElement;
  const copy = node => {
    if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || !shapes.has(node.localName)) return null;
    const e = document.createElementNS("http://www.w3.org/2000/svg", node.localName);
    for (const a of node.attributes) {
      if (plain.test(a.name) && !/url\(/i.test(a.value)) e.setAttribute(a.name, a.value);
    }
    for (const child of node.childNodes) {
      const c = copy(child);
      if (c) e.append(c);
    }
    return e;
  };
  return copy(root) || document.createElementNS("http://www.w3.org/2000/svg", "svg");
}

// told shows an error.
export function told(error) {
  return element("p", { class: "failure" }, element("strong", {}, error.message), error.help ? " — " + error.help : "");
}

// wrong shows what is wrong with a text, such as a formula: underlined where that is known.
export function wrong(error, text) {
  if (error.messages.length === 0) return [told(error)];
  return error.messages.slice(0, 3).map(m => {
    const end = Math.max(m.end, m.start + 1), placed = text && (m.start > 0 || m.end > 0) && m.start <= text.length;
    return element("div", { class: "failure" },
      placed ? element("pre", { class: "underlined" }, text.slice(0, m.start), element("span", { class: "mistake" }, text.slice(m.start, end) || " "), text.slice(end)) : null,
      element("p", {}, element("strong", {}, m.text), m.help ? " — " + m.help : ""));
  });
}

// frame shows a drawing that can be made larger and smaller, and saved. It is made as small as least
// to fit. Once it has its size, onfit is called.
export function frame(text, name, onfit, least = 0.6) {
  const picture = drawing(text), width = parseFloat(picture.getAttribute("width")) || 100;
  const scroll = element("div", { class: "drawing", tabindex: 0, role: "region", "aria-label": name });
  if (!picture.getAttribute("aria-label")) picture.setAttribute("aria-label", name);
  let scale = 1;
  const resize = to => {
    scale = Math.max(0.1, Math.min(to, 4));
    picture.removeAttribute("height");
    picture.setAttribute("width", Math.round(width * scale));
  };
  const fit = () => resize(Math.min(1, (scroll.clientWidth - 2) / width));
  const save = () => {
    const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "image/svg+xml" })), download: name.replace(/[^\w.-]+/g, "-") + ".svg" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  scroll.append(picture);
  const bar = element("div", { class: "group small" },
    button("Fit", fit, { title: "As wide as there is room" }), button("+", () => resize(scale * 1.25), { "aria-label": "Larger" }),
    button("−", () => resize(scale / 1.25), { "aria-label": "Smaller" }), button("Save SVG", save));
  const root = element("div", { class: "frame" }, bar, scroll);
  const seen = new ResizeObserver(() => {
    if (scroll.clientWidth === 0) return;
    seen.disconnect();
    if (width > scroll.clientWidth) resize(Math.max(least, scroll.clientWidth / width));
    if (onfit) onfit();
  });
  seen.observe(scroll);
  return { root, picture, bar };
}
