// The picture of a simulation's states: all of a small model, of a large one those around the
// present state. What can be next is marked, and a click, or Enter, goes to a state.
import { button, element, frame, told } from "./dom.js";
import { ask } from "./connection.js";

const few = 30; // states that are drawn at once

export class States {
  // go is called with the number of a state.
  constructor(root, go) {
    this.root = root;
    this.go = go;
    this.clear();
  }

  clear() {
    this.drawn = null;
    this.wanted = null;
    this.now = null;
    this.root.replaceChildren();
  }

  // show shows where the simulation is, and draws again if that cannot be seen yet.
  async show(view) {
    if (this.view && this.view.id !== view.id) this.clear();
    const before = this.now;
    this.view = view;
    this.now = view.now;
    const all = view.states > 0 && (this.all === undefined ? view.states <= few : this.all);
    const has = n => this.drawn.nodes.has(String(n));
    if (!this.drawn || this.drawn.all !== all || !has(view.now) || !view.next.every(has)) {
      const mine = this.wanted = {};
      try {
        const answer = await ask("/api/simulations/" + view.id + "/graph" + (all ? "" : "?near=" + view.now));
        if (this.wanted !== mine) return; // it is elsewhere meanwhile
        this.draw(answer, all);
      } catch (e) {
        if (this.wanted === mine) this.root.replaceChildren(told(e));
        return;
      }
    }
    this.wanted = null;
    this.place(before);
  }

  draw(answer, all) {
    const focused = this.drawn && this.drawn.picture.contains(document.activeElement);
    const { root, picture } = frame(answer.svg, "States of " + this.view.name, () => this.center(), 0.5), nodes = new Map();
    for (const node of picture.querySelectorAll("[data-state]")) {
      const number = Number(node.dataset.state);
      nodes.set(node.dataset.state, node);
      node.setAttribute("tabindex", "-1");
      node.setAttribute("role", "button");
      node.addEventListener("click", () => this.go(number));
      node.addEventListener("keydown", e => {
        if (e.key === "Enter" || e.key === " ") this.go(number);
        else if (/^Arrow/.test(e.key)) this.focus(this.beside(node, e.key));
        else return;
        e.preventDefault();
      });
    }
    picture.setAttribute("role", "group"); // of states that can be chosen
    picture.setAttribute("aria-label", "States: arrow keys lead from one to the next, Enter goes there");
    this.drawn = { all, root, picture, nodes, edges: [...picture.querySelectorAll("[data-edge]")] };
    this.root.replaceChildren(element("div", { class: "group" }, element("h2", { class: "part" }, "States"), this.choice(all)), root);
    if (focused) this.focus(this.here());
  }

  // choice lets one see more, or less.
  choice(all) {
    if (this.view.states === 0) return element("span", { class: "quiet" }, "those around the present one: all are too many to draw");
    if (this.view.states <= few) return null;
    return button(all ? "Only those around the present one" : "All " + this.view.states, () => {
      this.all = !all;
      this.show(this.view);
    }, { class: "small", id: "states-shown" });
  }

  here() { return this.drawn && this.drawn.nodes.get(String(this.view.now)); }

  // mark gives a state a class, or takes it away.
  mark(number, name, on) {
    const node = this.drawn && this.drawn.nodes.get(String(number));
    if (node) node.classList.toggle(name, on);
  }

  // place marks where the simulation is, and was before.
  place(before) {
    const { now, next } = this.view, follow = new Set(next.map(String));
    for (const [number, node] of this.drawn.nodes) {
      node.classList.toggle("current", number === String(now));
      node.classList.toggle("next", follow.has(number));
      node.classList.remove("hinted");
      if (number === String(now)) node.setAttribute("aria-current", "true");
      else node.removeAttribute("aria-current");
    }
    for (const edge of this.drawn.edges) edge.classList.toggle("taken", edge.dataset.from === String(before) && edge.dataset.to === String(now) && !!this.view.position.by);
    this.drawn.root.dataset.step = this.view.position.step;
    if (!this.drawn.picture.contains(document.activeElement)) this.focus(this.here(), true);
    this.center();
  }

  // focus makes a state the one that the Tab key leads to.
  focus(node, quietly) {
    if (!node) return;
    for (const n of this.drawn.nodes.values()) n.setAttribute("tabindex", n === node ? "0" : "-1");
    if (quietly) return;
    node.focus({ preventScroll: true });
    this.center(node);
  }

  // beside is the state that is nearest in the direction of an arrow key.
  beside(node, key) {
    const middle = n => { const b = n.getBoundingClientRect(); return [(b.left + b.right) / 2, (b.top + b.bottom) / 2]; };
    const [x, y] = middle(node), [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    let best = null, least = Infinity;
    for (const other of this.drawn.nodes.values()) {
      const [a, b] = middle(other), along = (a - x) * dx + (b - y) * dy, aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
      if (along > 1 && along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
    }
    return best;
  }

  // center scrolls to a state, the present one if none is named, unless it is seen.
  center(node) {
    node = node || this.here();
    if (!node) return;
    const scroll = this.drawn.root.querySelector(".drawing"), a = node.getBoundingClientRect(), b = scroll.getBoundingClientRect();
    if (a.left < b.left || a.right > b.right) scroll.scrollLeft += (a.left + a.right) / 2 - (b.left + b.right) / 2;
    if (a.top < b.top || a.bottom > b.bottom) scroll.scrollTop += (a.top + a.bottom) / 2 - (b.top + b.bottom) / 2;
  }
}
