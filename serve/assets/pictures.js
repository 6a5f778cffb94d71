// Pictures: of the composition of a process, and of the automaton of a formula.
import { button, element, frame, wrong } from "./dom.js";
import { ask } from "./connection.js";

// Picture is a panel with a drawing that is asked for.
class Picture {
  constructor(app) {
    this.app = app;
    this.says = element("div", { class: "says", role: "status" });
    this.place = element("div", {});
  }

  async draw(path, question, name) {
    if (this.waiting) this.waiting.abort();
    const mine = this.waiting = new AbortController();
    this.says.replaceChildren("Drawing …");
    try {
      const answer = await ask(path, question, mine.signal);
      this.says.replaceChildren(answer.text || "");
      this.place.replaceChildren(frame(answer.svg, name).root);
    } catch (e) {
      if (e.name === "AbortError") return;
      this.place.replaceChildren();
      this.says.replaceChildren(...wrong(e, question.formula));
    }
    if (this.waiting === mine) this.waiting = null;
  }

  // opened and changed make the drawing one that is asked for again.
  opened() {
    if (this.waiting) this.waiting.abort();
    this.drawn = false;
    this.place.replaceChildren();
    this.says.replaceChildren();
  }
  changed() { this.drawn = false; }
}

export class Graph extends Picture {
  constructor(root, app) {
    super(app);
    this.minimise = element("select", { id: "minimise" }, [["", "all states"], ["strong", "states up to strong bisimulation"], ["branching", "states up to branching bisimulation"], ["weak", "states up to weak bisimulation"], ["trace", "states up to equal traces"]]
      .map(([value, text]) => element("option", { value }, text)));
    this.minimise.addEventListener("change", () => this.now());
    root.append(element("div", { class: "group" }, element("label", { for: "minimise" }, "Show "), this.minimise, button("Draw", () => this.now(), { id: "draw" })), this.says, this.place);
  }

  now() {
    this.drawn = true;
    this.draw("/api/picture", { ...this.app.document(), minimise: this.minimise.value }, "Graph of " + this.app.document().name);
  }

  shown() { if (!this.drawn) this.now(); }
}

export class Automaton extends Picture {
  constructor(root, app) {
    super(app);
    this.formula = element("input", { type: "text", id: "automaton-formula", spellcheck: "false", autocomplete: "off", placeholder: "G (request -> F answer)" });
    this.formula.addEventListener("keydown", e => { if (e.key === "Enter") this.now(); });
    this.formula.addEventListener("input", () => app.keep({ automaton: this.formula.value }));
    this.negate = element("input", { type: "checkbox", id: "negate" });
    this.negate.addEventListener("change", () => this.now());
    this.list = element("datalist", { id: "automaton-formulas" });
    this.formula.setAttribute("list", "automaton-formulas");
    root.append(element("div", { class: "formula" }, element("label", { for: "automaton-formula" }, "Formula"), this.formula, this.list, button("Draw", () => this.now(), { id: "draw-automaton" })),
      element("p", {}, element("label", {}, this.negate, " of its negation: the automaton that a check looks for runs with")), this.says, this.place);
  }

  read(reading) {
    this.list.replaceChildren(...reading.properties.filter(p => p.kind === "ltl").map(p => element("option", { value: p.text }, p.name)));
    this.first = (reading.properties.find(p => p.kind === "ltl") || {}).text || "";
  }

  now() {
    this.drawn = true;
    if (!this.formula.value.trim()) this.formula.value = this.first || "";
    if (!this.formula.value.trim()) {
      this.says.replaceChildren("A formula is needed: write one, such as G F event.");
      return;
    }
    this.draw("/api/automaton", { ...this.app.document(), formula: this.formula.value, negate: this.negate.checked }, "Automaton");
  }

  opened() { super.opened(); this.formula.value = this.app.kept("automaton") || ""; }
  shown() { if (!this.drawn) this.now(); }
}
