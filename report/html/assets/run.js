"use strict";
// Views of what seltl has found, in the elements of a page. What is shown comes from the JSON
// form of reports (docs/json.md). Texts are set as text, never as markup.
const seltl = (() => {
  // element makes an element with attributes, and texts or elements in it.
  function element(name, attributes, ...children) {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value === false || value === undefined) continue;
      e.setAttribute(key, value === true ? "" : value);
    }
    e.append(...children.filter(c => c !== null && c !== undefined));
    return e;
  }

  // fixHeads keeps the names of a chart's components in sight while its box is scrolled.
  function fixHeads(box) {
    const heads = box.querySelector(".seltl-chart > .heads");
    if (!heads) return;
    const top = Number(heads.firstElementChild.getAttribute("y"));
    box.addEventListener("scroll", () => heads.setAttribute("transform", `translate(0 ${Math.max(0, box.scrollTop - top)})`));
  }

  // breakable is a text that may be broken behind its signs, so that no name has to be.
  function breakable(text) {
    return String(text ?? "").split(/(?<=[.:,>/])(?=[^.:,>/])/).flatMap((part, i) => i ? [element("wbr"), part] : [part]);
  }

  function replace(parent, ...children) {
    parent.replaceChildren(...children);
  }

  // reachable lets keys scroll a box, while there is something to scroll.
  function reachable(box, name) {
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", name);
    const watch = new ResizeObserver(() => {
      if (box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1) box.setAttribute("tabindex", "0");
      else box.removeAttribute("tabindex");
    });
    for (const e of [box, ...box.children]) watch.observe(e);
    return box;
  }

  // positions lists the states of a counterexample in the order in which a run passes them, each
  // with the step that leads to it. cuts say where steps are left out.
  function positions(c, cuts) {
    const all = [];
    if (c.kind !== "program") all.push({ number: 0, step: null, state: c.initial, inLoop: false, leftOut: 0 });
    let number = 0;
    for (const part of ["stem", "loop"]) {
      const steps = c[part] || [], cut = (cuts || []).find(x => x.part === part);
      steps.forEach((step, i) => {
        const leftOut = cut && cut.after === i ? cut.steps : 0;
        number += 1 + leftOut;
        all.push({ number, before: number - 1, step, state: step.state, inLoop: part === "loop", leftOut });
      });
    }
    if ((c.loop || []).length > 0) { // it is back where it began
      const stem = (c.stem || []).length, cut = (cuts || []).find(x => x.part === "stem");
      all[all.length - 1].number = stem + (cut ? cut.steps : 0);
      all[all.length - 1].back = true;
    }
    return all;
  }

  // places are the lines of sources that a step is about: [{file, line, end}].
  function places(c, step) {
    if (!step) return [];
    if (step.at) return step.at;
    const place = c.kind === "program" && /^(.*):(\d+)$/.exec(step.event || "");
    return place ? [{ file: place[1], line: Number(place[2]) }] : [];
  }

  // values are those of a program behind a step, by the names that they have in its routine, each
  // with whether the step changed it. What it changed and is told otherwise comes first.
  function values(step) {
    const routine = /(?:^|: )([^:[]+)[^:]*$/.exec(step.routine || ""), prefix = routine ? routine[1] + "." : "";
    const left = (step.gained || []).slice();
    const own = name => name.startsWith(prefix) ? name.slice(prefix.length) : name;
    const all = step.state.props.map(prop => {
      const [name, ...value] = prop.split(" = "), text = value.join(" = ");
      return { prop, text: own(name) + " = " + (text.startsWith("&") ? "&" + own(text.slice(1)) : own(text)), changed: false };
    });
    const take = same => all.forEach(v => {
      const at = v.changed ? -1 : left.findIndex(g => same(g, v));
      if (at >= 0) [v.text, v.changed] = [left.splice(at, 1)[0], true];
    });
    if (prefix === "") all.forEach(v => { v.text = v.prop; });
    take((g, v) => g === v.text || g.startsWith(v.text + " ("));
    take((g, v) => v.prop.endsWith("." + g));
    return [...left.map(text => ({ text, changed: true })), ...all];
  }

  // Source shows texts that are in the page already, and marks lines of them.
  class Source {
    constructor(root, sections) {
      this.root = root;
      this.views = sections.map(section => {
        const lines = section.querySelector("pre.code").cloneNode(true);
        const view = { name: section.dataset.name, lines, box: element("div", {}, element("h4", {}, element("code", {}, ...breakable(section.dataset.name))), lines) };
        lines.setAttribute("aria-label", "Text of " + section.dataset.name);
        return view;
      });
      replace(root, ...this.views.map(v => v.box));
      this.marked = [];
    }
    mark(all) {
      for (const line of this.marked) line.classList.remove("now");
      this.marked = [];
      const files = new Set(all.map(p => p.file));
      for (const view of this.views) {
        view.box.hidden = files.size > 0 ? !files.has(view.name) : view !== this.views[0];
        let first = null;
        for (const place of all) {
          if (place.file !== view.name) continue;
          for (let n = place.line; n <= (place.end || place.line); n++) {
            const line = view.lines.children[n - 1];
            if (!line) continue;
            line.classList.add("now");
            this.marked.push(line);
            first = first || line;
          }
        }
        if (first) view.lines.scrollTop = Math.max(0, first.offsetTop - view.lines.offsetTop - view.lines.clientHeight / 3);
      }
    }
  }

  const signs = { "+": ["+", "holds", "yes"], "-": ["−", "fails", "no"], "?": ["?", "depends on what follows", "open"] };

  // Run shows a counterexample in an element, one state at a time. Options: cuts; sources, a list
  // of sections with a pre of lines; onshow, called with the number of the state and the place
  // in the run.
  class Run {
    constructor(root, counterexample, options) {
      this.root = root;
      this.c = counterexample;
      this.options = options || {};
      this.all = positions(counterexample, this.options.cuts);
      this.at = 0;
      if (this.all.length === 0) return; // a program that has not begun
      this.build();
      this.show(0);
    }

    build() {
      const button = (label, text, to) => {
        const b = element("button", { type: "button", "aria-label": label, title: label }, text);
        b.addEventListener("click", () => this.show(to()));
        return b;
      };
      const last = this.all.length - 1;
      this.first = button("First state", "|◀", () => 0);
      this.back = button("Step back", "◀", () => this.at - 1);
      this.on = button("Step forward", "▶", () => this.at + 1);
      this.end = button("Last state", "▶|", () => last);
      this.slider = element("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "Place in the run" });
      this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
      this.where = element("span", { class: "where" });
      this.told = element("p", { class: "told", role: "status", "aria-live": "polite" });
      this.state = element("div", { class: "pane" });
      const panes = element("div", { class: "panes" }, this.state);
      const sections = (this.options.sources || []).filter(s => this.mentions(s.dataset.name));
      if (sections.length > 0) {
        const pane = element("div", { class: "pane" });
        this.source = new Source(pane, sections);
        panes.append(pane);
        panes.classList.add("two");
      }
      this.root.setAttribute("role", "group");
      this.root.setAttribute("aria-label", "Step through the run");
      this.root.addEventListener("keydown", e => this.key(e));
      replace(this.root,
        element("div", { class: "controls" }, this.first, this.back, this.on, this.end, this.slider, this.where),
        this.told, panes, element("p", { class: "keys" }, "Keys, with the focus in here: ← and → or k and j for a step, Home and End."));
      this.buildState();
    }

    // mentions reports whether a step is about a file; without any that is, all are shown.
    mentions(name) {
      if (!this.files) this.files = new Set(this.all.flatMap(p => places(this.c, p.step).map(x => x.file)));
      return this.files.has(name);
    }

    buildState() {
      const parts = [];
      if (this.c.kind !== "program" && this.c.components.length > 0) {
        this.locals = this.c.components.map(name => {
          const state = element("code", {});
          return { name, state, row: element("tr", {}, element("th", { scope: "row" }, element("code", {}, ...breakable(name))), element("td", {}, state)) };
        });
        parts.push(element("h4", {}, "State"), reachable(element("div", { class: "held" }, element("table", { class: "locals" },
          element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Component"), element("th", { scope: "col" }, "is in"))),
          element("tbody", {}, ...this.locals.map(l => l.row)))), "State"));
      }
      if (this.c.kind === "program" && this.c.components.length > 1) {
        this.turns = this.c.components.map(name => {
          const line = element("td", {});
          return { name, line, row: element("tr", {}, element("th", { scope: "row" }, element("code", {}, name)), line) };
        });
        parts.push(element("h4", {}, "Components"), reachable(element("div", { class: "held" }, element("table", { class: "locals turns" },
          element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Component"), element("th", { scope: "col" }, "was last at"))),
          element("tbody", {}, ...this.turns.map(t => t.row)))), "Components"));
      }
      this.props = element("p", { class: "props held" });
      parts.push(element("h4", {}, this.c.kind === "program" ? "Values" : "Holds there"), this.props);
      const truth = this.c.truth;
      if (truth && truth.parts.length > 0) {
        this.truth = truth.parts.slice().reverse().map(part => {
          const sign = element("td", {});
          return { part, sign, row: element("tr", {}, element("th", { scope: "row" }, element("code", {}, part.formula)), sign) };
        });
        parts.push(element("h4", {}, "The formula and its parts here"), reachable(element("div", { class: "held" },
          element("table", { class: "parts" }, element("tbody", {}, ...this.truth.map(t => t.row)))), "The formula and its parts here"));
      }
      replace(this.state, ...parts);
    }

    key(e) {
      if (e.altKey || e.ctrlKey || e.metaKey || e.shiftKey) return;
      const to = { ArrowLeft: this.at - 1, k: this.at - 1, ArrowRight: this.at + 1, j: this.at + 1, Home: 0, End: this.all.length - 1 }[e.key];
      if (to === undefined) return;
      e.preventDefault();
      this.show(to);
    }

    // show goes to a place in the run.
    show(to) {
      this.at = Math.max(0, Math.min(to, this.all.length - 1));
      const here = this.all[this.at], last = this.all.length - 1;
      if (!here) return;
      const focused = document.activeElement;
      this.first.disabled = this.back.disabled = this.at === 0;
      this.on.disabled = this.end.disabled = this.at === last;
      if (focused && focused.disabled && this.root.contains(focused)) (this.at === 0 ? this.on : this.back).focus();
      this.slider.value = this.at;
      this.slider.setAttribute("aria-valuetext", this.name(here));
      replace(this.where, this.c.kind === "program" ? "Line " + (this.at + 1) + " of " + this.all.length : "State " + here.number + ", step " + this.at + " of " + last);
      this.tell(here);
      this.showState(here);
      if (this.source) this.source.mark(places(this.c, this.c.kind === "program" ? here.step : (this.all[this.at + 1] || here).step));
      if (this.options.onshow) this.options.onshow(here.number, this.at);
    }

    name(p) {
      return p.step ? (p.step.event || "(nothing)") : "the initial state";
    }

    // tell says how the run came here.
    tell(here) {
      const step = here.step, said = [];
      if (here.leftOut) said.push("(" + here.leftOut + " steps are left out here.) ");
      if (!step) {
        said.push("The initial state. ");
      } else if (this.c.kind === "program") {
        said.push(element("code", {}, step.event), step.routine ? " in " + step.routine + ": " : " ", element("code", {}, step.source || ""), " ");
        if (step.inputs) said.push("with ", element("code", {}, step.inputs.join(", ")), " ");
        if (step.action) said.push("performs ", element("code", {}, step.action), step.with ? " at once with " + step.with.join(", ") : "", " ");
      } else {
        said.push("By ", element("code", {}, step.event || "(nothing)"), " ");
        if (step.movers) said.push("(" + step.movers.join(", ") + ") ");
      }
      const states = this.passed(here.number);
      if (states) said.push("The automaton is in " + states + ". ");
      if (here.inLoop) said.push(here.back ? "The run is back where the loop began: it is repeated for ever. " : "In the loop, which is repeated for ever. ");
      const bad = this.c.bad && this.c.bad.state === here.number;
      if (bad) said.push(element("span", { class: "badstate" }, "Bad: " + ({ event: "after this event", end: "with the run ending here" }[this.c.bad.why] || "whatever follows") + ", the property is violated. "));
      const next = this.all[this.at + 1];
      if (next && this.c.kind !== "program") said.push("Next: ", element("code", {}, next.step.event || "(nothing)"));
      if (!next && this.c.end) said.push({ deadlock: "Deadlock: nothing is possible here.", end: "The run ends here.", error: "The error is reached." }[this.c.end] || "");
      replace(this.told, ...said);
    }

    // passed are the states of an automaton that is the property, before a step: of one in the
    // loop those of each pass through it.
    passed(state) {
      const a = this.c.automaton, stem = (this.c.stem || []).length, loop = (this.c.loop || []).length, passes = [];
      if (!a || (this.options.cuts || []).length > 0) return "";
      const all = [...a.stem, ...a.loop];
      for (let at = state; at < all.length && passes.length < 4; at += loop) {
        const text = all[at].length === 1 ? String(all[at][0]) : "{" + all[at].join(", ") + "}";
        if (passes[passes.length - 1] !== text) passes.push(text);
        if (state < stem || loop === 0) break;
      }
      return passes.join("/");
    }

    showState(here) {
      const step = here.step || {};
      const changed = new Set((step.changed || []).map(c => c.component));
      for (const [i, l] of (this.locals || []).entries()) {
        replace(l.state, ...breakable(here.state.locals[i]));
        l.row.classList.toggle("now", changed.has(l.name));
      }
      for (const t of this.turns || []) {
        let at = this.at;
        while (at >= 0 && !(this.all[at].step.movers || []).includes(t.name)) at--;
        const last = at >= 0 && this.all[at].step;
        replace(t.line, ...(last ? [element("code", {}, last.event.replace(/^.*\//, "")), " ", element("code", {}, last.source || "")] : ["its beginning"]));
        t.row.classList.toggle("now", at === this.at);
      }
      const gained = new Set(step.gained || []);
      const shown = this.c.kind === "program" ? values(step) : here.state.props.map(text => ({ text, changed: gained.has(text) }));
      replace(this.props, ...(shown.length > 0 ? shown.map(v => element("code", { class: v.changed ? "new" : undefined }, v.text)) : [this.c.kind === "program" ? "none" : "nothing"]));
      for (const t of this.truth || []) {
        const [sign, says, kind] = signs[t.part.holds[this.c.kind === "program" ? here.before : here.number]] || ["", "", ""];
        t.sign.textContent = sign + " " + says;
        t.sign.className = kind;
      }
    }
  }

  // Path shows in a picture of states, as seltl draws them, where a run is: the state, and the
  // edge that leads there.
  class Path {
    constructor(picture, states) {
      this.picture = picture;
      this.states = states;
    }
    show(at) {
      for (const e of this.picture.querySelectorAll(".current, .taken")) e.classList.remove("current", "taken");
      const here = this.states[at], before = this.states[at - 1];
      const mark = (selector, name) => this.picture.querySelectorAll(selector).forEach(e => e.classList.add(name));
      if (here >= 0) mark(`.node[data-state="${here}"]`, "current");
      const node = this.picture.querySelector(".node.current"), box = this.picture.querySelector(".scroll");
      if (node && box) { // it is seen
        const n = node.getBoundingClientRect(), b = box.getBoundingClientRect();
        box.scrollBy(n.left + n.width / 2 - b.left - b.width / 2, n.top + n.height / 2 - b.top - b.height / 2);
      }
      if (here >= 0 && before >= 0) mark(`.edge[data-from="${before}"][data-to="${here}"]`, "taken");
    }
  }

  return { Run, Source, Path, positions, fixHeads };
})();
