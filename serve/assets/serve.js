// The page of seltl serve: which model is open, its text, what it is read as, and the panels
// beside it. What the user has written is kept in the browser's storage, by the name of the model;
// other tabs with the same model follow.
import { $, button, code, counted, element, told } from "./dom.js";
import { ask, connection } from "./connection.js";
import { Editor } from "./editor.js";
import { Checks } from "./checks.js";
import { Simulator } from "./simulator.js";
import { Automaton, Graph } from "./pictures.js";

// The token is in a cookie now, and need not stay in the address.
if (location.search) history.replaceState(null, "", "/" + location.hash);

// stored is a value of the browser's storage, which may be full, or not allowed.
const stored = {
  get(store, key) { try { return JSON.parse(store.getItem(key)); } catch (e) { return null; } },
  set(store, key, value) { try { store.setItem(key, JSON.stringify(value)); } catch (e) { /* then it is not kept */ } },
  remove(store, key) { try { store.removeItem(key); } catch (e) { /* it was not there */ } },
};
// What belongs to files is kept by their folder, too: another server may have this address later.
let place = "";
const placed = id => id.startsWith("folder:") ? place + "/" + id : id;
const draftKey = id => "seltl.model." + placed(id), keptKey = id => "seltl.kept." + placed(id);

// fingerprint tells texts apart.
function fingerprint(text) {
  let h = 5381;
  for (let i = 0; i < text.length; i++) h = (h * 33 ^ text.charCodeAt(i)) | 0;
  return text.length + "." + h;
}

class App {
  async begin() {
    this.editor = new Editor($("editor"), () => this.typed(), at => this.caret(at));
    this.checks = new Checks($("panel-check"), this);
    this.simulator = new Simulator($("panel-simulate"), this);
    this.graph = new Graph($("panel-graph"), this);
    this.automaton = new Automaton($("panel-automaton"), this);
    this.panels = { check: this.checks, simulate: this.simulator, graph: this.graph, automaton: this.automaton };
    connection.watched = state => this.connection(state);
    this.offers = await ask("/api/start");
    connection.begin(this.offers, (state, server) => this.connection(state, server));
    place = this.offers.place;
    this.listen();
    this.checks.start(this.offers);
    $("save").hidden = !this.offers.write;
    const wanted = decodeURIComponent(location.hash.slice(1)) || stored.get(localStorage, "seltl.last");
    await this.open(this.known(wanted) ? wanted : this.offers.files.length > 0 ? "folder:" + this.offers.files[0] : "examples:first.lks");
    this.choose(this.kept("tab") || "check");
    document.body.dataset.ready = "true";
  }

