"use strict";
(() => {
  const page = JSON.parse(document.getElementById("payload").textContent);
  const root = document.documentElement;
  const all = (query, from = document) => Array.from(from.querySelectorAll(query));
  const shown = new Map();

  /* A chart is drawn when its panel is visible, since a hidden element has no width. */
  const draw = async (element) => {
    const spec = page.specs[element.dataset.chart][root.lang];
    const values = page.data[element.dataset.rows].map((row) => ({ ...row }));
    const height = spec.height.step ? spec.height.step * values.length : spec.height;
    const options = { actions: false, ast: true, config: page.config, mode: "vega-lite", renderer: "svg" };
    shown.get(element)?.finalize();
    const result = await vegaEmbed(element, { ...spec, height, data: { values } }, options);
    shown.set(element, result);
    element.querySelector("svg")?.setAttribute("aria-hidden", "true");
    element.dataset.drawn = root.lang;
  };
  const drawVisible = () =>
    Promise.all(
      all("[data-chart]")
        .filter((element) => !element.closest("[hidden]") && element.dataset.drawn !== root.lang)
        .map(draw),
    );

  const speak = (language) => {
    root.lang = language;
    all("[data-language]").forEach((button) =>
      button.setAttribute("aria-pressed", String(button.dataset.language === language)),
    );
    const text = `data-${language}`;
    all(`[${text}]`).forEach((element) => (element.textContent = element.getAttribute(text)));
    const label = `data-label-${language}`;
    all(`[${label}]`).forEach((element) => element.setAttribute("aria-label", element.getAttribute(label)));
    return drawVisible();
  };
  all("[data-language]").forEach((button) =>
    button.addEventListener("click", () => speak(button.dataset.language)),
  );

  const tabs = all('[role="tab"]');
  const choose = (tab) => {
    tabs.forEach((other) => {
      const chosen = other === tab;
      other.setAttribute("aria-selected", String(chosen));
      other.tabIndex = chosen ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).hidden = !chosen;
    });
    return drawVisible();
  };
  tabs.forEach((tab, at) => {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      const last = tabs.length - 1;
      const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      tabs[next].focus();
      choose(tabs[next]);
    });
  });

  const loss = document.getElementById("loss");
  loss?.addEventListener("change", () => {
    const element = loss.closest("figure").querySelector("[data-chart]");
    element.dataset.chart = element.dataset.rows = loss.value;
    draw(element);
  });

  const copy = document.getElementById("copy");
  copy?.addEventListener("click", () => {
    const selection = window.getSelection();
    selection.selectAllChildren(document.getElementById(copy.dataset.target));
    const done = document.execCommand("copy");
    const words = done ? page.messages.copied : page.messages.selected;
    document.getElementById("copied").textContent = words[root.lang];
  });

  speak(root.lang).then(() => root.classList.add("ready"));
})();
