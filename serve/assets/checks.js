// The questions about a model and their answers. What is asked goes on at the server, whatever
// becomes of the page, which asks for it by its number.
import { $, button, code, counted, element, group, results, told, wrong } from "./dom.js";
import { ask, Failure, key } from "./connection.js";

const kinds = { ltl: "ltl", assert: "assert", progress: "progress", safety: "safety" };
const words = { holds: "holds", violated: "fails", unknown: "unknown" };

// failed are the components that a run into ERROR ends in, undefined of any other result.
function failed(r) {
  const c = r.counterexample;
  if (!c || c.end !== "error") return undefined;
  const steps = [...c.stem, ...(c.loop || [])], last = steps.length > 0 ? steps[steps.length - 1].state : c.initial;
  return c.components.filter((_, i) => last.locals[i] === "ERROR");
}

export class Checks {
  // app has document(), line(n), band(lines), simulate(check, result), keep(values), kept(name).
  constructor(root, app) {
    this.app = app;
    this.verdicts = new Map(); // by kind and name: {verdict, index}
    this.properties = [];
    this.build(root);
  }

  build(root) {
    this.formula = element("input", { type: "text", id: "formula", spellcheck: "false", autocomplete: "off", placeholder: "G (request -> F answer)", "aria-describedby": "formula-says" });
    this.formula.addEventListener("input", () => this.typed());
    this.formula.addEventListener("keydown", e => { if (e.key === "Enter") this.verify(); });
    this.says = element("div", { id: "formula-says", class: "says", role: "status" });
    this.table = element("div", { class: "properties" });
    this.running = element("div", { class: "running", hidden: true });
    this.found = element("div", { class: "found" });
    this.status = element("p", { class: "hidden", role: "status" }); // what is read out
    this.fair = element("select", { id: "fair" });
    this.finite = element("select", { id: "finite" });
    this.shortest = element("input", { type: "checkbox", id: "shortest" });
    this.vacuity = element("input", { type: "checkbox", id: "vacuity" });
    this.asks = [
      button("Check all", () => this.ask({ ask: "all" }), { class: "primary", id: "check-all", title: "Deadlock, errors, progress and all properties (Ctrl+Enter)" }),
      button("Deadlock", () => this.ask({ ask: "deadlock" }), { id: "check-deadlock", title: "Can it get stuck, or into ERROR?" }),
      button("Progress", () => this.ask({ ask: "progress" }), { id: "check-progress", title: "Does what can occur again and again do so?" }),
      button("Properties", () => this.ask({ ask: "verify" }), { id: "check-properties", title: "All ltl and assert declarations" }),
    ];
    root.append(
      element("div", { class: "group asks" }, this.asks),
      element("div", { class: "formula" },
        element("label", { for: "formula" }, "Formula"), this.formula,
        button("Verify", () => this.verify(), { id: "verify" })),
      this.says,
      element("details", { class: "options" }, element("summary", {}, "Which runs count, and what is looked for"),
        element("p", {}, element("label", { for: "fair" }, "Fairness "), this.fair, " ",
          element("label", { for: "finite" }, "Runs that end "), this.finite, " ",
          element("label", {}, this.shortest, " shortest counterexamples"), " ",
          element("label", {}, this.vacuity, " ask of each part of what holds whether it has an effect"))),
      this.table, this.running, this.status, this.found);
  }

  // start fills in what the server offers.
  start(offers) {
    this.fair.append(...offers.fairness.map(f => element("option", { value: f === "auto" ? "" : f }, f === "auto" ? "as the model declares" : f)));
    this.finite.append(...offers.finite.map(f => element("option", { value: f === "stutter" ? "" : f }, { stutter: "repeat their last state", ignore: "do not count", error: "are refused" }[f] || f)));
  }

