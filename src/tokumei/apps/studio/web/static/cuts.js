"use strict";
/* Numbers cut into groups: cuts are dragged on a histogram, or moved with the arrow keys. */
(() => {
  const { all } = window.studio;
  const MOST = 12;

  class Cuts extends HTMLElement {
    connectedCallback() {
      const counts = Object.entries(JSON.parse(this.dataset.counts)).map(([text, count]) => [Number(text), count]);
      this.values = counts.filter(([value]) => Number.isFinite(value)).sort((one, other) => one[0] - other[0]);
      if (this.values.length < 2) return;
      this.low = this.values[0][0];
      this.high = this.values.at(-1)[0];
      this.step = this.values.every(([value]) => Number.isInteger(value)) ? 1 : Number(((this.high - this.low) / 100).toPrecision(1));
      this.cuts = this.first(JSON.parse(this.dataset.rows));
      this.field = document.getElementById(this.dataset.field);
      this.track = this.querySelector(".track");
      this.bands = this.querySelector(".bands");
      this.addEventListener("keydown", (event) => this.pressed(event));
      this.addEventListener("pointerdown", (event) => this.taken(event));
      this.querySelector("[data-add]").addEventListener("click", () => this.add());
      this.draw();
    }
    /* Where the groups of the tree begin, on the finest level that has few of them. */
    first(rows) {
      for (let level = 1; level < rows[0].length - 1; level++) {
        const begins = new Map();
        for (const row of rows) {
          const value = Number(row[0]);
          if (Number.isFinite(value)) begins.set(row[level], Math.min(value, begins.get(row[level]) ?? value));
        }
        const found = [...begins.values()].sort((one, other) => one - other).slice(1);
        if (found.length && found.length <= MOST) return found;
      }
      return [this.fit((this.low + this.high) / 2)];
    }
    fit(value) {
      const stepped = Number((Math.round(value / this.step) * this.step).toPrecision(12));
      return Math.min(this.high, Math.max(this.low + this.step, stepped));
    }
    place(value) {
      return (100 * (value - this.low)) / (this.high - this.low);
    }

    draw(held) {
      this.cuts = [...new Set(this.cuts)].sort((one, other) => one - other);
      const handles = this.cuts.map((cut, at) => this.handle(cut, at));
      let shown = -Infinity;
      for (const [at, one] of handles.entries()) {
        const place = (this.place(this.cuts[at]) / 100) * this.track.clientWidth;
        one.classList.toggle("close", place - shown < 44);
        if (place - shown >= 44) shown = place;
      }
      this.track.replaceChildren(...handles);
      const edges = [-Infinity, ...this.cuts, Infinity];
      this.bands.replaceChildren(...edges.slice(0, -1).map((from, at) => this.band(from, edges[at + 1])));
      this.field.value = `-inf,${this.cuts.join(",")},inf`;
      const button = this.closest("form").querySelector("button[data-make]");
      button.disabled = !this.cuts.length;
      if (held !== undefined) handles[this.cuts.indexOf(held)]?.focus();
    }
    handle(cut, at) {
      const made = document.createElement("span");
      made.className = "cut";
      made.tabIndex = 0;
      made.dataset.at = at;
      made.style.left = `${this.place(cut)}%`;
      for (const [name, value] of Object.entries({
        role: "slider",
        "aria-label": this.dataset.cut.replace("{number}", at + 1),
        "aria-valuemin": this.low,
        "aria-valuemax": this.high,
        "aria-valuenow": cut,
        "aria-orientation": "horizontal",
      })) made.setAttribute(name, value);
      const shown = document.createElement("b");
      shown.textContent = cut;
      made.append(shown);
      return made;
    }
    band(from, to) {
      const made = document.createElement("li");
      const rows = this.values.filter(([value]) => value >= from && value < to).reduce((sum, [, count]) => sum + count, 0);
      const words = from === -Infinity ? `< ${to}` : to === Infinity ? `${from} ≤` : `${from} – < ${to}`;
      const count = document.createElement("b");
      count.textContent = rows.toLocaleString(document.documentElement.lang);
      made.append(`${words} `, count);
      made.classList.toggle("none", !rows);
      return made;
    }
    move(at, value) {
      const wanted = this.fit(value);
      if (this.cuts.some((cut, other) => other !== at && cut === wanted)) return;
      this.cuts[at] = wanted;
      this.draw(wanted);
    }
    add() {
      const edges = [this.low, ...this.cuts, this.high];
      const gaps = edges.slice(1).map((to, at) => [to - edges[at], at]);
      const [, at] = gaps.sort((one, other) => other[0] - one[0])[0];
      const middle = this.fit((edges[at] + edges[at + 1]) / 2);
      if (this.cuts.includes(middle)) return;
      this.cuts.push(middle);
      this.draw(middle);
    }
    pressed(event) {
      const handle = event.target.closest(".cut");
      if (!handle) return;
      const at = Number(handle.dataset.at);
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
      if (by) this.move(at, this.cuts[at] + by * this.step);
      else if (event.key === "Home") this.move(at, this.low + this.step);
      else if (event.key === "End") this.move(at, this.high);
      else if (event.key === "Delete" || event.key === "Backspace") {
        this.cuts.splice(at, 1);
        this.draw(this.cuts[Math.min(at, this.cuts.length - 1)]);
      } else return;
      event.preventDefault();
    }
    taken(event) {
      const handle = event.target.closest(".cut");
      if (!handle) return;
      event.preventDefault();
      let cut = this.cuts[Number(handle.dataset.at)];
      this.draw(cut);
      const box = this.track.getBoundingClientRect();
      const moved = (now) => {
        this.move(this.cuts.indexOf(cut), this.low + ((now.clientX - box.left) / box.width) * (this.high - this.low));
        cut = Number(document.activeElement?.getAttribute("aria-valuenow") ?? cut);
      };
      const ended = () => {
        removeEventListener("pointermove", moved);
        removeEventListener("pointerup", ended);
      };
      addEventListener("pointermove", moved);
      addEventListener("pointerup", ended);
    }
  }
  customElements.define("tokumei-cuts", Cuts);
  all("[data-choices]").forEach((form) => {
    const button = form.querySelector("button[data-make]");
    const told = () => (button.disabled = !form.querySelector(":checked"));
    form.addEventListener("change", told);
    told();
  });
})();
