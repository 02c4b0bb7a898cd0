// Finds public names, and sections of documents by their words, in an index that is one more script: no server is needed.
"use strict";

const eddySearch = (() => {
  let index = null;

  // -- finding --

  // How well a name fits what was typed; 0: not at all. Names may be typed with their scopes or without, with () or eddy::.
  function fitOfName(entry, typed) {
    const name = entry[0];
    if (name === typed) return 1000;
    const last = name.slice(name.lastIndexOf("::") + 2 * (name.includes("::") ? 1 : 0));
    const depth = name.split("::").length;
    let fit = 0;
    if (last === typed) fit = 900;
    else if (name.endsWith(`::${typed}`)) fit = 850;
    else if (last.startsWith(typed)) fit = 500 - Math.min(100, last.length - typed.length);
    else if (name.startsWith(typed)) fit = 400 - Math.min(100, name.length - typed.length);
    else if (name.includes(typed)) fit = 200 - Math.min(100, name.length - typed.length);
    if (fit === 0) return 0;
    // Types and functions before members, members before what constructs.
    return fit - depth - (entry[1] === "constructor" ? 20 : 0) - (entry[1] === "enumerator" || entry[1] === "field" ? 5 : 0);
  }

  // The sections with a word that begins so, each with how well it fits.
  function sectionsWith(beginning) {
    const words = index.words;
    let low = 0;
    let high = words.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (words[middle][0] < beginning) low = middle + 1;
      else high = middle;
    }
    const found = new Map();
    for (; low < words.length && words[low][0].startsWith(beginning); ++low) {
      const fit = words[low][0] === beginning ? 3 : 1;
      for (const number of words[low][1]) found.set(number, Math.max(found.get(number) ?? 0, fit));
    }
    return found;
  }

  // What fits, best first: {title, url, kind, text}.
  function find(query, limit = 40) {
    const typed = query.trim().replace(/^eddy::/, "").replace(/\(\)$/, "");
    if (index === null || typed === "") return [];
    const results = [];
    for (const entry of index.names) {
      const fit = fitOfName(entry, typed);
      if (fit > 0) results.push({ title: entry[0], kind: entry[1], url: entry[2], text: entry[3], fit });
    }
    const words = (typed.toLowerCase().match(/[a-z][a-z0-9_]+/g) ?? []).filter((word) => !index.common.includes(word));
    let sections = null;
    for (const word of words) {
      const having = sectionsWith(word);
      if (sections === null) sections = having;
      else
        for (const [number, fit] of sections)
          if (having.has(number)) sections.set(number, fit + having.get(number));
          else sections.delete(number);
    }
    for (const [number, fit] of sections ?? []) {
      const [title, url, page, text] = index.sections[number];
      const inTitle = words.filter((word) => title.toLowerCase().includes(word)).length;
      const shown = title === page ? title : `${page}: ${title}`;
      results.push({ title: shown, kind: "guide", url, text, fit: Math.min(100 + fit * 10 + inTitle * 400, 840) });
    }
    // Sentences of names, where names and documents have little.
    if (words.length > 1 || results.length < 5)
      for (const [name, kind, url, text] of index.names) {
        const said = `${name} ${text}`.toLowerCase();
        if (words.length && words.every((word) => said.includes(word))) results.push({ title: name, kind, url, text, fit: 60 });
      }
    results.sort((one, other) => other.fit - one.fit || one.title.length - other.title.length || (one.title < other.title ? -1 : 1));
    const seen = new Set();
    return results.filter(({ url, title }) => !seen.has(url + title) && seen.add(url + title)).slice(0, limit);
  }

  // -- showing --

  if (typeof document === "undefined") return { fill: (data) => (index = data), find };

  const base = document.documentElement.dataset.root;
  let loading = null;

  function load() {
    loading ??= new Promise((done) => {
      const script = document.createElement("script");
      script.src = `${base}search-index.js`;
      script.onload = done;
      document.head.append(script);
    });
    return loading;
  }

  function item({ title, kind, url, text }) {
    const link = document.createElement("a");
    link.href = base + url;
    const name = document.createElement(kind === "guide" ? "strong" : "code");
    name.textContent = title;
    const what = document.createElement("span");
    what.className = "kind";
    what.textContent = kind;
    const said = document.createElement("span");
    said.className = "said";
    said.textContent = text;
    link.append(name, " ", what, said);
    const row = document.createElement("li");
    row.append(link);
    return row;
  }

  function list(found) {
    const rows = document.createElement("ol");
    rows.append(...found.map(item));
    return rows;
  }

  function start() {
    const field = document.getElementById("query");
    const box = document.getElementById("results");
    const links = () => [...box.querySelectorAll("a")];

    const show = () => {
      const found = find(field.value, 12);
      box.replaceChildren(list(found));
      box.hidden = field.value.trim() === "";
      if (found.length === 0) box.textContent = "Nothing found.";
    };
    field.addEventListener("focus", load);
    field.addEventListener("input", () => load().then(show));
    const step = (event) => {
      if (event.key === "Escape") {
        box.hidden = true;
        field.focus();
      }
      if (box.hidden || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
      event.preventDefault();
      const all = [field, ...links()];
      const at = all.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
      all[(at + all.length) % all.length].focus();
    };
    field.addEventListener("keydown", step);
    box.addEventListener("keydown", step);
    document.addEventListener("click", (event) => {
      if (!event.target.closest(".search")) box.hidden = true;
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select")) return;
      event.preventDefault();
      field.focus();
    });

    const results = document.getElementById("found");
    if (results === null) return;
    const query = new URLSearchParams(location.search).get("q") ?? "";
    field.value = query;
    load().then(() => {
      const found = find(query, 100);
      document.getElementById("summary").textContent =
        query === "" ? "Type a name, or words." : `${found.length === 100 ? "The best 100" : found.length} results for “${query}”`;
      results.replaceChildren(list(found));
    });
  }

  document.addEventListener("DOMContentLoaded", start);
  return { fill: (data) => (index = data), find, load };
})();

if (typeof module !== "undefined") module.exports = eddySearch;
