// A simulation: what is possible, who takes part, what changes, how the properties stand, and
// where in the graph of all states the run is.
import { button, code, counted, element, told, wrong } from "./dom.js";
import { States } from "./states.js";
import { ask, connection } from "./connection.js";

const ends = { deadlock: "Deadlock: nothing is possible here.", end: "END: the run is over.", error: "ERROR is reached." };

// claim makes a simulation that of this page, and is false if it is that of another: a tab that
// was duplicated has its number, too.
const claims = new Set();
function claim(id) {
  if (claims.has(id) || !navigator.locks) return Promise.resolve(true);
  return new Promise(done => navigator.locks.request("seltl.simulation." + id, { ifAvailable: true }, lock => {
    done(lock !== null);
    if (lock === null) return undefined;
    claims.add(id);
    return new Promise(() => {}); // as long as the page is there
  }));
}

export class Simulator {
  constructor(root, app) {
    this.app = app;
    this.root = root;
    this.view = null;
    this.build();
  }

  build() {
    const act = (text, command, attributes) => button(text, () => this.send({ command }), attributes);
    this.says = element("div", { class: "says", role: "status", "aria-live": "polite", id: "sim-says" });
    this.undo = act("◀ Undo", "undo", { id: "undo", title: "One step back (←)" });
    this.redo = act("Redo ▶", "redo", { id: "redo", title: "The step that lies ahead (→)" });
    this.start = button("Restart", () => this.begin(), { id: "restart", title: "Begin again, with the text as it is now" });
    this.goal = element("input", { type: "text", id: "goal", spellcheck: "false", autocomplete: "off", placeholder: "deadlock, violation, p[0].crit", list: "goals" });
    this.goal.addEventListener("keydown", e => { if (e.key === "Enter") this.goto(); });
    this.goals = element("datalist", { id: "goals" });
    this.menu = element("select", { id: "menu", "aria-label": "Menu" });
    this.menu.addEventListener("change", () => this.send({ command: "menu " + this.menu.value }));
    this.choices = element("ol", { class: "choices", "aria-label": "What is possible" });
    this.state = element("div", { class: "state" });
    this.properties = element("div", { class: "standing" });
    this.history = element("ol", { class: "history", start: 0, "aria-label": "The run", tabindex: 0 });
    const graph = element("div", { class: "simgraph" });
    this.graph = new States(graph, state => this.goState(state));
    this.stale = element("p", { class: "stale", hidden: true }, "The model has changed: Restart takes the new text.");
    const others = [act("Random", "random", { title: "A step at random" }), act("× 10", "random 10", { "aria-label": "Ten steps at random" }),
      act("Run on", "run", { title: "On, as long as nobody has to choose" }), act("To the start", "reset", { title: "The steps lie ahead then" })];
    const go = button("Go", () => this.goto(), { id: "go", title: "The shortest way there" });
    this.commands = [this.undo, this.redo, ...others, go];
    this.panes = element("div", { hidden: true });
    this.root.append(
      element("div", { class: "group" }, this.undo, this.redo,
        others, this.start, this.menu),
      element("div", { class: "formula" }, element("label", { for: "goal" }, "Go to"), this.goal, this.goals, go),
      this.stale, this.says, this.panes);
    this.panes.append(
      element("div", { class: "simpanes" },
        element("div", { class: "simnext" }, element("h2", { class: "part" }, "Possible"), this.choices, this.properties),
        graph,
        element("div", { class: "simstate" }, element("h2", { class: "part" }, "The run"), this.history, this.state)),
      element("p", { class: "quiet keys" }, "Keys: 1 to 9 choose, ← and → go back and forth."));
    this.root.addEventListener("keydown", e => this.key(e));
    this.clear();
  }

  key(e) {
    if (e.altKey || e.ctrlKey || e.metaKey || e.target.matches("input, select, textarea")) return;
    if (e.key === "ArrowLeft" && !e.target.closest(".drawing")) this.send({ command: "undo" });
    else if (e.key === "ArrowRight" && !e.target.closest(".drawing")) this.send({ command: "redo" });
    else if (/^[1-9]$/.test(e.key)) this.send({ command: "take " + e.key });
    else return;
    e.preventDefault();
  }

  // opened shows another document; the simulation of it goes on, if there is one.
  opened() {
    this.view = null;
    this.waiting = false;
    this.clear();
    this.says.replaceChildren();
    this.stale.hidden = true;
  }

  clear() {
    this.panes.hidden = this.menu.hidden = true;
    for (const b of this.commands) b.disabled = true;
    for (const x of [this.choices, this.state, this.properties, this.history]) x.replaceChildren();
    this.graph.clear();
  }

  changed() { if (this.view) this.stale.hidden = false; }

