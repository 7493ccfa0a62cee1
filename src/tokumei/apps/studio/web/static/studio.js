"use strict";
/* What every page does: news from jobs, parts that renew themselves, decisions sent as they are made. */
(() => {
  const body = document.body;
  const base = body.dataset.base;
  const all = (query, from = document) => Array.from(from.querySelectorAll(query));
  const notice = document.getElementById("notice");
  const tell = (words, kind = "bad") => {
    notice.textContent = words;
    notice.className = `notice ${kind}`;
    notice.hidden = !words;
  };
  window.studio = { base, all, tell };

  const send = async (address, content) => {
    const response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", "x-script": "yes" },
      body: JSON.stringify(content),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error([answer.message, ...(answer.faults ?? [])].join(" "));
    return answer;
  };
  window.studio.send = send;

  /* Parts that renew themselves: the same page is asked for again, and what changed is replaced. */
  const where = (element) => {
    const held = document.activeElement;
    if (!element.contains(held) || held === document.body) return null;
    if (held.id) return `#${CSS.escape(held.id)}`;
    const named = ["data-point", "data-column", "href"].find((name) => held.hasAttribute(name));
    return named ? `${held.tagName.toLowerCase()}[${named}="${CSS.escape(held.getAttribute(named))}"]` : null;
  };
  /* What was typed and not yet sent outlives the renewal of its part. */
  const fields = (element) => all("input[name]:not([type=hidden]), textarea[name], select[name]", element);
  const changed = (field) =>
    field.matches("[type=checkbox], [type=radio]")
      ? field.checked !== field.defaultChecked
      : field.matches("select")
        ? Array.from(field.options).some((option) => option.selected !== option.defaultSelected)
        : field.value !== field.defaultValue;
  const keep = (element) =>
    fields(element)
      .filter(changed)
      .map((field) => [field.name, field.matches("[type=checkbox], [type=radio]") ? field.value : null, field.value, field.checked]);
  const restore = (element, typed) => {
    for (const [name, own, value, checked] of typed) {
      const field = fields(element).find((other) => other.name === name && (own === null || other.value === own));
      if (!field) continue;
      if (own === null) field.value = value;
      else field.checked = checked;
      if (field.dataset.filter) field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  };
  const renew = async () => {
    const response = await fetch(location.href, { headers: { "x-part": "yes" } });
    if (!response.ok || response.redirected) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const element of all("[data-live]")) {
      const fresh = page.getElementById(element.id);
      if (!fresh || fresh.innerHTML === element.dataset.was || element.querySelector("dialog[open]")) continue;
      const held = where(element);
      const typed = keep(element);
      const opened = all("details[id][open]", element).map((one) => one.id);
      const scrolled = all(".scroll, .list", element).map((one) => [one.scrollLeft, one.scrollTop]);
      element.dataset.was = fresh.innerHTML;
      element.replaceChildren(...fresh.childNodes);
      all(".scroll, .list", element).forEach((one, at) => {
        if (scrolled[at]) [one.scrollLeft, one.scrollTop] = scrolled[at];
      });
      restore(element, typed);
      opened.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
      if (held) element.querySelector(held)?.focus({ preventScroll: true });
    }
    all("head ~ body .steps").forEach((steps) => {
      const fresh = page.querySelector(".steps");
      if (fresh && !steps.contains(document.activeElement)) steps.replaceChildren(...fresh.childNodes);
    });
    body.dataset.stamp = page.body.dataset.stamp;
  };
  window.studio.renew = renew;
  all("[data-live]").forEach((element) => (element.dataset.was = element.innerHTML));

  let waiting = false;
  let seen = Number(body.dataset.version ?? 0);
  const soon = () => {
    if (waiting) return;
    waiting = true;
    setTimeout(async () => {
      waiting = false;
      await renew().catch(() => {});
    }, 350);
  };
  const show = (jobs) => {
    for (const job of jobs) {
      for (const place of all(`[data-job="${job.what}"]`)) {
        const bar = place.querySelector("progress");
        const words = place.querySelector("[data-job-words]");
        if (job.state !== "running" || !bar) continue;
        if (job.share === null) bar.removeAttribute("value");
        else bar.value = job.share;
        if (words && words.textContent !== job.words) words.textContent = job.words;
      }
    }
  };
  let states = "";
  if (body.dataset.project) {
    const news = new EventSource(`${base}/p/${body.dataset.project}/events`);
    news.addEventListener("message", (event) => {
      const told = JSON.parse(event.data);
      if (notice.dataset.lost) tell("");
      delete notice.dataset.lost;
      show(told.jobs);
      const now = told.jobs.map((job) => `${job.what}:${job.state}`).join();
      if (told.version !== seen || now !== states) soon();
      seen = told.version;
      states = now;
    });
    news.addEventListener("error", () => {
      notice.dataset.lost = "yes";
      setTimeout(() => notice.dataset.lost && tell(body.dataset.lost), 4000);
    });
    addEventListener("pagehide", () => news.close());
  }

  /* Decisions on the page Look. */
  const decide = async (what) => {
    try {
      const answer = await send(`${base}/p/${body.dataset.project}/look`, { stamp: Number(body.dataset.stamp), ...what });
      tell(answer.elsewhere ? body.dataset.elsewhere : "", "mid");
      body.dataset.stamp = answer.stamp;
      await renew();
    } catch (error) {
      tell(error.message);
    }
  };
  document.addEventListener("change", (event) => {
    const { decide: kind, column, part } = event.target.dataset;
    const value = event.target.value;
    if (kind === "role") decide({ column, role: value });
    if (kind === "person") decide({ person: value });
    if (kind === "kind") decide({ kind: value });
    if (kind === "part") decide({ part, column: value });
    if (kind === "rule") decide({ rule: value, on: event.target.checked });
    if (event.target.name?.startsWith("table-")) event.target.closest("fieldset").nextElementSibling?.removeAttribute("hidden");
    if (event.target.name === "recipient") {
      all("[data-of]").forEach((part) => (part.hidden = !part.dataset.of.split(" ").includes(value)));
    }
  });
  /* Long lists of columns are searched. */
  document.addEventListener("input", (event) => {
    const list = event.target.dataset?.filter;
    if (!list) return;
    const wanted = event.target.value.trim().toLowerCase();
    all(`${list} [data-name]`).forEach((row) => {
      row.hidden = !row.dataset.name.toLowerCase().includes(wanted);
      if (row.matches("thead th")) {
        all(`tbody td:nth-child(${row.cellIndex + 1})`, row.closest("table")).forEach((cell) => (cell.hidden = row.hidden));
      }
    });
  });
  /* Columns are marked, and get a role together; questions are answered where they stand. */
  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-mark-shown], [data-bulk], [data-answer]");
    if (!target) return;
    const { answer } = target.dataset;
    const columns = JSON.parse(target.dataset.columns ?? "[]");
    if (answer === "person") decide({ person: columns[0] });
    else if (["dmy", "mdy"].includes(answer)) decide({ date_order: answer });
    else if (answer) decide({ columns, role: answer });
    else if ("markShown" in target.dataset) {
      all("#columns [data-name]:not([hidden]) [data-mark]").forEach((box) => (box.checked = true));
    } else {
      const marked = all("#columns [data-mark]:checked").map((box) => box.value);
      if (marked.length) decide({ columns: marked, role: document.getElementById("bulk-role").value });
    }
  });
  /* How the file is read is tried as it is chosen. */
  document.addEventListener("change", (event) => {
    const form = event.target.closest?.("form[data-try]");
    if (!form) return;
    const said = Object.fromEntries(new FormData(form));
    send(form.dataset.try, said).then(() => tell(""), (error) => tell(error.message));
  });
  const keys = { i: "identifier", q: "quasi", s: "sensitive", k: "keep", r: "replace", d: "drop" };
  document.addEventListener("keydown", (event) => {
    const role = keys[event.key];
    const column = event.target.dataset?.column;
    if (!role || event.ctrlKey || event.metaKey || event.altKey || event.target.dataset?.decide !== "role") return;
    event.preventDefault();
    event.target.value = role;
    decide({ column, role });
  });

  /* The order of what must stay. */
  const move = (item, by) => {
    const other = by < 0 ? item.previousElementSibling : item.nextElementSibling;
    if (!other) return;
    if (by < 0) other.before(item);
    else other.after(item);
  };
  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-move], [data-open], [data-copy]");
    if (!target) return;
    if (target.dataset.move) {
      move(target.closest("li"), Number(target.dataset.move));
      target.focus();
    } else if (target.dataset.open) {
      document.getElementById(target.dataset.open).showModal();
    } else {
      const from = document.getElementById(target.dataset.copy);
      const done = () => (target.textContent = target.dataset.copied);
      if (navigator.clipboard) navigator.clipboard.writeText(from.textContent).then(done, () => getSelection().selectAllChildren(from));
    }
  });
  document.getElementById("order")?.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || !event.altKey) return;
    event.preventDefault();
    const held = document.activeElement;
    move(event.target.closest("li"), by);
    held.focus();
  });
  document.addEventListener("submit", (event) => {
    const sure = event.target.dataset.sure;
    if (sure && !confirm(sure)) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const sure = event.target.closest("a[data-sure]")?.dataset.sure;
    if (sure && !confirm(sure)) event.preventDefault();
  });

  /* Moments in the time of the person's own clock. */
  all("time[data-local]").forEach((time) => {
    const moment = new Date(time.dateTime);
    const pad = (number) => String(number).padStart(2, "0");
    if (Number.isNaN(moment.getTime())) return;
    time.title = time.textContent;
    time.textContent =
      [moment.getFullYear(), pad(moment.getMonth() + 1), pad(moment.getDate())].join("-") +
      ` ${pad(moment.getHours())}:${pad(moment.getMinutes())}`;
  });

  /* Enter goes on, where nothing else is held. */
  document.addEventListener("keydown", (event) => {
    const held = document.activeElement;
    const free = !held || held === body || held.id === "main";
    if (event.key === "Enter" && free) document.getElementById("next")?.click();
  });

  /* A dropped file goes to the disk as it comes. */
  const drop = document.getElementById("drop");
  if (drop) {
    const input = drop.querySelector("input[type=file]");
    const bar = drop.querySelector("progress");
    const said = drop.querySelector("#said");
    const upload = (file) => {
      if (!file) return;
      if (file.size > Number(drop.dataset.most)) {
        said.textContent = drop.dataset.large;
        return;
      }
      const request = new XMLHttpRequest();
      request.open("POST", `${base}/upload?name=${encodeURIComponent(file.name)}`);
      request.setRequestHeader("x-script", "yes");
      request.setRequestHeader("content-type", "application/octet-stream");
      request.upload.addEventListener("progress", (event) => (bar.value = event.loaded / event.total));
      request.addEventListener("load", () => {
        let answer = {};
        try {
          answer = JSON.parse(request.responseText);
        } catch {
          answer = {};
        }
        if (answer.location) location.assign(answer.location);
        else {
          bar.hidden = true;
          said.textContent = answer.message ?? drop.dataset.broken;
        }
      });
      request.addEventListener("error", () => {
        bar.hidden = true;
        said.textContent = drop.dataset.broken;
      });
      bar.hidden = false;
      bar.value = 0;
      said.textContent = drop.dataset.sending;
      request.send(file);
    };
    input.addEventListener("change", () => upload(input.files[0]));
    const over = (on) => (event) => {
      event.preventDefault();
      drop.classList.toggle("over", on);
    };
    document.addEventListener("dragover", over(true));
    document.addEventListener("dragleave", over(false));
    document.addEventListener("drop", (event) => {
      over(false)(event);
      upload(event.dataTransfer.files[0]);
    });
    drop.addEventListener("submit", (event) => event.preventDefault());
  }
})();
