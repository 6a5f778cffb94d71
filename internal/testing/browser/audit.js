// What of a page somebody cannot see, reach or understand: a list of findings, by the success
// criteria of WCAG 2.2 that a program can judge.
(() => {
  const found = [], seen = new Set();
  const tell = (criterion, e, text) => {
    const line = criterion + " " + text + ": " + where(e);
    if (!seen.has(line) && seen.size < 60) { seen.add(line); found.push(line); }
  };
  const where = e => {
    if (!e || e === document.documentElement) return "the page";
    const id = e.id ? "#" + e.id : "", kinds = e.getAttribute("class") ? "." + e.getAttribute("class").trim().split(/\s+/).join(".") : "";
    const up = e.parentElement && !e.id ? where(e.parentElement).split(" > ").slice(-1)[0] + " > " : "";
    return up + e.localName + id + kinds + " " + JSON.stringify((e.getAttribute("aria-label") || e.textContent || "").trim().slice(0, 30));
  };
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true }), known = new Map();
  // rgba are the parts of a colour in any notation.
  const rgba = text => {
    if (!known.has(text)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = "#000";
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(text, [r, g, b, a / 255]);
    }
    return known.get(text);
  };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const luminance = c => {
    const [r, g, b] = c.map(v => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => { const x = luminance(a), y = luminance(b); return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
  const style = e => getComputedStyle(e);
  const shown = e => e.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) && e.getBoundingClientRect().width > 1.5 && e.getBoundingClientRect().height > 1.5;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const opacity = e => { let o = 1; for (; e; e = e.parentElement) o *= Number(style(e).opacity); return o; };
  const holds = (outer, inner) => { const x = (inner.left + inner.right) / 2, y = (inner.top + inner.bottom) / 2; return outer.left <= x && x <= outer.right && outer.top <= y && y <= outer.bottom; };
  const positioned = [...document.querySelectorAll("body *")].filter(e => style(e).position === "absolute" && rgba(style(e).backgroundColor)[3] > 0);

  // ground is what an element stands on: the backgrounds of what it is in, of what lies behind it,
  // and, in a drawing, the shapes before it.
  const ground = e => {
    const layers = [], box = e.getBoundingClientRect(), svg = e.closest("svg");
    if (svg) {
      for (const s of [...svg.querySelectorAll("rect, circle, ellipse, polygon, path")].reverse()) {
        const fill = style(s).fill;
        if (fill === "none" || !(s.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING) || s.matches(".head, .start") || !holds(s.getBoundingClientRect(), box)) continue;
        layers.push(rgba(fill));
        if (rgba(fill)[3] === 1) break;
      }
    }
    for (const p of positioned) if (!p.contains(e) && p.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING && holds(p.getBoundingClientRect(), box)) layers.push(rgba(style(p).backgroundColor));
    for (let a = svg ? svg.parentElement : e; a; a = a.parentElement) {
      const c = rgba(style(a).backgroundColor);
      if (c[3] > 0) layers.push(c);
      if (c[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), dark ? [18, 18, 18, 1] : [255, 255, 255, 1]);
  };

  // 1.4.3: texts.
  const judge = (e, color, size, weight, what) => {
    if (color[3] === 0) return; // an editor's, whose text is shown by another element
    const below = ground(e), o = opacity(e), got = ratio(over([color[0], color[1], color[2], color[3] * o], below), below);
    const large = size >= 24 || size >= 18.66 && weight >= 700;
    if (got < (large ? 3 : 4.5) - 0.005) tell("1.4.3", e, what + " has a contrast of " + got.toFixed(2));
  };
  const disabled = e => e.closest(":disabled, [aria-disabled=true]");
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = texts.nextNode(); n; n = texts.nextNode()) {
    const e = n.parentElement;
    if (!n.data.trim() || !shown(e) || e.closest("script, style, title, desc, .hidden") || disabled(e)) continue;
    const s = style(e), svg = e.namespaceURI.endsWith("svg");
    judge(e, rgba(svg ? s.fill : s.color), parseFloat(s.fontSize), Number(s.fontWeight), "text");
  }
  for (const e of document.querySelectorAll("input, textarea, select")) {
    if (!shown(e) || disabled(e)) continue;
    const s = style(e);
    if (e.value && e.type !== "range" && e.type !== "checkbox") judge(e, rgba(s.color), parseFloat(s.fontSize), Number(s.fontWeight), "value");
    if (e.placeholder) judge(e, rgba(getComputedStyle(e, "::placeholder").color), parseFloat(s.fontSize), Number(s.fontWeight), "placeholder");
    // 1.4.11: the borders of fields.
    if (!e.matches("[type=range], [type=checkbox], .sheet textarea")) {
      const below = ground(e.parentElement), got = ratio(over(rgba(s.borderTopColor), below), below);
      if (got < 2.995 || parseFloat(s.borderTopWidth) < 1) tell("1.4.11", e, "the border has a contrast of " + got.toFixed(2));
    }
  }
  for (const e of document.querySelectorAll("pre.code .line")) {
    if (shown(e)) judge(e, rgba(getComputedStyle(e, "::before").color), 14, 400, "number");
  }

  // 1.3.1, 2.4.1, 2.4.2, 2.4.6, 3.1.1: the page as a whole.
  if (!document.documentElement.lang) tell("3.1.1", null, "no language");
  if (!document.title.trim()) tell("2.4.2", null, "no title");
  for (const [selector, name] of [["main", "main part"], ["h1", "heading of the page"], ["body > header", "header"]]) {
    const n = [...document.querySelectorAll(selector)].filter(shown).length;
    if (n !== 1) tell("1.3.1", null, n + " times a " + name);
  }
  let level = 0;
  for (const h of [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter(shown)) {
    const l = Number(h.localName[1]);
    if (l > level + 1) tell("1.3.1", h, "a heading of level " + l + " below one of level " + level);
    if (!h.textContent.trim()) tell("2.4.6", h, "an empty heading");
    level = l;
  }
  const skip = document.querySelector("a.skip");
  if (!skip || !document.querySelector(skip.getAttribute("href"))) tell("2.4.1", skip, "no way around what is the same on all pages");
  for (const t of [...document.querySelectorAll("table")].filter(shown)) {
    if (!t.querySelector("th[scope]")) tell("1.3.1", t, "a table without headings");
  }
  for (const th of document.querySelectorAll("th")) if (!th.hasAttribute("scope")) tell("1.3.1", th, "a heading that does not say of what");

  // 4.1.2: names that are referred to; 1.1.1: drawings.
  const ids = new Set();
  for (const e of document.querySelectorAll("[id]")) {
    if (ids.has(e.id)) tell("4.1.2", e, "an id that another element has");
    ids.add(e.id);
  }
  for (const name of ["aria-labelledby", "aria-describedby", "aria-controls", "for", "list"]) {
    for (const e of document.querySelectorAll("[" + name + "]")) {
      for (const id of e.getAttribute(name).split(/\s+/)) if (!ids.has(id)) tell("4.1.2", e, name + " names nothing");
    }
  }
  for (const svg of [...document.querySelectorAll("svg")].filter(shown)) {
    const inside = svg.querySelector("[tabindex], [role=button]"), role = svg.getAttribute("role");
    if (inside ? role === "img" || !role : role !== "img") tell("1.1.1", svg, "a drawing whose role is " + role);
    if (!(svg.getAttribute("aria-label") || "").trim() && !(svg.querySelector("title") || { textContent: "" }).textContent.trim()) tell("1.1.1", svg, "a drawing without a name");
  }
  for (const img of document.querySelectorAll("img")) if (!img.hasAttribute("alt")) tell("1.1.1", img, "no alternative");

  // 2.5.8: what is clicked is large enough, unless it stands in a line of text.
  for (const e of document.querySelectorAll("button, select, input, summary, a.button, [role=button]:not(g)")) {
    if (!shown(e) || disabled(e) || e.type === "checkbox" && e.closest("label")) continue;
    const b = e.getBoundingClientRect();
    if (b.width < 23.9 || b.height < 23.9) tell("2.5.8", e, "it is " + b.width.toFixed(0) + " by " + b.height.toFixed(0));
  }

  // 1.4.10: the page is not wider than the window, and nothing in it is cut off.
  if (document.documentElement.scrollWidth > innerWidth) tell("1.4.10", null, "it is " + document.documentElement.scrollWidth + " wide in a window of " + innerWidth);
  for (const e of document.querySelectorAll("body *")) {
    if (e.closest("svg, .sheet, input") || !shown(e)) continue;
    const s = style(e), b = e.getBoundingClientRect();
    if ((s.overflowX === "hidden" || s.overflowX === "clip") && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 2) tell("1.4.10", e, "text is cut off");
    let scrolls = false;
    for (let a = e; a && !scrolls; a = a.parentElement) scrolls = /auto|scroll/.test(style(a).overflowX) || style(a).position === "fixed";
    if (!scrolls && b.right > innerWidth + 1) tell("1.4.10", e, "it goes beyond the window");
  }
  for (const e of document.querySelectorAll("body *")) { // 2.1.1: what scrolls can be scrolled by keys
    const s = style(e);
    if (/auto|scroll/.test(s.overflowX + s.overflowY) && shown(e) && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1) &&
        e.tabIndex < 0 && !e.querySelector("button:not(:disabled), a, input, textarea, [tabindex='0']")) tell("2.1.1", e, "it scrolls, and has no focus");
  }

  // 2.3.3: nothing moves for who does not want that.
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    for (const e of document.querySelectorAll("*")) {
      const s = style(e), moves = t => t.split(",").some(x => parseFloat(x) > 0);
      if (moves(s.transitionDuration) || moves(s.animationDuration) && s.animationName !== "none" || s.scrollBehavior === "smooth") tell("2.3.3", e, "it moves");
    }
  }
  return found;
})()