  // shown is called when the simulator can be seen.
  async shown() {
    if (this.view || this.waiting) return;
    const id = this.app.kept("simulation"), model = this.app.id;
    if (id) {
      this.waiting = true;
      try {
        const view = await claim(id) ? await ask("/api/simulations/" + id) : await ask("/api/simulations/" + id + "/copy", {});
        if (model !== this.app.id) return; // another one was opened meanwhile
        this.own(view);
        this.show(view);
        this.stale.hidden = !this.app.changedSinceSimulation();
        return;
      } catch (e) {
        if (model !== this.app.id) return;
        // It is forgotten.
      } finally {
        if (model === this.app.id) this.waiting = false;
      }
    }
    this.begin();
  }

  // begin begins a simulation, with the run of a result ahead if there is one.
  async begin(check, result) {
    const model = this.app.id;
    this.waiting = true;
    try {
      const view = await ask("/api/simulations", { ...this.app.document(), ...(check ? { check, result } : {}) });
      if (model !== this.app.id) return; // another one was opened meanwhile
      this.stale.hidden = true;
      this.own(view);
      this.app.simulationBegins();
      this.show(view);
      if (check) this.say("The counterexample lies ahead: Redo follows it, and any other choice branches off.");
    } catch (e) {
      if (model !== this.app.id) return;
      this.mistaken(e);
      if (!this.view) this.clear();
    } finally {
      if (model === this.app.id) this.waiting = false;
    }
  }

  // own makes a simulation the one that this page finds again.
  own(view) {
    claim(view.id);
    this.app.keep({ simulation: view.id });
  }

  // restarted begins again at a server that knows nothing of it.
  restarted() {
    if (!this.view) return;
    this.opened();
    this.app.keep({ simulation: "" });
    if (this.app.tab === "simulate") this.begin().then(() => this.say("The server was started again, and so is the simulation."));
  }

  goto() {
    if (this.goal.value.trim()) this.send({ command: "goto " + this.goal.value });
    else this.goal.focus();
  }

  // goState goes to a state: by the choice that leads there, or on a shortest way.
  goState(state) {
    const k = this.view.next.indexOf(state), choice = k >= 0 && this.view.position.choices[k];
    this.send(choice && !choice.alone ? { command: "take " + choice.number } : { state });
  }

  say(...parts) { this.says.replaceChildren(...parts); }

  // send sends a command, once those before it are answered. What is pressed while nobody answers
  // is not done later.
  send(command) {
    if (this.queued > 20 || connection.state !== "here") return;
    this.queued = (this.queued || 0) + 1;
    this.queue = (this.queue || Promise.resolve()).then(() => this.carry(command)).finally(() => { this.queued--; });
  }

  async carry(command) {
    const before = this.view;
    if (!before) return;
    try {
      const view = await ask("/api/simulations/" + before.id, { ...command, revision: before.revision });
      if (this.view === before) this.show(view);
    } catch (e) {
      if (this.view !== before) return;
      if (e.code === "forgotten") {
        await this.begin();
        this.say("The server does not know the simulation any more: it begins again.");
      } else if (e.code === "moved") { // by another page, or by this one, whose answer was lost
        this.show(await ask("/api/simulations/" + before.id));
      } else {
        this.mistaken(e, /^goto /.test(command.command) ? command.command.slice(5) : "");
      }
    }
  }

  mistaken(e, formula) { this.say(...wrong(e, formula)); }

  // show shows where the simulation is.
  show(view) {
    const focus = document.activeElement, kept = this.choices.contains(focus) ? [...this.choices.querySelectorAll("button")].indexOf(focus) : -1;
    this.view = view;
    this.panes.hidden = false;
    for (const b of this.commands) b.disabled = false;
    const p = view.position;
    this.undo.disabled = p.step === 0;
    this.redo.disabled = !p.ahead && !p.loop;
    this.say(...this.where(view));
    this.showMenu(view);
    this.showChoices(view);
    this.showProperties(p.properties || []);
    this.showState(view);
    this.showHistory(view);
    this.graph.show(view);
    const next = p.by && p.by.at;
    this.app.band(next ? next.filter(x => x.file === this.app.document().name) : []);
    if (kept >= 0) (this.choices.querySelectorAll("button:not(:disabled)")[kept] || this.choices.querySelector("button:not(:disabled)") || this.undo).focus();
    else if (focus && focus.disabled) (this.undo.disabled ? this.choices.querySelector("button") || this.start : this.undo).focus();
  }

  where(view) {
    const p = view.position, said = [];
    if (p.by) said.push("Step " + p.step + ", by ", code(p.by.event), p.by.movers ? " (" + p.by.movers.join(", ") + ")" : "", ". ");
    else said.push("The start. ");
    if (p.same >= 0) said.push("The same state as after step " + p.same + ". ");
    if (p.loop && p.step >= p.loop.start) said.push("In the loop of the counterexample. ");
    if (p.end) said.push(element("strong", { class: p.end === "end" ? "" : "badstate" }, ends[p.end]), " ");
    if (p.failed) said.push("In ERROR: " + p.failed.join(", ") + ". ");
    if (view.said) said.push(element("em", {}, view.said));
    return said;
  }

