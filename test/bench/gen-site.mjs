#!/usr/bin/env node
// A deterministic synthetic web that keeps nothing in memory, so that it can have ten million pages.
//   serve   node gen-site.mjs [--n 1000000] [--seed 1] [--out 24] [--port 8200] [--delay MS]
//   write   node gen-site.mjs --write FOLDER --n 10000     (for nginx)
//   check   node gen-site.mjs --check --n 10000            (what a crawl must find: reach, arcs, levels)
// URLs: page i is /d<floor(i/1000)>/p<i>.html, page 0 is /. /dup/<q>/p<i>.html has the bytes of page i. /r/<q>/<i> redirects to
// page i. /missing/<i>.html is 404. /files/<i>.pdf is a PDF. /private/ is disallowed by /robots.txt, and served all the same.
import { mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { pathToFileURL } from 'node:url';

const CHILDREN = 8;
const TEMPLATES = 64;
const ODD_LINKS = 200;
const WORDS = (
  'the of and to in a is that for it as was with be by on not he this are or his from at which but have an had they you ' +
  'were their one all we can her has there been if more when will would who so no web page crawl graph server index ' +
  'archive frontier policy document network resource content header response format library system module function ' +
  'object value string number process memory storage version release table figure section chapter example reference ' +
  'standard protocol language market history science energy river mountain city people music film book garden travel ' +
  'health school'
).split(' ');
const ROBOTS = 'User-agent: *\nDisallow: /private/\nCrawl-delay: 0\n';
const NOT_FOUND = '<html><body><h1>404 Not Found</h1></body></html>\n';
const DATE = 'Mon, 01 Jan 2024 00:00:00 GMT';

/** The site of these numbers: pages, seed, power-law links a page, and the size range of a page in KB. */
export function createSite({ pages, seed = 1, out = 24, gamma = 3, minKb = 20, maxKb = 60 }) {
  const hash = (i, k) =>
    mix((Math.imul(i, 0x9e3779b1) ^ Math.imul(k + 1, 0x85ebca77) ^ Math.imul(seed, 0xc2b2ae3d)) | 0);
  const text = (start, count) => {
    let result = '';
    for (let j = 0; j < count; j++) {
      const next = word(hash(start, j));
      const shown = j % 13 === 0 ? next[0].toUpperCase() + next.slice(1) : next;
      result += (j > 0 ? ' ' : '') + shown + (j % 13 === 12 ? '.' : '');
    }
    return result;
  };

  const halves = [[], []];
  for (let template = 0; template < TEMPLATES; template++) {
    const size = (minKb + (maxKb - minKb) * (template / (TEMPLATES - 1)) ** 2) * 1000 - 6000;
    for (const side of [0, 1]) {
      let html = '';
      for (let at = template * 1000 + side * 500; html.length < Math.max(1000, size / 2); at++) {
        html += block(at, hash, text);
      }
      halves[side].push(Buffer.from(html, 'latin1'));
    }
  }
  let navigation = '';
  for (let k = 1; k <= 12 && k < pages; k++) {
    navigation += `<li class="nav-item"><a class="nav-link" href="${urlOf(k)}">${text(k + 7000, 2)}</a></li>\n`;
  }
  const top = `${TOP}${navigation}</ul></nav></header>\n<main id="main">\n`;

  /** Children in a tree first, so that every page is reached; then power-law picks. */
  const linksOf = (i) => {
    const links = [];
    for (let child = i * CHILDREN + 1; child <= i * CHILDREN + CHILDREN && child < pages; child++) links.push(child);
    for (let k = 0; k < out; k++) {
      links.push(Math.min(pages - 1, Math.floor(pages * (hash(i, k) / 4294967296) ** gamma)));
    }
    return links;
  };
  /** A few links take other shapes: duplicates, redirects, missing pages, files, fragments, dots. */
  const hrefOf = (i, k, target) => {
    const shape = hash(i, k + 5000) % ODD_LINKS;
    const folder = Math.floor(target / 1000);
    if (shape === 0) return `/dup/${folder}/p${target}.html`;
    if (shape === 1) return `/r/${folder}/${target}`;
    if (shape === 2) return `/missing/${hash(i, k) % 1000}.html`;
    if (shape === 3) return `/files/${hash(i, k) % 1000}.pdf`;
    if (shape < 10) return `${urlOf(target)}#sec-${target % 64}`;
    if (shape < 14) return target === 0 ? '/' : `/d${folder}/./p${target}.html`;
    if (shape < 16) return `../d${folder}/p${target}.html`;
    return urlOf(target);
  };
  const partsOf = (i) => {
    const links = linksOf(i);
    const half = links.length >> 1;
    const title = `${text(i + 31, 5)} ${i}`;
    let before =
      `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>${title} | Synthetic</title>\n` +
      `<link rel="canonical" href="${urlOf(i)}">\n${top}<h1>${title}</h1>\n<p class="lead">`;
    let after = '<aside class="related"><h3>Related</h3><ul>';
    for (const [k, target] of links.entries()) {
      const link = `<a href="${hrefOf(i, k, target)}">${word(hash(i, k))} ${target}</a>`;
      if (k < half) before += `${link} ${word(k)} `;
      else after += `<li>${link}</li>\n`;
    }
    return { before: `${before}</p>\n`, after: `${after}</ul></aside>\n`, template: hash(i, 77) % TEMPLATES };
  };
  return {
    pages,
    urlOf,
    linksOf,
    /** The chunks of page i, in order. */
    chunksOf(i) {
      const { before, after, template } = partsOf(i);
      return [
        Buffer.from(before, 'latin1'),
        halves[0][template],
        Buffer.from(after, 'latin1'),
        halves[1][template],
        BOTTOM,
      ];
    },
    /** Pages that page i links to under their duplicate's address. */
    duplicatesOf: (i) => linksOf(i).filter((_, k) => hash(i, k + 5000) % ODD_LINKS === 0),
  };
}

/** Writes the site as files. Redirects and PDF files are left to nginx (`synthetic: true`). Returns the paths of all pages. */
export function writeSite(site, folder) {
  const made = new Set();
  const paths = [];
  const write = (path, i) => {
    const parent = path.slice(0, path.lastIndexOf('/'));
    if (!made.has(parent)) mkdirSync(folder + parent, { recursive: true });
    made.add(parent);
    writeFileSync(folder + (path === '/' ? '/index.html' : path), Buffer.concat(site.chunksOf(i)));
    paths.push(path);
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/robots.txt`, ROBOTS);
  const duplicates = new Set();
  for (let i = 0; i < site.pages; i++) {
    write(site.urlOf(i), i);
    for (const target of site.duplicatesOf(i)) duplicates.add(target);
  }
  for (const i of duplicates) write(`/dup/${Math.floor(i / 1000)}/p${i}.html`, i);
  return paths;
}

/** Serves the site over bare sockets: the server must cost less than the crawler it is to measure. */
export function serveSite(site, { port = 0, delayMs = 0, onAnswer } = {}) {
  const server = net.createServer({ noDelay: true }, (socket) => {
    let pending = '';
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      pending += data.latin1Slice(0, data.length);
      socket.cork();
      let end = pending.indexOf('\r\n\r\n');
      while (end >= 0) {
        const head = pending.slice(0, end);
        pending = pending.slice(end + 4);
        const [method, target] = head.split(' ', 2);
        const closes = /\r\nconnection:\s*close/i.test(head);
        const answer = () => {
          if (socket.destroyed) return;
          onAnswer?.();
          for (const chunk of answerTo(site, method, target, closes)) socket.write(chunk, 'latin1');
          if (closes) socket.end();
        };
        if (delayMs > 0) setTimeout(answer, delayMs);
        else answer();
        end = closes ? -1 : pending.indexOf('\r\n\r\n');
      }
      socket.uncork();
      if (pending.length > 65_536) socket.destroy();
    });
  });
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', 8192, () => resolve(server));
  });
}

function answerTo(site, method, target, closes) {
  const path = target.split('?', 1)[0];
  const respond = (status, fields, body) => {
    const length = body.reduce((sum, chunk) => sum + chunk.length, 0);
    const head =
      `HTTP/1.1 ${status}\r\nServer: gen-site\r\nDate: ${DATE}\r\n${fields}Content-Length: ${length}\r\n` +
      `Connection: ${closes ? 'close' : 'keep-alive'}\r\n\r\n`;
    return method === 'HEAD' ? [head] : [head, ...body];
  };
  const page = (i) => respond('200 OK', 'Content-Type: text/html; charset=utf-8\r\n', site.chunksOf(i));
  if (path === '/') return page(0);
  if (path === '/robots.txt') return respond('200 OK', 'Content-Type: text/plain\r\n', [ROBOTS]);
  const asPage = /^\/(?:d|dup\/)\d+\/(?:\.\/)?p(\d+)\.html$/.exec(path);
  if (asPage !== null && Number(asPage[1]) < site.pages) return page(Number(asPage[1]));
  const asRedirect = /^\/r\/\d+\/(\d+)$/.exec(path);
  if (asRedirect !== null && Number(asRedirect[1]) < site.pages) {
    return respond('301 Moved Permanently', `Location: ${site.urlOf(Number(asRedirect[1]))}\r\n`, []);
  }
  if (path.startsWith('/files/')) return respond('200 OK', 'Content-Type: application/pdf\r\n', ['%PDF-1.4\n']);
  if (path.startsWith('/private/')) return respond('200 OK', 'Content-Type: text/html\r\n', []);
  if (path.startsWith('/static/')) return respond('200 OK', 'Content-Type: text/plain\r\n', []);
  return respond('404 Not Found', 'Content-Type: text/html\r\n', [NOT_FOUND]);
}

/** Reach, links and levels of the tree and the power-law picks, without odd shapes. */
export function checkSite(site) {
  const seen = new Uint8Array(site.pages);
  const levels = [];
  let links = 0;
  seen[0] = 1;
  for (let level = [0]; level.length > 0;) {
    levels.push(level.length);
    const next = [];
    for (const i of level) {
      for (const target of site.linksOf(i)) {
        links++;
        if (seen[target] === 0) {
          seen[target] = 1;
          next.push(target);
        }
      }
    }
    level = next;
  }
  return { pages: site.pages, reached: levels.reduce((sum, count) => sum + count, 0), links, levels };
}

function word(number) {
  return WORDS[number % WORDS.length];
}

function urlOf(i) {
  return i === 0 ? '/' : `/d${Math.floor(i / 1000)}/p${i}.html`;
}

function mix(value) {
  let x = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

function repeat(count, make) {
  return Array.from({ length: count }, (_, x) => make(x + 1)).join('\n');
}

function block(s, hash, text) {
  switch (hash(s, 999) % 6) {
    case 0:
      return `<h2 id="sec-${s}">${text(s, 5)}</h2>\n<p>${text(s + 1, 90)}</p>\n`;
    case 1:
      return `<ul class="list">${repeat(5, (x) => `<li><span class="item">${text(s + x, 12)}</span></li>`)}</ul>\n`;
    case 2:
      return (
        `<figure class="media"><img src="/static/img/${hash(s, 1) % 500}.png" alt="${text(s, 4)}" width="640" ` +
        `height="360" loading="lazy"><figcaption>${text(s + 3, 14)}</figcaption></figure>\n`
      );
    case 3: {
      const row = (x) =>
        `<tr><td>${text(s + x, 2)}</td><td>${hash(s, x) % 10_000}</td><td>${text(s + x, 8)} &amp; more</td></tr>`;
      return `<table class="data"><thead><tr><th>Name</th><th>Value</th><th>Note</th></tr></thead><tbody>${repeat(4, row)}</tbody></table>\n`;
    }
    case 4:
      return (
        `<div class="card"><div class="card__body"><p>${text(s + 5, 60)}</p><p><em>${text(s + 6, 20)}</em> ` +
        `<strong>${text(s + 7, 6)}</strong></p></div></div>\n<!-- ${text(s + 8, 10)} -->\n`
      );
    default:
      return (
        `<p>${text(s, 70)} <code>${text(s + 2, 3)}</code></p>\n<p>${text(s + 4, 60)}</p>\n<script>/* widget */ ` +
        `window.__w=(window.__w||[]).concat([{id:${s},html:"<a href='#no'>x<\\/a>"}]);</script>\n`
      );
  }
}

const TOP =
  '<meta name="viewport" content="width=device-width,initial-scale=1">\n<link rel="stylesheet" href="/static/site.css">\n' +
  '<link rel="icon" href="/static/favicon.ico">\n<script src="/static/app.js" defer></script>\n</head>\n<body class="page">\n' +
  '<header class="site-header"><div class="logo"><a href="/" title="Home">Synthetic Site</a></div>\n<nav class="main-nav"><ul>';
const BOTTOM = Buffer.from(
  '</main>\n<footer class="site-footer"><ul class="foot"><li><a href="mailto:info@example.org">Mail</a></li>' +
    '<li><a href="javascript:void(0)">Menu</a></li><li><a href="http://example.org/out" rel="nofollow">Partner</a></li>' +
    '<li><a href="/private/login.html">Log in</a></li><li><a href="#main">Top</a></li></ul><p>&copy; Synthetic</p></footer>\n' +
    '</body>\n</html>\n',
  'latin1',
);

async function main(args) {
  const value = (name, fallback) => {
    const index = args.indexOf(`--${name}`);
    return index < 0 ? fallback : args[index + 1];
  };
  const site = createSite({
    pages: Number(value('n', 1_000_000)),
    seed: Number(value('seed', 1)),
    out: Number(value('out', 24)),
  });
  if (args.includes('--check')) console.log(JSON.stringify(checkSite(site)));
  else if (args.includes('--write')) console.log(`${writeSite(site, value('write', '')).length} pages written`);
  else {
    let answers = 0;
    const server = await serveSite(site, {
      port: Number(value('port', 8200)),
      delayMs: Number(value('delay', 0)),
      onAnswer: () => answers++,
    });
    // A parent process that wants to know is told how many answers went out.
    if (process.send !== undefined) setInterval(() => process.send({ answers }), 500);
    console.log(JSON.stringify({ port: server.address().port, pid: process.pid }));
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(process.argv.slice(2));
}
