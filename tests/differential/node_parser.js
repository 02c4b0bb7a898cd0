// The same as parse_requests.cpp, by Node's parser (llhttp), in its strict mode.
'use strict';
const {HTTPParser, methods, allMethods} = process.binding('http_parser');
const names = allMethods || methods;

function parse(bytes) {
  const parser = new HTTPParser();
  parser.initialize(HTTPParser.REQUEST, {});
  const told = {fields: [], body: [], over: false};
  const add = (list) => { if (told.headed) return; for (let i = 0; i < list.length; i += 2) told.fields.push([list[i], list[i + 1]]); };
  parser[HTTPParser.kOnHeaders] = (list, url) => { add(list); if (url) told.target = url; };
  parser[HTTPParser.kOnHeadersComplete] = (major, minor, list, method, url) => {
    if (list) add(list);
    told.version = minor;
    told.major = major;
    told.method = names[method];
    if (url) told.target = url;
    told.headed = true;
    return 0;
  };
  parser[HTTPParser.kOnBody] = (piece, start, length) => {
    told.body.push(start === undefined ? Buffer.from(piece) : Buffer.from(piece.subarray(start, start + length)));
  };
  // What comes after the first request is not looked at: it is fed byte by byte, up to its end.
  parser[HTTPParser.kOnMessageComplete] = () => { told.over = true; };
  for (let i = 0; i < bytes.length && !told.over; ++i) {
    const result = parser.execute(bytes.subarray(i, i + 1));
    if (result instanceof Error && !(told.over && result.code === 'HPE_PAUSED_UPGRADE'))
      return {outcome: 'refused', reason: result.code || String(result)};
    told.end = i + 1;
  }
  if (!told.over) return {outcome: 'incomplete'};
  return {outcome: 'taken', method: told.method, target: told.target || '', version: told.version, fields: told.fields,
    body: Buffer.concat(told.body).toString('latin1'), end: told.end};
}

const all = require('fs').readFileSync(0);
let at = 0;
const lines = [];
while (at < all.length) {
  const size = all.readUInt32BE(at);
  lines.push(JSON.stringify(parse(all.subarray(at + 4, at + 4 + size))));
  at += 4 + size;
}
process.stdout.write(lines.join('\n') + '\n');
