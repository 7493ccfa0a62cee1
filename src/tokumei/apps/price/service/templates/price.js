"use strict";
(() => {
  const page = JSON.parse(document.getElementById("payload").textContent);
  const root = document.documentElement;
  const at = (id) => document.getElementById(id);
  const DEBOUNCE = 120;
  const SHARES = [0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2];
  const will = new Map();
  let shownCells = new Map();
  let pending = null;
  let timer = 0;

  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    element.append(...children);
    return element;
  };
  /* Every language is written; the style sheet shows the one of <html lang>. */
  const write = (texts) => {
    const spans = document.createDocumentFragment();
    spans.append(...Object.entries(texts).map(([lang, text]) => make("span", { class: lang, lang }, text)));
    return spans;
  };
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  const say = (key, values = {}) =>
    write(Object.fromEntries(Object.entries(page.messages[key]).map(([lang, text]) => [lang, fill(text, values)])));
  const money = (value, currency) => {
    const digits = Number.isInteger(value) ? 0 : 2;
    const options = { style: "currency", currency, minimumFractionDigits: digits, maximumFractionDigits: digits };
    return new Intl.NumberFormat("en", options).format(value);
  };
  const count = (value) => new Intl.NumberFormat("en").format(value);
  const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)}\u00a0%`;

  /* The slider's steps are even in what k does: 1, 2, 3 … 10, 12, 15, 20 … */
  const steps = (rows) => {
    const found = new Set();
    for (let ten = 1; ten <= rows; ten *= 10)
      for (const step of [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9]) {
        const k = step * ten;
        if (Number.isInteger(k) && k >= page.least_k && k <= rows / 2) found.add(k);
      }
    return found.size ? [...found].sort((a, b) => a - b) : [page.least_k];
  };
  let ks = [page.least_k];

  const session = () => page.sessions.find((one) => one.name === at("session").value);
  const prices = () => page.prices.find((one) => one.id === at("prices").value);
  const attributes = () => {
    const columns = new Set(session().columns);
    return Object.keys(prices().attributes).filter((name) => columns.has(name));
  };
  const question = () => {
    const names = attributes();
    return {
      session: session().name,
      prices: prices().id,
      k: ks[at("k").valueAsNumber],
      suppression: SHARES[at("suppression").valueAsNumber],
      columns: names,
      stay: names.filter((name) => will.get(name) === "stay"),
      go: names.filter((name) => will.get(name) === "go"),
      sample: 8,
    };
  };

  const showSettings = () => {
    at("k-shown").textContent = count(ks[at("k").valueAsNumber]);
    at("k").setAttribute("aria-valuetext", `k = ${ks[at("k").valueAsNumber]}`);
    at("suppression-shown").textContent = percent(SHARES[at("suppression").valueAsNumber]);
    at("suppression").setAttribute("aria-valuetext", at("suppression-shown").textContent);
  };

  const tracks = () => ["was", "now", "mark-was"].map((part) => make("i", { class: part }));
  const showTrack = (track, was, now, highest) =>
    Object.entries({ was, now, "mark-was": was }).forEach(([part, value]) => {
      track.querySelector(`.${part}`).style.width = `${(100 * value) / Math.max(highest, 1e-9)}%`;
    });

  const showSummary = (answer) => {
    const [was, bound] = [answer.original_value, answer.bound].map((value) => money(value, answer.currency));
    at("value").textContent = money(answer.value, answer.currency);
    at("value").dataset.value = answer.value;
    at("sentence").replaceChildren(
      say(answer.optimal ? "proven" : "out_of_time", { original: was, bound, k: count(answer.asked_k) }),
    );
    at("proof").hidden = false;
    at("proof").className = `pill ${answer.optimal ? "good" : "mid"}`;
    at("proof").replaceChildren(say(answer.optimal ? "proven_best" : "best_so_far"));
    showTrack(at("kept"), answer.original_value, answer.value, Math.max(answer.original_value, answer.value));
    at("ratio").textContent = answer.ratio === null ? "–" : percent(answer.ratio, 2);
    at("smallest").textContent = count(answer.k);
    at("suppressed").textContent = count(answer.suppressed);
    const spent = Math.max(1, Math.round(1000 * answer.seconds));
    at("spent").replaceChildren(`${count(spent)}\u00a0`, make("small", {}, say("milliseconds")));
  };

  const toggles = (name) => {
    const group = make("fieldset", { class: "stay" }, make("legend", { class: "unseen" }, name));
    ["free", "stay", "go"].forEach((value) => {
      const input = make("input", { type: "radio", name: `will-${name}`, value });
      input.checked = (will.get(name) ?? "free") === value;
      input.addEventListener("change", () => {
        will.set(name, value);
        ask();
      });
      group.append(make("label", {}, input, say(value)));
    });
    return group;
  };
  const drawColumns = () => {
    at("columns").replaceChildren(
      ...attributes().map((name) => {
        const heading = make("h3", {}, make("span", { class: "name" }, name), make("small"));
        const track = make("div", { class: "track", "aria-hidden": "true" }, ...tracks());
        return make("li", { "data-column": name }, heading, track, make("div", { class: "money" }), toggles(name));
      }),
    );
  };
  const showColumns = (answer) => {
    const highest = Math.max(...Object.values(answer.values), ...Object.values(answer.original_values));
    at("columns").querySelectorAll("li").forEach((line) => {
      const name = line.dataset.column;
      const [was, now] = [answer.original_values[name], answer.values[name]];
      const [before, after] = answer.words[name];
      const pattern = answer.choice[name];
      const gone = pattern === "delete";
      line.classList.toggle("gone", gone);
      const words = gone ? say("deleted") : pattern === "original" ? say("original") : pattern;
      const counts = gone || before === after
        ? say("words", { words: count(before) })
        : say("fewer_words", { before: count(before), after: count(after) });
      line.querySelector("h3 small").replaceChildren(make("b", {}, "→ ", words), " · ", counts);
      const whole = money(was, answer.currency);
      const share = was ? make("small", {}, say("share", { share: percent(now / was), whole })) : "";
      line.querySelector(".money").replaceChildren(make("strong", {}, money(now, answer.currency)), share);
      showTrack(line.querySelector(".track"), was, now, highest);
    });
  };

  const showSample = (answer) => {
    const table = at("sample");
    const heads = answer.sample.columns.map((name) => make("th", { scope: "col" }, name));
    table.tHead.replaceChildren(make("tr", {}, ...heads, make("th", { scope: "col", class: "number" }, say("people"))));
    const fresh = new Map();
    const rows = answer.sample.rows.map((row, line) => {
      const cells = row.cells.map((cell, column) => {
        const name = answer.sample.columns[column];
        if (cell === null) return make("td", { class: "deleted" }, "–");
        const key = `${name}\u0000${line}`;
        fresh.set(key, cell);
        const changed = shownCells.size > 0 && shownCells.get(key) !== cell;
        return make("td", changed ? { class: "new" } : {}, cell);
      });
      return make("tr", {}, ...cells, make("td", { class: "number" }, count(row.people)));
    });
    table.tBodies[0].replaceChildren(...rows);
    shownCells = fresh;
  };

  /* `texts`: what is wrong, by language; null: nothing. */
  const showProblem = (texts) => {
    at("problem").hidden = !texts;
    if (!texts) return;
    at("problem-text").replaceChildren(write(texts));
    at("proof").hidden = true;
  };
  const textsOf = (error) => {
    const lines = (name) => [error[name], ...error.faults.map((fault) => `· ${fault[name]}`)].join("\n");
    const names = Object.keys(error).filter((name) => name.startsWith("message_"));
    return Object.fromEntries(names.map((name) => [name.replace("message_", ""), lines(name)]));
  };

  const fetchAnswer = async () => {
    pending?.abort();
    const mine = (pending = new AbortController());
    root.classList.add("busy");
    try {
      const response = await fetch("/v1/optimum", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(question()),
        signal: mine.signal,
      });
      const answer = await response.json();
      showProblem(response.ok ? null : textsOf(answer));
      if (response.ok) [showSummary, showColumns, showSample].forEach((show) => show(answer));
      if (response.status === 503) timer = setTimeout(fetchAnswer, 1000);
    } catch (error) {
      if (error.name !== "AbortError") showProblem(page.messages.unreachable);
    } finally {
      if (pending === mine) root.classList.remove("busy");
    }
  };
  const ask = () => {
    showSettings();
    clearTimeout(timer);
    timer = setTimeout(fetchAnswer, DEBOUNCE);
  };

  const option = (value, text) => make("option", { value }, text);
  const titleOf = (one) => {
    const dated = one.date && !one.name.includes(one.date) ? one.date : null;
    return [one.name, dated, one.currency].filter(Boolean).join(" · ");
  };
  const start = () => {
    ks = steps(session().rows);
    at("k").max = ks.length - 1;
    at("k").value = Math.max(0, ks.indexOf(5));
    at("suppression").value = 0;
    shownCells = new Map();
    drawColumns();
    ask();
  };
  const upload = async () => {
    const [file] = at("upload").files;
    at("upload").value = "";
    if (!file) return;
    try {
      const response = await fetch(`/v1/prices?name=${encodeURIComponent(file.name)}`, {
        method: "POST",
        headers: { "content-type": "text/csv" },
        body: file,
      });
      const found = await response.json();
      if (!response.ok) return showProblem(textsOf(found));
      if (!page.prices.some((one) => one.id === found.id)) {
        page.prices.push(found);
        at("prices").append(option(found.id, titleOf(found)));
      }
      at("prices").value = found.id;
      drawColumns();
      ask();
    } catch {
      showProblem(page.messages.unreachable);
    }
  };

  at("session").append(...page.sessions.map((one) => option(one.name, `${one.name} (${count(one.rows)})`)));
  at("prices").append(...page.prices.map((one) => option(one.id, titleOf(one))));
  at("suppression").max = SHARES.length - 1;
  at("k").addEventListener("input", ask);
  at("suppression").addEventListener("input", ask);
  at("session").addEventListener("change", start);
  at("prices").addEventListener("change", () => (drawColumns(), ask()));
  at("upload")?.addEventListener("change", upload);
  at("controls").addEventListener("submit", (event) => event.preventDefault());
  if (page.sessions.length && page.prices.length) start();
})();
