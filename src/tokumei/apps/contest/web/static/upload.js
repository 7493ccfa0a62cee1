// An upload form: files may be dropped on it, and it shows how far it is.
"use strict";
(() => {
  const say = (form, text, kind) => {
    const place = form.querySelector("[data-said]");
    place.textContent = text;
    place.className = `notice ${kind}`;
    place.hidden = !text;
  };

  function names(form) {
    const found = [...form.querySelectorAll("input[type=file]")].flatMap((input) => [...input.files]);
    return { files: found, size: found.reduce((sum, file) => sum + file.size, 0) };
  }

  function send(form) {
    const bar = form.querySelector("progress");
    const button = form.querySelector("button[type=submit]");
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.setRequestHeader("x-script", "yes");
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) bar.value = event.loaded / event.total;
    });
    request.upload.addEventListener("load", () => say(form, form.dataset.checking, ""));
    request.addEventListener("load", () => {
      if (request.status === 200 && request.getResponseHeader("x-location")) {
        location.assign(request.getResponseHeader("x-location"));
        return;
      }
      bar.hidden = true;
      button.disabled = false;
      say(form, request.getResponseHeader("content-type") === "application/json"
        ? JSON.parse(request.responseText).message : form.dataset.broken, "bad");
    });
    request.addEventListener("error", () => {
      bar.hidden = true;
      button.disabled = false;
      say(form, form.dataset.broken, "bad");
    });
    bar.hidden = false;
    bar.value = 0;
    button.disabled = true;
    say(form, form.dataset.sending, "");
    request.send(new FormData(form));
  }

  for (const form of document.querySelectorAll("form[data-upload]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (names(form).size > Number(form.dataset.most)) say(form, form.dataset.large, "bad");
      else send(form);
    });
    for (const drop of form.querySelectorAll(".drop")) {
      const input = drop.querySelector("input[type=file]");
      const over = (on) => (event) => { event.preventDefault(); drop.classList.toggle("over", on); };
      drop.addEventListener("dragenter", over(true));
      drop.addEventListener("dragover", over(true));
      drop.addEventListener("dragleave", over(false));
      drop.addEventListener("drop", (event) => {
        over(false)(event);
        if (event.dataTransfer.files.length) input.files = event.dataTransfer.files;
      });
    }
  }
})();
