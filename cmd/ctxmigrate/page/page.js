"use strict";
// Hovering or focusing one side lights its other. A click, Enter or Space holds the
// light; Escape lets go. Arrow keys go from one to the next.
(() => {
  let held = null;
  const of = (section, key) => section.querySelectorAll('[data-k="' + key + '"]');
  const clear = (section) => section.querySelectorAll(".lit").forEach((e) => e.classList.remove("lit"));
  const light = (e) => {
    const section = e.closest("section");
    clear(section);
    of(section, e.dataset.k).forEach((o) => o.classList.add("lit"));
  };
  const show = (e) => {
    const mine = e.closest(".side");
    for (const o of of(e.closest("section"), e.dataset.k)) {
      if (o.closest(".side") !== mine) {
        o.scrollIntoView({ block: "nearest" });
        return;
      }
    }
  };
  const let_go = () => {
    document.querySelectorAll("section").forEach(clear);
    held = null;
  };
  const hold = (e) => {
    if (held === e) {
      let_go();
      return;
    }
    light(e);
    show(e);
    held = e;
  };
  for (const e of document.querySelectorAll(".k")) {
    e.addEventListener("mouseenter", () => held || light(e));
    e.addEventListener("mouseleave", () => held || clear(e.closest("section")));
    e.addEventListener("focus", () => {
      held = null;
      light(e);
      show(e);
    });
    e.addEventListener("click", (event) => {
      if (event.target.closest(".k") === e && !event.target.closest("summary")) hold(e);
    });
  }
  // paper cannot be opened
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((e) => (e.open = true)));
  document.addEventListener("keydown", (event) => {
    const e = document.activeElement;
    if (event.key === "Escape") let_go();
    if (!e || !e.classList.contains("k")) return;
    if (event.key === "Enter" || event.key === " ") {
      hold(e);
      event.preventDefault();
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const all = [...e.closest(".side").querySelectorAll('.k[tabindex="0"]')];
    const next = all[all.indexOf(e) + (event.key === "ArrowDown" ? 1 : -1)];
    if (next) {
      next.focus();
      event.preventDefault();
    }
  });
})();
