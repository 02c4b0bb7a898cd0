'use strict';

// The list as the server has it. A change is applied if its version is newer than what is known, so it does not matter
// whether the answer to a request or the feed tells of it first, or both. Ids are never used again, so what was removed
// stays removed.
const known = new Map();
const removed = new Set();
const rows = new Map();
let next = '';     // where older items are; empty if all are known
let filter = '';   // '', 'true' or 'false': whether only those that are done, or not, are shown
let loading = 0;   // counts the times that the list was asked for; older answers are passed over

const find = (id) => document.getElementById(id);

// ---- requests

class Refusal extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

async function ask(method, target, body, version) {
  const headers = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (version !== undefined) headers['If-Match'] = `"${version}"`;
  let answer;
  try {
    answer = await fetch(target, {method, headers, body: body === undefined ? undefined : JSON.stringify(body)});
  } catch {
    throw new Refusal(0, 'The server cannot be reached.');
  }
  const text = await answer.text();
  const told = answer.headers.get('Content-Type')?.includes('json') ? JSON.parse(text) : {};
  if (answer.ok) return told;
  const faults = (told.errors ?? []).map((each) => `${each.field} ${each.detail}`).join(', ');
  throw new Refusal(answer.status, faults || told.detail || `The server has answered ${answer.status}.`);
}

// Does what was asked for, and says so if it could not be done.
async function attempt(work) {
  try {
    await work();
    notify('');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    notify(error.message);
  }
}

function notify(text) {
  find('notice').textContent = text;
  find('notice').hidden = !text;
}

// ---- what is known

function learn(item) {
  if (removed.has(item.id) || (known.get(item.id)?.version ?? 0) >= item.version) return;
  known.set(item.id, item);
  show(item);
}

function forget(id) {
  removed.add(id);
  known.delete(id);
  rows.get(id)?.element.remove();
  rows.delete(id);
  showSize();
}

const isWanted = (item) => !filter || String(item.done) === filter;
const firstTarget = () => '/todos' + (filter ? `?done=${filter}` : '');

// Asks for the first page anew; false if it was asked for once more meanwhile.
async function reload() {
  const number = ++loading;
  const page = await ask('GET', firstTarget());
  if (number !== loading) return false;
  known.clear();
  for (const {element} of rows.values()) element.remove();
  rows.clear();
  take(page);
  return true;
}

function take(page) {
  next = page.next ?? '';
  page.items.forEach(learn);
  showSize();
}

// ---- the feed

let socket;
let pause_ms = 500;
const waiting = [];  // what the feed tells while the list is on its way
let isLoaded = false;

function connect() {
  const place = new URL('feed', location.href);
  place.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  socket = new WebSocket(place);
  socket.onmessage = (message) => hear(JSON.parse(message.data));
  socket.onclose = () => {
    isLoaded = false;
    waiting.length = 0;  // the list comes anew with the next connection
    showState('lost', 'feed lost, trying again');
    setTimeout(connect, pause_ms);
    pause_ms = Math.min(pause_ms * 2, 10000);
  };
}

function hear(told) {
  if (told.event === 'hello' || told.event === 'reset') {
    catchUp();
  } else if (!isLoaded) {
    waiting.push(told);
  } else if (told.event === 'removed') {
    forget(told.item.id);
  } else if (known.has(told.item.id) || told.event === 'added' || !next || told.item.id > oldest()) {
    learn(told.item);
  }
}

const oldest = () => Math.min(...known.keys());

// At the beginning, with another filter, and whenever changes may have been missed.
async function catchUp() {
  isLoaded = false;
  const from = socket;
  try {
    if (!await reload()) return;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    notify(error.message);
    if (from === socket) from.close();  // which tries again after a while
    return;
  }
  if (from !== socket || from.readyState !== WebSocket.OPEN) return;
  isLoaded = true;
  pause_ms = 500;
  waiting.splice(0).forEach(hear);
  notify('');
  showState('live', 'live');
}

// ---- what is shown

function showState(kind, text) {
  find('state').className = kind;
  find('state').textContent = text;
}

function showSize() {
  find('more').hidden = !next;
  find('empty').hidden = rows.size > 0 || Boolean(next);
}

function show(item) {
  let row = rows.get(item.id);
  if (!isWanted(item)) {
    row?.element.remove();
    rows.delete(item.id);
    return showSize();
  }
  if (!row) {
    row = makeRow(item.id);
    rows.set(item.id, row);
    place(item.id, row.element);
  }
  row.element.classList.toggle('is-done', item.done);
  row.done.checked = item.done;
  row.title.textContent = item.title;
  showSize();
}

// The newest items come first.
function place(id, element) {
  const list = find('items');
  const older = [...list.children].find((each) => Number(each.dataset.id) < id);
  list.insertBefore(element, older ?? null);
}

function makeRow(id) {
  const element = find('item').content.firstElementChild.cloneNode(true);
  const part = (name) => element.querySelector('.' + name);
  const row = {element, done: part('done'), title: part('title'), edit: part('edit'), input: part('new-title')};
  element.dataset.id = id;
  row.done.onchange = () => tick(id, row);
  part('change').onclick = () => (row.edit.hidden ? beginEdit(id, row) : endEdit(row));
  part('remove').onclick = () => remove(id);
  row.edit.onsubmit = (event) => {
    event.preventDefault();
    finishEdit(id, row);
  };
  row.input.onkeydown = (event) => {
    if (event.key === 'Escape') endEdit(row);
  };
  return row;
}

// ---- what is done

async function tick(id, row) {
  const wanted = row.done.checked;
  await attempt(async () => learn(await ask('PATCH', `/todos/${id}`, {done: wanted})));
  if (known.has(id)) row.done.checked = known.get(id).done;  // as it was, if it could not be done
}

function beginEdit(id, row) {
  row.version = known.get(id).version;  // an edit is of what was seen when it began
  row.input.value = known.get(id).title;
  row.title.hidden = true;
  row.edit.hidden = false;
  row.input.focus();
}

function endEdit(row) {
  row.edit.hidden = true;
  row.title.hidden = false;
}

function finishEdit(id, row) {
  return attempt(async () => {
    try {
      learn(await ask('PATCH', `/todos/${id}`, {title: row.input.value}, row.version));
      endEdit(row);
    } catch (error) {
      if (error.status === 404) forget(id);
      if (error.status !== 412) throw error;
      const current = await ask('GET', `/todos/${id}`);
      learn(current);
      row.version = current.version;
      throw new Refusal(412, `Somebody has changed it meanwhile, to "${current.title}". Press Enter to have it your way.`);
    }
  });
}

function remove(id) {
  return attempt(async () => {
    try {
      await ask('DELETE', `/todos/${id}`);
    } catch (error) {
      if (error.status !== 404) throw error;  // somebody else was faster
    }
    forget(id);
  });
}

find('add').onsubmit = (event) => {
  event.preventDefault();
  const title = find('title').value;
  if (title.trim()) attempt(async () => {
    learn(await ask('POST', '/todos', {title}));
    find('title').value = '';
  });
};

find('more').onclick = () => attempt(async () => {
  const number = loading;
  const page = await ask('GET', next);
  if (number === loading) take(page);
});

find('filters').onclick = (event) => {
  const chosen = event.target.dataset.filter;
  if (chosen === undefined || chosen === filter) return;
  filter = chosen;
  for (const each of find('filters').children) each.setAttribute('aria-pressed', String(each.dataset.filter === filter));
  catchUp();
};

connect();
