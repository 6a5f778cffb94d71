// An editor: a textarea, below which a layer shows the same text highlighted, with mistakes
// underlined. What is highlighted comes from the server a moment after typing; until then it moves
// with the text.
import { element } from "./dom.js";

// Of a longer text there is no layer: the textarea shows it, and it can be typed at speed.
const longest = 200000;

export class Editor {
  // oninput is called when the user has changed the text; oncaret when the caret has moved.
  constructor(root, oninput, oncaret) {
    this.marks = [];
    this.problems = [];
    this.text = "";
    this.numbers = element("pre", { class: "numbers", "aria-hidden": "true" });
    this.bands = element("div", { class: "bands", "aria-hidden": "true" });
    this.layer = element("pre", { class: "layer", "aria-hidden": "true" });
    this.area = element("textarea", { "aria-label": "Text of the model", "aria-describedby": "problems", spellcheck: "false", autocapitalize: "off", autocomplete: "off", autocorrect: "off", wrap: "off" });
    root.append(element("div", { class: "sheet" }, this.numbers, element("div", { class: "layers" }, this.bands, this.layer, this.area)));
    this.root = root;
    this.area.addEventListener("input", () => { this.changed(); oninput(this.text); });
    this.area.addEventListener("mousemove", e => this.hover(e));
    document.addEventListener("selectionchange", () => { if (document.activeElement === this.area) oncaret(this.area.selectionStart); });
    this.draw();
  }

  // set replaces the text, where it differs, and keeps the caret where it was.
  set(text) {
    if (text === this.area.value) return;
    const at = Math.min(this.area.selectionStart, text.length);
    this.area.value = text;
    this.area.setSelectionRange(at, at);
    this.changed();
  }

  // changed moves what is marked with the text around it.
  changed() {
    const old = this.text, now = this.area.value;
    let first = 0;
    const most = Math.min(old.length, now.length);
    while (first < most && old.charCodeAt(first) === now.charCodeAt(first)) first++;
    let last = 0;
    while (last < most - first && old.charCodeAt(old.length - 1 - last) === now.charCodeAt(now.length - 1 - last)) last++;
    const end = old.length - last, by = now.length - old.length;
    const moved = p => p <= first ? p : p >= end ? p + by : -1;
    const keep = list => list.map(m => ({ ...m, start: moved(m.start), end: moved(m.end) })).filter(m => m.start >= 0 && m.end > m.start);
    this.marks = keep(this.marks);
    this.problems = keep(this.problems);
    this.text = now;
    this.band([]);
    this.draw();
  }

  // show highlights: marks [start, end, class], and problems {start, end, severity, text}.
  show(marks, problems) {
    this.marks = marks.map(([start, end, kind]) => ({ start, end, kind }));
    this.problems = problems.filter(p => p.line > 0).map(p => this.visible(p));
    this.area.setAttribute("aria-invalid", String(problems.some(p => p.severity === "error")));
    this.draw();
  }

  // visible makes a place that has no character cover one.
  visible(p) {
    let { start, end } = p;
    const shown = i => i >= 0 && i < this.text.length && this.text[i] !== "\n";
    if (end > start && shown(start)) return { ...p, start, end };
    if (!shown(start)) while (start > 0 && !shown(start)) start--;
    return { ...p, start, end: Math.max(end, start + 1) };
  }

  draw() {
    const text = this.text, lines = text.split("\n").length;
    if (this.lines !== lines) {
      this.lines = lines;
      this.numbers.textContent = Array.from({ length: lines }, (_, i) => i + 1).join("\n");
    }
    const plain = text.length > longest;
    this.root.classList.toggle("plain", plain);
    if (plain) {
      let width = 0; // the layer gives the textarea its size
      for (let from = 0, to; from <= text.length; from = to + 1) {
        to = text.indexOf("\n", from);
        if (to < 0) to = text.length;
        width = Math.max(width, to - from);
      }
      this.layer.replaceChildren();
      this.layer.style.minWidth = width + 8 + "ch";
    } else {
      this.layer.style.minWidth = "";
      this.layer.replaceChildren(...this.pieces(), "\n ");
    }
    this.area.scrollLeft = this.area.scrollTop = 0;
  }

