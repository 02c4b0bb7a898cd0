// Light or dark: as the system has it, until the button says otherwise.
"use strict";

(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");

  const stored = () => {
    try {
      return localStorage.getItem("eddy-theme");
    } catch {
      return null; // a browser that keeps nothing for files
    }
  };
  const is_dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);

  const choice = stored();
  if (choice) root.dataset.theme = choice;

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const show = () => {
      button.textContent = is_dark() ? "Light" : "Dark";
      button.setAttribute("aria-label", `Use ${is_dark() ? "light" : "dark"} colours`);
    };
    button.addEventListener("click", () => {
      root.dataset.theme = is_dark() ? "light" : "dark";
      try {
        localStorage.setItem("eddy-theme", root.dataset.theme);
      } catch {
        // It lasts as long as the page, then.
      }
      show();
    });
    dark.addEventListener("change", show);
    show();
    // Lists of pages are open where there is space beside the text.
    if (matchMedia("(max-width: 60rem)").matches)
      for (const each of document.querySelectorAll(".side > details")) each.open = false;
    document.querySelector(".side [aria-current=page]")?.scrollIntoView({ block: "nearest" });
  });
})();