  showMenu(view) {
    const names = view.menus || [];
    this.menu.hidden = names.length === 0;
    this.menu.replaceChildren(element("option", { value: "off" }, "all actions"), ...names.map(n => element("option", { value: n, selected: n === view.position.menu }, "menu " + n)));
    if (!view.position.menu) this.menu.value = "off";
  }

  showChoices(view) {
    const p = view.position;
    this.choices.replaceChildren(...p.choices.map((c, i) => {
      const b = button("", () => this.send({ command: "take " + c.number }), { class: c.ahead ? "choice ahead" : "choice", disabled: c.alone, title: c.alone ? "not on the menu: the system does it" : c.ahead ? "Redo takes this step" : "" });
      const changes = (c.changed || []).map(x => [x.component + ": ", code(x.from), " → ", code(x.to)]);
      b.append(element("span", { class: "number", "aria-hidden": "true" }, String(c.number)), element("span", { class: "event" }, c.event, c.ahead ? element("span", { class: "lies" }, " (ahead)") : null),
        element("span", { class: "changes" }, changes.flatMap((x, k) => k > 0 ? [", ", ...x] : x)));
      for (const [name, on] of [["mouseenter", true], ["mouseleave", false], ["focus", true], ["blur", false]]) b.addEventListener(name, () => this.graph.mark(view.next[i], "hinted", on));
      return element("li", {}, b);
    }), ...(p.choices.length === 0 ? [element("li", { class: "quiet" }, "nothing")] : []), ...(p.more ? [element("li", { class: "quiet" }, p.more.toLocaleString("en") + " more: go to one by its action")] : []));
    if (p.cycle && p.cycle.length > 0) this.choices.append(element("li", { class: "waits" }, "A cycle of waiting: ", [...p.cycle, p.cycle[0]].flatMap((n, i) => [i ? " → " : "", code(n)])));
    if (p.waiting) {
      const waits = p.waiting.map(w => element("li", { class: "waits" }, code(w.component), " in ", code(w.state), w.ended ? " has ended" :
        [" waits for ", (w.offers || []).map((o, i) => [i ? ", or " : "", code(o.event), o.refused_by && o.refused_by.length ? " (refused by " + o.refused_by.join(", ") + ")" : ""])]));
      this.choices.append(element("li", {}, element("details", { open: !p.cycle || waits.length < 4 }, element("summary", {}, "Who waits for what"), element("ul", { class: "choices" }, waits))));
    }
  }

  showProperties(all) {
    const chip = { open: ["open", "unknown"], violated: ["fails", "violated"], satisfied: ["holds", "holds"] };
    this.properties.replaceChildren(...(all.length === 0 ? [] : [element("h2", { class: "part" }, "Properties"), element("ul", {}, all.map(p => {
      const [word, kind] = chip[p.verdict] || [p.verdict, ""], lasso = p.verdict === "open" && chip[p.lasso];
      return element("li", {}, element("span", { class: "verdict " + kind }, word), " ", p.name ? code(p.name) : code(p.formula || p.kind),
        lasso ? element("span", { class: "owes" }, " " + lasso[0] + " if the loop goes on for ever") :
          p.owes ? element("span", { class: "owes" }, " still to come: ", p.owes.slice(0, 3).flatMap((o, i) => [i ? ", " : "", code(o)])) : null);
    }))]));
  }

  showState(view) {
    const p = view.position, changed = new Set(((p.by && p.by.changed) || []).map(c => c.component)), gained = new Set((p.by && p.by.gained) || []);
    const rows = view.components.map((c, i) => c.watching ? null : element("tr", { class: changed.has(c.name) ? "now" : "" },
      element("th", { scope: "row" }, code(c.name)), element("td", {}, code(p.state.locals[i]))));
    const props = p.state.props || [];
    this.goals.replaceChildren(...["deadlock", "violation", ...props].map(value => element("option", { value })));
    this.state.replaceChildren(element("h2", { class: "part" }, "State"),
      element("p", { class: "props" }, props.length > 0 ? props.map(x => code(x, { class: gained.has(x) ? "new" : "" })) : element("span", { class: "quiet" }, "no proposition holds")),
      element("div", { class: "scroll locals" }, element("table", {}, element("tbody", {}, rows.filter(Boolean)))));
  }

  showHistory(view) {
    const { step, ahead } = view.position, all = view.history, most = 400;
    const from = Math.max(0, Math.min(step - most / 2, all.length - most)), items = [];
    const item = (n, text) => element("li", { value: n, class: n === step ? "here" : n > step ? "ahead" : "", "aria-current": n === step ? "step" : false }, button(text, () => this.send({ command: "jump " + n }), { class: "link" }));
    if (from === 0) items.push(item(0, "start"));
    for (let i = from; i < Math.min(all.length, from + most); i++) items.push(item(i + 1, all[i]));
    if (from > 0 || all.length > from + most) items.push(element("li", { class: "quiet" }, "of " + counted(all.length, "step")));
    this.history.replaceChildren(...items);
    const here = this.history.querySelector(".here");
    if (here) this.history.scrollTop = Math.max(0, here.offsetTop - this.history.offsetTop - this.history.clientHeight / 2);
  }
}
