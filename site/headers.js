// Shows what the server answers: the status, the headers, and how long it took.
"use strict";

const form = document.getElementById("request");
const path = document.getElementById("path");
const again = document.getElementById("again");
const output = document.getElementById("response");

let entityTag = null;

async function send(conditions) {
  const started = performance.now();
  try {
    const response = await fetch(path.value, { cache: "no-store", headers: conditions });
    const body = await response.arrayBuffer();
    const milliseconds = (performance.now() - started).toFixed(1);

    entityTag = response.headers.get("etag") ?? entityTag;
    again.disabled = entityTag === null;
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
    output.textContent = [
      `${response.status} ${response.statusText}`,
      ...headers,
      "",
      `${body.byteLength.toLocaleString("en")} bytes of body in ${milliseconds} ms`,
    ].join("\n");
  } catch (error) {
    output.textContent = `No answer: ${error.message}`;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  send({});
});

again.addEventListener("click", () => send({ "If-None-Match": entityTag }));

path.addEventListener("change", () => {
  entityTag = null;
  again.disabled = true;
});

send({});