  listen() {
    $("model").addEventListener("change", () => this.open($("model").value));
    $("process").addEventListener("change", () => { this.model.process = $("process").value; this.meant(); });
    $("new").addEventListener("click", () => $("naming").showModal());
    $("naming").addEventListener("close", () => { if ($("naming").returnValue === "ok") this.create($("naming-name").value); });
    $("wide").addEventListener("click", () => this.widen(!document.body.classList.contains("wide")));
    this.widen(!!stored.get(sessionStorage, "seltl.wide"));
    $("save").addEventListener("click", () => this.save());
    $("revert").addEventListener("click", () => this.revert());
    const tabs = [...document.querySelectorAll("[role=tab]")];
    tabs.forEach((tab, i) => {
      tab.addEventListener("click", () => this.choose(tab.id.slice(4)));
      tab.addEventListener("keydown", e => {
        const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: tabs.length - 1 }[e.key];
        if (to === undefined) return;
        e.preventDefault();
        const next = tabs[(to + tabs.length) % tabs.length];
        this.choose(next.id.slice(4));
        next.focus();
      });
    });
    document.addEventListener("keydown", e => {
      if (!(e.ctrlKey || e.metaKey) || e.altKey) return;
      if (e.key === "Enter") { e.preventDefault(); this.choose("check"); if (!$("check-all").disabled) $("check-all").click(); }
      if (e.key === "s") { e.preventDefault(); if (this.offers && this.offers.write) this.save(); }
    });
    window.addEventListener("storage", e => {
      if (!this.id || e.key !== draftKey(this.id)) return;
      if (e.newValue) this.follow(JSON.parse(e.newValue));
      else this.forgotten();
    });
    window.addEventListener("pagehide", () => { if (this.id) this.leave(); });
    window.addEventListener("hashchange", () => { const id = decodeURIComponent(location.hash.slice(1)); if (id !== this.id && this.known(id)) this.open(id); });
  }

  // connection shows how the server can be reached. Requests wait until it can be.
  connection(state, server) {
    const banner = $("banner"), now = button("Try now", () => connection.look(), { class: "small" });
    const close = button("Close", () => { banner.hidden = true; }, { class: "small" });
    clearTimeout(this.fading);
    banner.dataset.state = state;
    banner.hidden = false;
    switch (state) {
      case "away":
        banner.replaceChildren("The server does not answer: it has ended, or the network is cut. What you write is kept in this browser, and this page goes on when the server is back. ", now);
        break;
      case "token":
        banner.replaceChildren("The server was started again, and answers only who has its new token: open the address that ", code("seltl serve"), " printed last. This page goes on then. What you have written is kept in this browser. ", now);
        break;
      case "other":
        if (server.moved) banner.replaceChildren("Another server answers here now, for another folder, ", code(server.folder), ". The text of this page is the one of before. ", button("Open its models", () => location.reload(), { class: "small" }), " ", close);
        else banner.replaceChildren("The server was started again: what it was asked before is gone. The texts are here. ", close);
        this.restarted(server.moved);
        break;
      default:
        banner.replaceChildren("The server answers again. ", close);
        this.fading = setTimeout(() => { banner.hidden = true; }, 8000);
    }
  }

  // restarted begins anew with another server.
  async restarted(moved) {
    for (const p of Object.values(this.panels)) if (p.restarted) p.restarted();
    if (moved || !this.id) return;
    Object.assign(this.offers, await ask("/api/start"));
    $("save").hidden = !this.offers.write;
    this.list();
    this.meant();
  }

  // known reports whether there is a model of that id, which is where it comes from and its name.
  known(id) {
    if (!id) return false;
    const [from, name] = this.parts(id);
    return from === "folder" && this.offers.files.includes(name) || from === "examples" && this.offers.examples.includes(name) || !!stored.get(localStorage, draftKey(id));
  }

  parts(id) { const i = id.indexOf(":"); return [id.slice(0, i), id.slice(i + 1)]; }

  // document is what requests say of the model.
  document() {
    const [from, name] = this.parts(this.id);
    return { name, from, text: this.model.text, process: this.model.process || "", params: this.model.params || {} };
  }

  // open opens a model: as it was left in this browser, or as it is stored.
  async open(id) {
    const [from, name] = this.parts(id), draft = stored.get(localStorage, draftKey(id));
    this.opening = id;
    if (this.reading) this.reading.abort();
    clearTimeout(this.pause);
    let file = null;
    if (from !== "new") {
      try {
        file = await ask("/api/text?" + new URLSearchParams({ name, from }));
      } catch (e) {
        if (!draft) {
          this.problem(told(e));
          if (this.id) this.list();
          return;
        }
      }
    }
    if (this.opening !== id) return; // yet another one is to be opened
    if (this.id && this.id !== id) this.leave();
    this.id = id;
    const mine = draft && (!file || draft.text !== draft.base);
    this.model = mine ? draft : { text: file ? file.text : "", base: file ? file.text : "", version: file ? file.version : "", process: draft ? draft.process : "", params: draft ? draft.params : {} };
    this.editor.set(this.model.text);
    this.editor.show([], []);
    this.problem(element("p", { class: "quiet" }, "Reading …"));
    this.editor.root.scrollTop = this.editor.root.scrollLeft = 0;
    history.replaceState(null, "", "/#" + encodeURIComponent(id));
    document.title = name + " – seltl";
    stored.set(localStorage, "seltl.last", id);
    for (const p of Object.values(this.panels)) p.opened();
    this.list();
    this.meant();
    if (mine && file && file.version !== draft.version && file.text !== draft.text) {
      this.problem(element("p", { class: "failure" }, "The file was changed since you began to edit it. ", button("Take the file", () => this.revert(), { class: "small" }), " ",
        button("Keep mine", () => { this.model.version = file.version; this.model.base = file.text; this.keepDraft(); this.meant(); }, { class: "small" })));
    }
  }

  // leave keeps what was typed a moment ago.
  leave() {
    clearTimeout(this.keeping);
    if (this.model.text !== this.model.base) this.keepDraft();
  }

  // list shows which models there are.
  list() {
    const option = (id, text) => {
      const d = stored.get(localStorage, draftKey(id));
      return element("option", { value: id, selected: id === this.id }, text + (d && d.text !== d.base ? " •" : ""));
    };
    const drafts = Object.keys(localStorage).filter(k => k.startsWith(draftKey("new:"))).map(k => k.slice(draftKey("").length));
    if (this.parts(this.id)[0] === "new" && !drafts.includes(this.id)) drafts.push(this.id);
    const groups = [["In the folder", this.offers.files.map(f => ["folder:" + f, f])], ["New", drafts.map(d => [d, this.parts(d)[1]])], ["Examples", this.offers.examples.map(f => ["examples:" + f, f])]];
    $("model").replaceChildren(...groups.filter(g => g[1].length > 0).map(([label, all]) => element("optgroup", { label }, all.map(([id, text]) => option(id, text)))));
    if (this.offers.more) $("model").querySelector("optgroup").append(element("option", { disabled: true }, "… and more: name them behind seltl serve"));
    $("model").value = this.id;
    this.edited();
  }

  edited() {
    const changed = this.model.text !== this.model.base, isNew = this.parts(this.id)[0] === "new";
    $("revert").hidden = !changed && !isNew;
    $("revert").textContent = isNew ? "Delete" : "Revert";
    $("save").disabled = this.parts(this.id)[0] === "examples" || !changed && !isNew;
    const o = $("model").selectedOptions[0];
    if (o) o.textContent = o.textContent.replace(/ •$/, "") + (changed ? " •" : "");
  }

  create(name) {
    const id = "new:" + name;
    if (!stored.get(localStorage, draftKey(id))) {
      const process = name.replace(/^.*\//, "").replace(/\W.*$/, "").toUpperCase().replace(/^[^A-Z]+/, "") || "MODEL";
      const text = /\.aut$/.test(name) ? 'des (0, 1, 1)\n(0, "tick", 0)\n' : process + " = (tick -> tock -> " + process + ").\n\nltl ALTERNATES = G (tick -> X tock)\n";
      stored.set(localStorage, draftKey(id), { text, base: "", version: "", process: "", params: {} });
    }
    this.open(id);
  }

  // typed is called when the user has changed the text.
  typed() {
    this.model.text = this.editor.text;
    this.edited();
    for (const p of Object.values(this.panels)) p.changed();
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keepDraft(), 150);
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.read(), 250);
  }

  keepDraft() { stored.set(localStorage, draftKey(this.id), this.model); }

  // follow takes what another tab has made of the model.
  follow(model) {
    if (model.text === this.model.text && model.process === this.model.process && JSON.stringify(model.params) === JSON.stringify(this.model.params)) return;
    clearTimeout(this.keeping);
    const text = model.text !== this.model.text;
    this.model = model;
    this.editor.set(model.text);
    this.edited();
    if (text) for (const p of Object.values(this.panels)) p.changed();
    this.read();
  }

  // forgotten is called when another tab has reverted the model, saved it under its name, or
  // deleted it.
  forgotten() {
    clearTimeout(this.keeping);
    this.model.base = this.model.text; // it is not for this tab to keep it
    if (this.parts(this.id)[0] !== "new") this.open(this.id);
    else this.problem(element("p", { class: "failure" }, "Another tab has saved this model, or deleted it. What you type here makes it a new one again."));
  }

  // meant is called when what the text means has changed: the process, a constant.
  meant() {
    this.keepDraft();
    this.graph.changed();
    this.read();
  }

  // read has the server say what is in the text, and what is wrong with it.
  async read() {
    if (this.reading) this.reading.abort();
    const mine = this.reading = new AbortController(), text = this.model.text;
    try {
      const reading = await ask("/api/read", this.document(), mine.signal);
      if (mine.signal.aborted || text !== this.model.text) return;
      this.understood(reading);
    } catch (e) {
      if (e.name !== "AbortError") this.problem(told(e));
    }
  }

  understood(reading) {
    const here = m => m.file === undefined || m.file === "" || m.file === this.document().name;
    this.editor.show(reading.marks, reading.messages.filter(here));
    this.messages = reading.messages;
    this.showProblems();
    $("process").parentElement.hidden = !reading.model && reading.processes.length === 0;
    if (!$("process").parentElement.hidden) {
      const processes = reading.processes, wanted = this.model.process || "";
      $("process").replaceChildren(element("option", { value: "" }, reading.process && !wanted ? reading.process : "default"), ...processes.filter(p => wanted || p.name !== reading.process).map(p => element("option", { value: p.name }, p.name)));
      if (wanted && !processes.some(p => p.name === wanted)) $("process").append(element("option", { value: wanted }, wanted));
      $("process").value = wanted;
    }
    const m = reading.model;
    $("size").replaceChildren(m ? counted(m.components.length, "component") + ", " + counted(m.actions, "action") : "", ...this.constants(reading.constants));
    if (m) {
      this.checks.read(reading);
      this.automaton.read(reading);
      const shown = this.panels[this.tab];
      if (shown && shown.shown && !shown.view) shown.shown();
    } else {
      this.checks.read({ properties: reading.properties.length > 0 ? reading.properties : this.checks.properties, model: null });
    }
  }

  // constants are fields for the values of constants.
  constants(all) {
    if (document.activeElement && document.activeElement.classList.contains("constant")) return [...document.querySelectorAll("label.const")];
    const set = c => this.model.params && this.model.params[c.name] !== undefined;
    return all.filter(c => /^-?\d+$/.test(c.value) && (Math.abs(Number(c.value)) > 1 || set(c))).slice(0, 6).map(c => {
      const field = element("input", { type: "number", class: "constant", value: c.value, step: 1, title: "Another value for the constant " + c.name + ", as -D " + c.name + "=… does" });
      field.addEventListener("change", () => {
        const params = { ...this.model.params };
        if (field.value === "") delete params[c.name];
        else params[c.name] = Math.trunc(Number(field.value));
        this.model.params = params;
        field.blur();
        for (const p of Object.values(this.panels)) p.changed();
        this.meant();
      });
      return element("label", { class: "const" + (set(c) ? " set" : "") }, c.name + " = ", field,
        set(c) ? button("×", () => { delete this.model.params[c.name]; for (const p of Object.values(this.panels)) p.changed(); this.meant(); }, { class: "link", title: "as the model says", "aria-label": "The model's value of " + c.name }) : null);
    });
  }

  problem(node) { $("problems").replaceChildren(node); }

  // showProblems lists what is wrong with the text.
  showProblems() {
    const errors = this.messages.filter(m => m.severity === "error").length, others = this.messages.length - errors;
    const sum = this.messages.length === 0 ? "No mistakes" : [errors && errors + (errors === 1 ? " mistake" : " mistakes"), others && others + (others === 1 ? " remark" : " remarks")].filter(Boolean).join(", ");
    const name = this.document().name;
    this.problem(element("div", {}, element("p", { class: errors ? "bad" : "good", role: "status" }, sum),
      this.messages.length === 0 ? null : element("ul", {}, this.messages.map(m => {
        const here = m.line > 0 && (!m.file || m.file === name), fix = here && this.fix(m);
        return element("li", { class: m.severity, "data-start": here ? m.start : null, "data-end": here ? m.end : null },
          here ? button(m.line + ":" + m.column, () => this.editor.go(m.start, Math.max(m.end, m.start)), { class: "link place", "aria-label": "Go to line " + m.line + ", column " + m.column }) : m.file && m.line ? code(m.file + ":" + m.line) : null,
          " ", m.severity === "error" ? null : element("em", {}, m.severity + ": "), m.text, m.help ? element("span", { class: "quiet" }, " — " + m.help) : null,
          fix ? [" ", button("Use " + fix, () => this.editor.put(m.start, m.end, fix), { class: "small fix" })] : null,
          (m.related || []).map(r => element("div", { class: "quiet" }, r)));
      }))));
  }

  // fix is the name that a message suggests for the one that it is about.
  fix(m) {
    const found = /did you mean "([^"]+)"\?/.exec(m.help || "");
    return found && /^[\w.]+$/.test(this.model.text.slice(m.start, m.end)) ? found[1] : "";
  }

  // caret marks the message about the place where the caret is.
  caret(at) {
    for (const li of document.querySelectorAll("#problems li[data-start]")) {
      const on = Number(li.dataset.start) <= at && at <= Number(li.dataset.end);
      li.classList.toggle("here", on);
      if (on) li.scrollIntoView({ block: "nearest" });
    }
  }

  async save(over) {
    const { name, text } = this.document(), was = this.id, model = this.model;
    if (this.saving || $("save").disabled && !over) return;
    this.saving = true;
    try {
      const file = await ask("/api/save", { name, text, version: model.version || "", over: !!over, place });
      Object.assign(model, { base: text, version: file.version });
      if (was !== this.id) { // another one was opened meanwhile
        if (this.parts(was)[0] === "folder") stored.set(localStorage, draftKey(was), model);
        return;
      }
      if (this.parts(was)[0] === "new") {
        stored.remove(localStorage, draftKey(was));
        this.id = "folder:" + name;
        if (!this.offers.files.includes(name)) this.offers.files.push(name);
        history.replaceState(null, "", "/#" + encodeURIComponent(this.id));
      }
      this.keepDraft();
      this.list();
      this.showProblems();
    } catch (e) {
      if (was === this.id) this.problem(element("div", {}, told(e), e.code === "changed" ? element("p", {}, button("Write it anyway", () => this.save(true), { class: "small" }), " ", button("Take the file", () => this.revert(), { class: "small" })) : null));
    } finally {
      this.saving = false;
    }
  }

  revert() {
    stored.remove(localStorage, draftKey(this.id));
    clearTimeout(this.keeping);
    this.model.base = this.model.text; // nothing is left to be kept
    const isNew = this.parts(this.id)[0] === "new";
    this.open(isNew ? (this.offers.files.length > 0 ? "folder:" + this.offers.files[0] : "examples:first.lks") : this.id);
  }

  // choose shows a panel.
  choose(name) {
    this.tab = name;
    this.keep({ tab: name });
    for (const other of Object.keys(this.panels)) {
      const on = other === name, tab = $("tab-" + other);
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      $("panel-" + other).hidden = !on;
    }
    this.editor.band([]);
    if (this.panels[name].shown) this.panels[name].shown();
  }

  // keep remembers something about the open model, for this tab and for those that come.
  keep(values) {
    const all = { ...stored.get(sessionStorage, keptKey(this.id)), ...values };
    if ("check" in values) all.checked = this.print();
    stored.set(sessionStorage, keptKey(this.id), all);
    const { simulation, tab, ...others } = all; // these are this tab's own
    stored.set(localStorage, keptKey(this.id), others);
  }

  kept(name) {
    const here = stored.get(sessionStorage, keptKey(this.id)) || stored.get(localStorage, keptKey(this.id)) || {};
    return here[name];
  }

  print() { const d = this.document(); return fingerprint(d.text + "\n" + d.process + JSON.stringify(d.params)); }
  changedSince() { return this.kept("checked") !== this.print(); }
  changedSinceSimulation() { return this.kept("simulated") !== this.print(); }
  simulationBegins() { this.keep({ simulated: this.print() }); }

  // widen gives the room of the editor to the panels, or back.
  widen(on) {
    document.body.classList.toggle("wide", on);
    $("wide").textContent = on ? "Show editor" : "Hide editor";
    stored.set(sessionStorage, "seltl.wide", on);
  }

  line(n) { this.widen(false); this.editor.line(n); }
  band(lines) { this.editor.band(lines); }

  // simulate steps through the run of a result.
  simulate(check, result) {
    this.simulator.opened();
    this.simulator.waiting = true;
    this.choose("simulate");
    this.simulator.begin(check, result);
    $("panel-simulate").focus({ preventScroll: true });
  }
}

new App().begin();
