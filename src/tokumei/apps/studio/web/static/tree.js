"use strict";
/* A hierarchy as a tree that is edited by drag and by keys; each change is sent and checked. */
(() => {
  const { all, send, tell } = window.studio;

  class Tree extends HTMLElement {
    connectedCallback() {
      this.rows = JSON.parse(this.dataset.rows);
      this.counts = JSON.parse(this.dataset.counts);
      this.past = [];
      this.future = [];
      this.marked = new Set();
      this.named = new Set();
      this.closed = new Set();
      this.addEventListener("keydown", (event) => this.pressed(event));
      this.addEventListener("click", (event) => this.clicked(event));
      this.addEventListener("dragstart", (event) => this.dragged(event));
      this.addEventListener("dragover", (event) => this.hovered(event));
      this.addEventListener("drop", (event) => this.dropped(event));
      const levels = this.rows[0].length;
      if (this.rows.length > 60) for (const row of this.rows) this.closed.add(this.key(row, 1));
      this.held = this.key(this.rows[0], levels - 1);
      this.draw();
      for (const tool of all("[data-tool]")) tool.addEventListener("click", () => this.tool(tool.dataset.tool));
    }

    /* A node is named by its path from the top down to its level; levels count from the leaves. */
    key(row, level) {
      return JSON.stringify(row.slice(level));
    }
    level(key) {
      return this.rows[0].length - JSON.parse(key).length;
    }
    under(key) {
      const level = this.level(key);
      return this.rows.filter((row) => this.key(row, level) === key);
    }

    draw() {
      const top = this.rows[0].length - 1;
      const list = document.createElement("ul");
      list.setAttribute("role", "tree");
      list.setAttribute("aria-label", this.dataset.label);
      list.setAttribute("aria-multiselectable", "true");
      list.append(...this.nodes(this.rows, top));
      this.replaceChildren(list);
      const held = this.item(this.held) ?? this.querySelector("[role=treeitem]");
      if (held) held.tabIndex = 0;
    }
    nodes(rows, level) {
      const groups = new Map();
      for (const row of rows) {
        const key = this.key(row, level);
        if (!groups.has(key)) groups.set(key, []);
        groups.get(key).push(row);
      }
      return Array.from(groups, ([key, inside]) => this.node(key, inside, level));
    }
    node(key, inside, level) {
      const item = document.createElement("li");
      item.setAttribute("role", "treeitem");
      item.setAttribute("aria-selected", String(this.marked.has(key)));
      item.setAttribute("aria-level", String(this.rows[0].length - level));
      item.tabIndex = -1;
      item.dataset.key = key;
      const shown = document.createElement("span");
      shown.className = level ? "node group" : "node";
      shown.draggable = level < this.rows[0].length - 1;
      const total = inside.reduce((sum, row) => sum + (this.counts[row[0]] ?? 0), 0);
      const name = document.createElement("span");
      name.className = "name";
      name.textContent = inside[0][level];
      const count = document.createElement("span");
      count.className = "count";
      count.textContent = total.toLocaleString(document.documentElement.lang);
      shown.append(name, count);
      item.append(shown);
      if (level) {
        const open = !this.closed.has(key);
        item.setAttribute("aria-expanded", String(open));
        if (open) {
          const list = document.createElement("ul");
          list.setAttribute("role", "group");
          list.append(...this.nodes(inside, level - 1));
          item.append(list);
        }
      }
      return item;
    }
    item(key) {
      return all("[role=treeitem]", this).find((one) => one.dataset.key === key);
    }
    hold(key, focus = true) {
      for (const one of all('[role=treeitem][tabindex="0"]', this)) one.tabIndex = -1;
      const item = this.item(key);
      if (!item) return;
      this.held = key;
      item.tabIndex = 0;
      if (focus) item.focus();
    }
    mark(key) {
      if (this.marked.has(key)) this.marked.delete(key);
      else this.marked.add(key);
      this.item(key)?.setAttribute("aria-selected", String(this.marked.has(key)));
    }

    /* What changes the tree: the new rows are kept with a way back, drawn and sent. */
    change(rows, hold) {
      const held = hold && [this.level(hold), rows.findIndex((row) => this.key(row, this.level(hold)) === hold)];
      const told = this.relabelled(rows);
      this.past.push(this.rows);
      this.future = [];
      this.put(told, held && held[1] >= 0 ? this.key(told[held[1]], held[0]) : hold);
    }
    /* A label that was made from its values, and now stands for others, is made again: it must not lie. */
    relabelled(rows) {
      const members = (all, level) => {
        const found = new Map();
        for (const row of all) found.set(row[level], [...(found.get(row[level]) ?? []), row[0]]);
        return found;
      };
      const leaves = new Set(rows.map((row) => row[0]));
      const made = (label) => /^[{[(\d]|\*/.test(label) || leaves.has(label);
      let told = rows;
      for (let level = 1; level < rows[0].length - 1; level++) {
        const before = members(this.rows, level);
        const after = members(told, level);
        const names = new Map();
        for (const [label, values] of after) {
          const same = before.get(label)?.length === values.length && values.every((one) => before.get(label).includes(one));
          if (!same && made(label) && !this.named.has(label)) names.set(label, this.told(values, leaves));
        }
        told = told.map((row) => (names.has(row[level]) ? row.with(level, names.get(row[level])) : row));
      }
      return told;
    }
    told(values, leaves) {
      if (values.length === 1) return values[0];
      const numbers = values.map(Number);
      const low = Math.min(...numbers);
      const high = Math.max(...numbers);
      const between = [...leaves].filter((one) => Number(one) >= low && Number(one) <= high);
      if (numbers.every(Number.isFinite) && between.length === values.length) return `[${low};${high}]`;
      return `{${[...values].sort().join(";")}}`;
    }
    put(rows, hold) {
      this.rows = rows;
      this.marked.clear();
      if (hold) this.held = hold;
      this.draw();
      this.hold(this.held, this.contains(document.activeElement) || document.activeElement === document.body);
      this.save();
    }
    async save() {
      const check = document.getElementById("check");
      try {
        const answer = await send(this.dataset.save, { rows: this.rows });
        check.textContent = answer.ok ? this.dataset.good : answer.faults.join(" ");
        check.classList.toggle("bad", !answer.ok);
      } catch (error) {
        tell(error.message);
      }
    }
    /* Nodes go where another of their level is: they take over all that stands above it. */
    move(keys, to) {
      const parent = this.level(to);
      const moved = new Set(keys.filter((key) => this.level(key) === parent - 1).flatMap((key) => this.under(key)));
      if (!moved.size) return;
      const above = this.under(to)[0].slice(parent);
      const rows = this.rows.map((row) => (moved.has(row) ? [...row.slice(0, parent), ...above] : row));
      const first = rows[this.rows.findIndex((row) => moved.has(row))];
      this.change(rows, this.key(first, parent - 1));
    }
    chosen() {
      const keys = this.marked.size ? [...this.marked] : [this.held];
      return keys.filter((key) => this.level(key) < this.rows[0].length - 1);
    }
    unused(level, name) {
      const taken = new Set(this.rows.map((row) => row[level]));
      let made = name;
      for (let n = 2; taken.has(made); n++) made = `${name} ${n}`;
      return made;
    }
    relabel(key, name) {
      const level = this.level(key);
      const old = new Set(this.under(key));
      const rows = this.rows.map((row) => (old.has(row) ? row.with(level, name) : row));
      this.change(rows, this.key(rows[this.rows.findIndex((row) => old.has(row))], level));
    }
    rename() {
      const key = this.held;
      const level = this.level(key);
      if (level === 0 || level === this.rows[0].length - 1) return;
      const dialog = document.getElementById("name-dialog");
      const field = document.getElementById("new-name");
      field.value = this.under(key)[0][level];
      dialog.returnValue = "";
      dialog.showModal();
      field.select();
      dialog.addEventListener("close", () => {
        const name = field.value.trim();
        if (dialog.returnValue === "ok" && name) {
          const free = this.unused(level, name);
          this.named.add(free);
          this.relabel(key, free);
        }
        else this.hold(key);
      }, { once: true });
    }
    /* Marked nodes of one level get a group of their own, beside the one they were in. */
    group() {
      const keys = this.chosen();
      if (!keys.length) return;
      const level = this.level(keys[0]);
      if (level + 1 >= this.rows[0].length - 1) return;
      const moved = new Set(keys.filter((key) => this.level(key) === level).flatMap((key) => this.under(key)));
      const name = this.unused(level + 1, this.dataset.new);
      const rest = this.under(keys[0])[0].slice(level + 2);
      const rows = this.rows.map((row) => (moved.has(row) ? [...row.slice(0, level + 1), name, ...rest] : row));
      this.change(rows, this.key(rows[this.rows.findIndex((row) => moved.has(row))], level + 1));
    }
    /* A group and the next one of its parent become one. */
    merge() {
      const level = this.level(this.held);
      if (level === 0 || level >= this.rows[0].length - 1) return;
      const parent = JSON.stringify(JSON.parse(this.held).slice(1));
      const beside = [...new Set(this.under(parent).map((row) => this.key(row, level)))];
      const next = beside[beside.indexOf(this.held) + 1] ?? beside[beside.indexOf(this.held) - 1];
      if (!next) return;
      const name = this.under(this.held)[0][level];
      const taken = new Set(this.under(next));
      const rows = this.rows.map((row) => (taken.has(row) ? row.with(level, name) : row));
      this.change(rows, this.held);
    }
    /* The second half of a group's members gets a group of its own. */
    split() {
      const level = this.level(this.held);
      if (level === 0 || level >= this.rows[0].length - 1) return;
      const members = [...new Set(this.under(this.held).map((row) => this.key(row, level - 1)))];
      if (members.length < 2) return;
      const second = new Set(members.slice(Math.ceil(members.length / 2)).flatMap((key) => this.under(key)));
      const name = this.unused(level, this.under(this.held)[0][level]);
      const rows = this.rows.map((row) => (second.has(row) ? row.with(level, name) : row));
      this.change(rows, this.held);
    }
    undo() {
      if (!this.past.length) return;
      this.future.push(this.rows);
      this.put(this.past.pop());
    }
    redo() {
      if (!this.future.length) return;
      this.past.push(this.rows);
      this.put(this.future.pop());
    }
    tool(name) {
      this[name]();
    }

    /* Keys, clicks and drags. */
    pressed(event) {
      const item = event.target.closest("[role=treeitem]");
      if (!item) return;
      const key = item.dataset.key;
      const command = event.ctrlKey || event.metaKey;
      const items = all("[role=treeitem]", this);
      const at = items.indexOf(item);
      const near = (step) => items[Math.min(items.length - 1, Math.max(0, at + step))].dataset.key;
      const acts = {
        ArrowDown: () => (event.altKey ? this.shift(key, 1) : this.hold(near(1))),
        ArrowUp: () => (event.altKey ? this.shift(key, -1) : this.hold(near(-1))),
        ArrowRight: () => this.fold(key, false),
        ArrowLeft: () => this.fold(key, true),
        Home: () => this.hold(items[0].dataset.key),
        End: () => this.hold(items.at(-1).dataset.key),
        " ": () => this.mark(key),
        F2: () => this.rename(),
        g: () => this.group(),
        m: () => this.merge(),
        s: () => this.split(),
      };
      if (command) {
        Object.assign(acts, { z: () => (event.shiftKey ? this.redo() : this.undo()), y: () => this.redo() });
        for (const plain of ["g", "m", "s"]) delete acts[plain];
      }
      const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    }
    fold(key, close) {
      if (this.level(key) === 0) return;
      if (close) this.closed.add(key);
      else this.closed.delete(key);
      this.draw();
      this.hold(key);
    }
    /* Into the group above or below, among all groups of the parents' level. */
    shift(key, step) {
      const level = this.level(key);
      if (level >= this.rows[0].length - 2) return;
      const groups = [...new Set(this.rows.map((row) => this.key(row, level + 1)))];
      const parent = JSON.stringify(JSON.parse(key).slice(1));
      const to = groups[groups.indexOf(parent) + step];
      if (to) {
        this.closed.delete(to);
        this.move(this.marked.has(key) ? this.chosen() : [key], to);
      }
    }
    clicked(event) {
      const item = event.target.closest("[role=treeitem]");
      if (!item) return;
      const key = item.dataset.key;
      this.hold(key);
      if (event.ctrlKey || event.metaKey || event.shiftKey) this.mark(key);
      else if (this.level(key)) this.fold(key, !this.closed.has(key));
    }
    dragged(event) {
      const key = event.target.closest("[role=treeitem]").dataset.key;
      if (!this.marked.has(key)) {
        this.marked.clear();
        this.marked.add(key);
      }
      event.dataTransfer.setData("text/plain", "tokumei");
      event.dataTransfer.effectAllowed = "move";
      this.hold(key, false);
    }
    target(event) {
      let item = event.target.closest?.("[role=treeitem]");
      const level = this.level([...this.marked][0] ?? this.held);
      while (item && this.level(item.dataset.key) < level + 1) item = item.parentElement.closest("[role=treeitem]");
      return item && this.level(item.dataset.key) === level + 1 ? item : null;
    }
    hovered(event) {
      const item = this.target(event);
      all(".node.over", this).forEach((one) => one.classList.remove("over"));
      if (!item) return;
      event.preventDefault();
      item.querySelector(".node").classList.add("over");
    }
    dropped(event) {
      const item = this.target(event);
      if (!item) return;
      event.preventDefault();
      this.move([...this.marked], item.dataset.key);
    }
  }
  customElements.define("tokumei-tree", Tree);

  document.getElementById("import")?.addEventListener("change", async (event) => {
    const file = event.target.files[0];
    if (!file) return;
    const response = await fetch(event.target.dataset.to, {
      method: "POST",
      headers: { "x-script": "yes", "content-type": "text/csv" },
      body: await file.text(),
    });
    const answer = await response.json();
    if (!answer.ok) tell(answer.message);
  });
})();