  // opened shows another document: what was found about it before is fetched.
  opened() {
    this.stop();
    this.verdicts.clear();
    this.properties = []; // those of another model
    this.list();
    this.found.replaceChildren();
    this.running.hidden = true;
    this.formula.value = this.app.kept("formula") || "";
    const id = this.app.kept("check");
    if (id) this.watch(id, true);
  }

  // read shows the properties of a document that was read.
  read(reading) {
    this.properties = reading.properties;
    this.sound = !!reading.model;
    for (const b of this.asks) b.disabled = !this.sound;
    this.list();
    this.typed();
  }

  // changed says that what was found is about an older text.
  changed() {
    if (this.found.firstChild && !this.found.querySelector(".stale")) this.found.prepend(element("p", { class: "stale" }, "The model has changed since this was found."));
    this.verdicts.forEach(v => { v.stale = true; });
    this.list();
  }

  // verdictOf is what is known of a property. Those that are processes have one verdict together, which
  // ends at the first violation: of the others it says nothing.
  verdictOf(p) {
    const v = this.verdicts.get(p.kind + " " + p.name);
    if (v || p.kind !== "safety" || p.outside) return v;
    const all = this.verdicts.get("safety ");
    if (!all || !all.failed || all.failed.some(c => c.replace(/\(.*$/, "").split(":").pop() === p.name)) return all;
    return undefined;
  }

  list() {
    const row = p => {
      const v = this.verdictOf(p), asked = p.kind === "ltl" || p.kind === "assert";
      return element("tr", {},
        element("td", {}, v ? element("button", { type: "button", class: "verdict " + v.verdict + (v.stale ? " old" : ""), title: v.stale ? "of an older text" : "show it", onclick: () => this.show(v.index) }, words[v.verdict]) : element("span", { class: "quiet", title: p.outside ? "The process that is checked does not contain it" : "" }, p.outside ? "not checked" : "—")),
        element("td", { class: "quiet" }, kinds[p.kind] || p.kind),
        element("td", { class: "property" }, button(p.name, () => this.app.line(p.line), { class: "link", title: "line " + p.line }), p.text ? [" ", code(p.text)] : null,
          p.expect ? element("span", { class: "remark" }, " expected: " + (words[p.expect] || p.expect)) : null),
        element("td", {}, asked ? button("Verify", () => this.ask({ ask: "verify", properties: [p.name] }), { class: "small", "aria-label": "Verify " + p.name, disabled: !this.sound }) : null));
    };
    this.table.replaceChildren(...(this.properties.length === 0 ? [] : [element("div", { class: "scroll" }, element("table", {},
      element("thead", { class: "hidden" }, element("tr", {}, ["Verdict", "Kind", "Property", "Ask"].map(h => element("th", { scope: "col" }, h)))),
      element("tbody", {}, this.properties.map(row))))]));
  }

  // typed has a formula read, after a pause.
  typed() {
    const text = this.formula.value;
    this.app.keep({ formula: text });
    clearTimeout(this.pause);
    if (this.reading) this.reading.abort();
    if (text.trim() === "" || !this.sound) {
      this.says.replaceChildren();
      this.formula.removeAttribute("aria-invalid");
      return;
    }
    this.pause = setTimeout(async () => {
      this.reading = new AbortController();
      try {
        const answer = await ask("/api/formula", { ...this.app.document(), formula: text }, this.reading.signal);
        this.formula.setAttribute("aria-invalid", "false");
        this.says.replaceChildren(element("p", { class: "quiet" }, "read as ", code(answer.readAs)));
      } catch (e) {
        if (e.name !== "AbortError") this.mistaken(text, e);
      }
    }, 250);
  }

  // mistaken shows what is wrong with a formula, underlined.
  mistaken(text, e) {
    this.formula.setAttribute("aria-invalid", "true");
    this.says.replaceChildren(...wrong(e, text));
  }

  verify() {
    if (this.formula.value.trim() !== "") this.ask({ ask: "verify", formulas: [this.formula.value] });
    else this.formula.focus();
  }

  // ask asks a question.
  async ask(question) {
    this.stop();
    if (this.asked) this.asked.abort();
    this.found.replaceChildren();
    this.running.replaceChildren("Asking …");
    this.status.textContent = "Checking";
    this.running.hidden = false;
    const model = this.app.id, mine = this.asked = new AbortController();
    const gone = () => model !== this.app.id || mine.signal.aborted; // another one was opened, or asked, meanwhile
    try {
      const standing = await ask("/api/checks", { ...this.app.document(), fair: this.fair.value, finite: this.finite.value, shortest: this.shortest.checked, vacuity: this.vacuity.checked, ...question, key: key() }, mine.signal);
      if (gone()) return;
      this.app.keep({ check: standing.id, question });
      this.watch(standing.id);
    } catch (e) {
      if (gone()) return;
      this.running.hidden = true;
      this.found.replaceChildren(told(e));
    }
  }

  stop() {
    this.watching = null;
  }

  // watch asks how a check stands until it is decided.
  async watch(id, again) {
    this.watching = id;
    for (let pause = 60; this.watching === id; pause = Math.min(pause * 1.6, 800)) {
      try {
        const standing = await ask("/api/checks/" + id);
        if (this.watching !== id) return;
        if (standing.state === "waiting" || standing.state === "running") this.progress(standing);
        else return this.done(standing, again);
      } catch (e) {
        if (this.watching === id) this.forgotten(e, again);
        return;
      }
      await new Promise(r => setTimeout(r, pause));
    }
  }

  // forgotten says that the server does not know a check: the one that did is gone.
  forgotten(e, again) {
    this.stop();
    this.running.hidden = true;
    const question = this.app.kept("question");
    this.app.keep({ check: "" });
    this.status.textContent = "";
    if (again) return; // it was asked before the page was loaded
    this.found.replaceChildren(told(e));
    if (question) this.found.append(element("p", {}, button("Check again", () => this.ask(question), { id: "check-again" })));
  }

  // progress shows how far a check is.
  progress(s) {
    if (!this.bar || this.running.firstChild !== this.bar.root) {
      const text = element("span", {}), meter = element("progress", { "aria-label": "Time of the check that has passed", max: 1 });
      const root = element("div", { class: "progress" }, meter, text, button("Cancel", () => this.cancel(), { id: "cancel" }));
      this.bar = { root, text, meter };
      this.running.replaceChildren(root);
    }
    this.running.hidden = false;
    const rate = s.seconds > 0 && s.states ? s.states / s.seconds : 0;
    const parts = [s.state === "waiting" ? "Waiting for other checks" : (s.phase || "working"), s.seconds.toFixed(s.seconds < 10 ? 1 : 0) + " s"];
    if (s.states) parts.push(counted(s.states, "state"));
    if (rate) parts.push(group(rate) + " a second");
    if (s.depth) parts.push("depth " + group(s.depth));
    if (s.memory) parts.push(Math.round(s.memory / 1048576) + " MiB");
    this.bar.text.textContent = parts.join(" · ");
    this.bar.meter.value = s.seconds / s.limit;
    this.bar.meter.title = "at most " + group(s.limit) + " seconds";
    this.running.dataset.id = s.id;
  }

  async cancel() {
    try {
      await ask("/api/checks/" + this.watching + "/cancel", {});
    } catch (e) {
      this.found.replaceChildren(told(e));
    }
  }

  // done shows what has come out.
  done(standing, again) {
    this.stop();
    this.running.hidden = true;
    const parts = [];
    if (standing.state === "cancelled") parts.push(element("p", { class: "stale", id: "cancelled" }, "Cancelled after " + standing.seconds.toFixed(1) + " s."));
    this.status.textContent = { cancelled: "Cancelled", failed: "The question could not be asked" }[standing.state] || "";
    if (standing.failure) {
      const f = new Failure(standing.failure, 0);
      if (f.messages.some(m => m.file === "<formula>")) this.mistaken(this.formula.value, f);
      else parts.push(told(f));
    }
    if (standing.result) parts.push(...this.results(standing));
    this.found.replaceChildren(...parts);
    for (const run of this.runs || []) run.begin();
    this.list();
    if (again && this.app.changedSince && this.app.changedSince()) this.changed();
  }

  // results are the elements of a report, each result below its verdict.
  results(standing) {
    const { html, report, cuts } = standing.result, sections = results(html), all = report.results || [];
    this.runs = [];
    this.answers = [];
    const open = all.findIndex(r => r.verdict === "violated"), few = all.length === 1;
    const parts = sections.map((section, i) => {
      const r = all[i], title = section.querySelector("h2");
      if (!r.process) this.verdicts.set(r.kind + " " + (r.name || ""), { verdict: r.verdict, index: i, failed: failed(r) });
      const details = element("details", { class: "answer", open: few || i === open }, element("summary", {}, title));
      title.removeAttribute("id");
      section.removeAttribute("aria-labelledby");
      const run = section.querySelector(".run"), stepper = section.querySelector(".stepper");
      if (r.counterexample && stepper && r.counterexample.kind !== "program") {
        run.insertBefore(element("p", { class: "group" }, button("Step through it in the simulator", () => this.app.simulate(standing.id, i), { class: "tosim" })), stepper);
        const begin = () => { if (details.open && !stepper.firstChild) this.live(section, stepper, r.counterexample, cuts.filter(c => c.result === i)); };
        details.addEventListener("toggle", begin);
        this.runs.push({ begin });
      }
      for (const d of section.querySelectorAll(".run > details")) d.open = false;
      for (const figure of section.querySelectorAll("figure")) figure.replaceWith(this.folded(figure));
      details.append(section);
      this.answers.push(details);
      return details;
    });
    const count = v => all.filter(r => r.verdict === v).length;
    const sum = ["holds", "violated", "unknown"].filter(v => count(v) > 0).map(v => element("span", { class: "verdict " + v }, count(v) + " " + (words[v])));
    this.status.textContent = sum.map(s => s.textContent).join(", ");
    const head = element("div", { class: "group sum" }, all.length > 1 ? sum : null, element("span", { class: "quiet" }, standing.seconds.toFixed(standing.seconds < 10 ? 2 : 0) + " s"),
      element("a", { class: "button small", href: "/api/checks/" + standing.id + "/report", download: "" }, "Save report"));
    const grave = (report.grave || []).map(m => element("p", { class: "failure" }, element("strong", {}, "Warning"), " ", m.text));
    return [head, ...grave, ...parts];
  }

  folded(figure) {
    const caption = figure.querySelector("figcaption"), fold = element("details", {}, element("summary", {}, caption.textContent));
    caption.remove();
    for (const box of figure.querySelectorAll(".scroll.paper")) seltl.fixHeads(box);
    fold.append(...figure.childNodes);
    return fold;
  }

  // live makes a run one that can be stepped through.
  live(section, stepper, counterexample, cuts) {
    const rows = [...section.querySelectorAll("[data-row]")];
    const all = seltl.positions(counterexample, cuts);
    new seltl.Run(stepper, counterexample, {
      cuts,
      sources: [],
      onshow: (number, at) => {
        rows.forEach(r => r.classList.toggle("now", r.dataset.row === String(at)));
        const { step } = all[at + 1] || all[at];
        this.app.band(step && step.at && !this.found.querySelector(".stale") ? step.at.filter(p => p.file === this.app.document().name) : []);
      },
    });
    stepper.querySelector("button:not(:disabled)").focus({ preventScroll: true });
  }

  // show opens the result of a number.
  show(index) {
    const details = (this.answers || [])[index];
    if (!details) return;
    details.open = true;
    details.scrollIntoView({ block: "start" });
    details.querySelector("summary").focus({ preventScroll: true });
  }
}
