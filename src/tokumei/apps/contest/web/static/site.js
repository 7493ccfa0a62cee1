// What pages do beyond plain HTML: the viewer's own time, countdowns, live parts, copying.
"use strict";
(() => {
  const language = document.documentElement.lang;
  const shown = (when, zone) => new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", timeZone: zone,
  }).format(when);

  // A time is written in the contest's zone; where the viewer's differs, theirs is added.
  function addOwnTimes(root) {
    for (const element of root.querySelectorAll("time[data-minutes]:not([data-seen])")) {
      element.dataset.seen = "yes";
      const when = new Date(element.dateTime);
      if (-when.getTimezoneOffset() === Number(element.dataset.minutes)) continue;
      const own = document.createElement("small");
      own.textContent = ` ${document.body.dataset.yourTime.replace("{time}", shown(when))}`;
      element.append(own);
    }
  }

  const amount = (value, unit) => new Intl.NumberFormat(language, {
    style: "unit", unit, unitDisplay: "long",
  }).format(value);

  function left(seconds) {
    const [days, hours, minutes] = [86400, 3600, 60].map((size) => Math.floor(seconds / size));
    if (days) return `${amount(days, "day")} ${amount(hours % 24, "hour")}`;
    if (hours) return `${amount(hours, "hour")} ${amount(minutes % 60, "minute")}`;
    return `${amount(minutes, "minute")} ${amount(Math.floor(seconds) % 60, "second")}`;
  }

  // Counts by the server's clock: only the time since the page arrived is the viewer's.
  function startCountdowns() {
    const began = performance.now();
    for (const element of document.querySelectorAll("[data-until]")) {
      const whole = (Date.parse(element.dataset.until) - Date.parse(element.dataset.now)) / 1000;
      const tick = () => {
        const rest = whole - (performance.now() - began) / 1000;
        element.textContent = left(Math.max(0, rest));
        if (rest > 0) setTimeout(tick, 1000);
        else setTimeout(() => location.reload(), 1000 + 4000 * Math.random());
      };
      if (whole > 0) tick();
    }
  }

  // A live part asks for itself soon, then less and less often while nothing changes or answers.
  function follow(element) {
    let wait = 700;
    let shown = element.innerHTML;
    const written = (text) => {
      const box = document.createElement("template");
      box.innerHTML = text;
      return box.innerHTML;
    };
    const show = (text) => {
      element.innerHTML = shown = text;
      addOwnTimes(element);
      const said = document.getElementById(element.dataset.said);
      const state = element.querySelector("[data-state]")?.textContent;
      if (said && state && said.textContent !== state) said.textContent = state;
    };
    const ask = async () => {
      try {
        const answer = await fetch(element.dataset.live, { headers: { accept: "text/html" } });
        if (answer.redirected || answer.headers.get("x-finished")) {
          location.reload();
          return;
        }
        if (!answer.ok) throw new Error(String(answer.status));
        const text = written(await answer.text());
        wait = text === shown ? Math.min(10000, wait * 1.2) : 2000;
        if (text !== shown) show(text);
      } catch {
        wait = Math.min(30000, wait * 2);
      }
      setTimeout(ask, document.hidden ? 10000 : wait);
    };
    setTimeout(ask, wait);
  }

  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.textContent = button.dataset.copied;
    });
  }
  for (const current of document.querySelectorAll(".tabs [aria-current], .subtabs [aria-current]")) {
    const frame = current.parentElement;
    frame.scrollLeft = current.offsetLeft - (frame.clientWidth - current.clientWidth) / 2;
  }
  // Times of a form are by the clock of this browser.
  document.querySelectorAll("input[data-offset]").forEach((field) => (field.value = new Date().getTimezoneOffset()));
  document.querySelectorAll("[data-live]").forEach(follow);
  addOwnTimes(document);
  startCountdowns();
})();