  // pieces cuts the text where what is to be shown of it changes.
  pieces() {
    const cuts = new Set([0, this.text.length]);
    for (const m of this.marks) cuts.add(m.start).add(m.end);
    for (const p of this.problems) cuts.add(p.start).add(p.end);
    const at = [...cuts].filter(c => c <= this.text.length).sort((a, b) => a - b), out = [];
    let k = 0;
    for (let i = 0; i + 1 < at.length; i++) {
      const piece = this.text.slice(at[i], at[i + 1]);
      while (k < this.marks.length && this.marks[k].end <= at[i]) k++;
      const kinds = [];
      if (k < this.marks.length && this.marks[k].start <= at[i]) kinds.push(this.marks[k].kind);
      const worst = this.problems.filter(p => p.start <= at[i] && p.end > at[i]);
      if (worst.length > 0) kinds.push(worst.some(p => p.severity === "error") ? "mistake" : "doubt");
      out.push(kinds.length > 0 ? element("span", { class: kinds.join(" ") }, piece) : piece);
    }
    return out;
  }

  // band marks lines: [{line, end}].
  band(lines) {
    this.bands.replaceChildren(...lines.flatMap(({ line, end }) => Array.from({ length: (end || line) - line + 1 }, (_, i) => {
      const b = element("div", { class: "band" });
      b.style.top = this.top(line + i) + "px";
      return b;
    })));
    if (lines.length > 0) this.reveal(lines[0].line);
  }

  lineHeight() { return parseFloat(getComputedStyle(this.layer).lineHeight); }
  top(line) { return parseFloat(getComputedStyle(this.layer).paddingTop) + (line - 1) * this.lineHeight(); }

  // reveal scrolls to a line, unless it is visible.
  reveal(line) {
    const top = this.top(line), height = this.lineHeight();
    if (top < this.root.scrollTop || top + height > this.root.scrollTop + this.root.clientHeight) {
      this.root.scrollTop = Math.max(0, top - this.root.clientHeight / 3);
    }
  }

  // go sets the caret.
  go(start, end) {
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start, end === undefined ? start : end);
    this.reveal(this.text.slice(0, start).split("\n").length);
  }

  // line goes to a line by its number.
  line(number) {
    let at = 0;
    for (let n = 1; n < number; n++) at = this.text.indexOf("\n", at) + 1;
    this.go(at);
  }

  // put replaces a part of the text as if it were typed, so that it can be undone.
  put(start, end, text) {
    this.area.focus();
    this.area.setSelectionRange(start, end);
    if (!document.execCommand("insertText", false, text)) {
      this.area.setRangeText(text, start, end, "end");
      this.area.dispatchEvent(new Event("input"));
    }
  }

  // hover tells a mistake where the mouse is.
  hover(e) {
    const box = this.layer.getBoundingClientRect(), style = getComputedStyle(this.layer);
    if (!this.wide) {
      const probe = element("span", {}, "0".repeat(100));
      this.layer.append(probe);
      this.wide = probe.getBoundingClientRect().width / 100;
      probe.remove();
    }
    const line = Math.floor((e.clientY - box.top - parseFloat(style.paddingTop)) / this.lineHeight());
    const column = Math.floor((e.clientX - box.left - parseFloat(style.paddingLeft)) / this.wide);
    let at = 0;
    for (let n = 0; n < line && at >= 0; n++) at = this.text.indexOf("\n", at) + 1 || -1;
    const found = at < 0 ? [] : this.problems.filter(p => p.start <= at + column && at + column < p.end);
    this.area.title = found.map(p => p.text + (p.help ? "\n" + p.help : "")).join("\n\n");
  }
}
