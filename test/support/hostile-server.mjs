#!/usr/bin/env node
// Our own work, MIT like the rest of this repository. Started by test/support/hostile.ts.
// Hostile fixture server. No dependencies. Binds to 127.0.0.1 ONLY.
//   node hostile-server.mjs [--port N] [--robots MODE] [--all-robots] [--links N] [--bomb-mib N]
// Prints one JSON line: {"main":PORT,"robots":{mode:PORT,...}}.
// GET /            index of all groups          GET /g/<group>/   start page of one group (crawl this)
// GET /__expect    JSON: every case, with what a correct crawler/archiver does
// GET /__log       JSON: requests seen so far   GET /__reset      clears log and counters
// "crawler" below = default (web graph) mode; "archiver" = --archive mode.
import http from 'node:http';
import zlib from 'node:zlib';
import crypto from 'node:crypto';
const arg = (n, d) => {
  const i = process.argv.indexOf('--' + n);
  return i < 0 ? d : process.argv[i + 1];
};
const HOST = '127.0.0.1';
const NLINKS = +arg('links', 1000000),
  BOMB = +arg('bomb-mib', 300);
const CASES = [];
const ROUTES = new Map();
const PREFIX = [];
let LOG = [];
let COUNT = {};
let INFLIGHT = 0,
  MAXINFLIGHT = 0;
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const html =
  (body, h = {}, st = 200) =>
  (q, r) => {
    r.writeHead(st, { ...HTML, ...h });
    r.end(body);
  };
const page = (t, b) =>
  `<!doctype html><html><head><meta charset="utf-8"><title>${t}</title></head><body>${b}</body></html>`;
const leaf = (t) => html(page(t, `<p>${t}</p>`));
const raw = (fn) => (q, r) => {
  const s = r.socket;
  s.on('error', () => {});
  fn(s, q);
};
const redir =
  (loc, st = 302) =>
  (q, r) => {
    r.writeHead(st, { location: loc });
    r.end();
  };
// c(group, path, what a correct client does, handler, {link:false} = not linked from the group page)
function c(group, path, expect, handler, o = {}) {
  CASES.push({ group, path, expect, ...o });
  put(path, handler);
}
function put(path, h) {
  ROUTES.set(path, h);
}
function pre(prefix, h) {
  PREFIX.push([prefix, h]);
}
const n1 = (k) => (COUNT[k] = (COUNT[k] || 0) + 1);

/* ---------- body: how the bytes arrive ---------- */
c(
  'body',
  '/body/drip',
  '1 byte a second for 10 minutes. Total time limit for one page must fire (idle limit alone never does); page = error, crawl goes on.',
  (q, r) => {
    r.writeHead(200, HTML);
    const t = setInterval(() => r.write('.'), 1000);
    const stop = () => clearInterval(t);
    r.on('close', stop);
    setTimeout(() => {
      stop();
      r.end();
    }, 6e5).unref();
  },
);
c(
  'body',
  '/body/endless',
  'Never-ending HTML at full speed. Size limit must cut it; memory stays flat; links past the limit are not needed.',
  (q, r) => {
    r.writeHead(200, HTML);
    let i = 0;
    const go = () => {
      while (!r.destroyed && r.write(`<p>line ${i}<a href="/body/leaf?e=${i % 50}">x</a>\n`)) i++;
    };
    r.on('drain', go);
    go();
  },
);
c(
  'body',
  '/body/silent',
  'Accepts the request and never answers. Response-header timeout, then error; do not block other slots.',
  () => {},
);
c(
  'body',
  '/body/reset',
  'Half of the body, then TCP RST. Not a 200 node with half a page; retry a few times, then error.',
  raw((s) => {
    s.write(
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<a href="/body/leaf?from=reset">x</a>',
    );
    setTimeout(() => s.resetAndDestroy(), 50);
  }),
);
c(
  'body',
  '/body/cl-long',
  'Content-Length larger than the body, then close. Incomplete: mark as error/partial, never as complete.',
  raw((s) => {
    s.end(
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\nConnection: close\r\n\r\n<a href="/body/leaf?from=cl-long">x</a>',
    );
  }),
);
c(
  'body',
  '/body/cl-two',
  'Two different Content-Length headers. Must be refused (RFC 9112), error.',
  raw((s) =>
    s.end(
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\nContent-Length: 9\r\nConnection: close\r\n\r\nabcdefghi',
    ),
  ),
);
c(
  'body',
  '/body/http10',
  'HTTP/1.0, no length, ends by close. Complete page: node with one link.',
  raw((s) => s.end('HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<a href="/body/leaf?from=http10">x</a>')),
);
c(
  'body',
  '/body/chunk-trailer',
  'Chunked with trailer fields. Trailers ignored; node with one link.',
  raw((s) =>
    s.write(
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n26\r\n<a href="/body/leaf?from=trailer">x</a\r\n1\r\n>\r\n0\r\nX-T: 1\r\n\r\n',
    ),
  ),
);
c(
  'body',
  '/body/chunk-bad',
  'Bad chunk size line. Error, not a node.',
  raw((s) =>
    s.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n0\r\n\r\n'),
  ),
);
c(
  'body',
  '/body/chunk-cut',
  'Chunked, closed before the last chunk. Incomplete: error/partial.',
  raw((s) => s.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n')),
);
let bomb = null;
c(
  'body',
  '/body/gzip-bomb',
  `gzip of ${BOMB} MiB of one letter (~0.1%). Limit on DEcoded size while streaming; error; memory flat.`,
  (q, r) => {
    const go = () => {
      r.writeHead(200, { ...HTML, 'content-encoding': 'gzip', 'content-length': bomb.length });
      r.end(bomb);
    };
    if (bomb) return go();
    const g = zlib.createGzip({ level: 9 });
    const out = [];
    g.on('data', (d) => out.push(d)).on('end', () => {
      bomb = Buffer.concat(out);
      go();
    });
    const one = Buffer.alloc(1 << 20, 97);
    let k = 0;
    const w = () => {
      while (k < BOMB) {
        k++;
        if (!g.write(one)) {
          g.once('drain', w);
          return;
        }
      }
      g.end();
    };
    w();
  },
);
const gz = (s) => zlib.gzipSync(Buffer.from(s));
const enc =
  (ce, buf, extra = {}) =>
  (q, r) => {
    r.writeHead(200, { ...HTML, 'content-encoding': ce, 'content-length': buf.length, ...extra });
    r.end(buf);
  };
const L = (f) => `<a href="/body/leaf?from=${f}">x</a>`;
c('body', '/body/gzip', 'Plain gzip. Node with one link.', enc('gzip', gz(L('gzip'))));
c(
  'body',
  '/body/gzip-twice',
  'Content-Encoding: gzip, gzip. Decode both (limit of layers) or error; never take garbage as text.',
  enc('gzip, gzip', zlib.gzipSync(gz(L('gzip2')))),
);
c(
  'body',
  '/body/gzip-cut',
  'gzip stream cut in the middle. Error/partial; no crash.',
  enc('gzip', gz(L('gzipcut') + 'x'.repeat(5000)).subarray(0, 40)),
);
c(
  'body',
  '/body/gzip-liar',
  'Says gzip, body is plain. Error (or sniff and take plain); no crash.',
  enc('gzip', Buffer.from(L('liar'))),
);
c(
  'body',
  '/body/gzip-tail',
  'gzip followed by junk bytes. Take the page, ignore the junk.',
  enc('gzip', Buffer.concat([gz(L('tail')), Buffer.from('JUNK')])),
);
c(
  'body',
  '/body/deflate-raw',
  'Content-Encoding: deflate but raw deflate (old IIS). Accept zlib and raw.',
  enc('deflate', zlib.deflateRawSync(Buffer.from(L('raw')))),
);
c('body', '/body/deflate', 'deflate with zlib header.', enc('deflate', zlib.deflateSync(Buffer.from(L('zlib')))));
c(
  'body',
  '/body/br',
  'Brotli (only if the client asked for br).',
  enc('br', zlib.brotliCompressSync(Buffer.from(L('br')))),
);
c('body', '/body/enc-none', 'Content-Encoding: none. Treat as identity.', enc('none', Buffer.from(L('none'))));
c(
  'body',
  '/body/enc-unknown',
  'Content-Encoding: x-rot13. Error, not parsed.',
  enc('x-rot13', Buffer.from('<n uers="/obql/yrns">')),
);
c('body', '/body/204', '204 No Content: not 200, no node.', (q, r) => {
  r.writeHead(204);
  r.end();
});
c('body', '/body/304', '304 on a first visit: no node, no crash.', (q, r) => {
  r.writeHead(304);
  r.end();
});
c(
  'body',
  '/body/early-hints',
  '103 before the final 200. Use the final answer.',
  raw((s) =>
    s.write(
      `HTTP/1.1 103 Early Hints\r\nLink: </body/leaf?from=hint>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${L('103').length}\r\n\r\n${L('103')}`,
    ),
  ),
);
c(
  'body',
  '/body/many-links',
  `${NLINKS} links on one page (~40 MB). Stream or limit; no quadratic dedupe; memory bounded; the queue stays on disk or capped.`,
  (q, r) => {
    r.writeHead(200, HTML);
    let i = 0;
    const go = () => {
      while (i < NLINKS) {
        let s = '';
        for (let k = 0; k < 500 && i < NLINKS; k++, i++) s += `<a href="/many/${i}">${i}</a>\n`;
        if (!r.write(s)) {
          r.once('drain', go);
          return;
        }
      }
      r.end();
    };
    go();
  },
);
pre('/many/', (q, r) => leaf('many ' + q.url)(q, r));
c(
  'body',
  '/body/deep',
  '100,000 nested <div> with a link inside. No stack overflow; link found (or page refused with a clear error).',
  html('<!doctype html>' + '<div>'.repeat(1e5) + L('deep') + '</div>'.repeat(1e5)),
);
c(
  'body',
  '/body/deep-b',
  '50,000 unclosed <b><p> (adoption agency). Time stays near linear or a limit fires.',
  html('<!doctype html>' + '<b><p>'.repeat(5e4) + L('deepb')),
);
c(
  'body',
  '/body/long-attr',
  'A 5 MB attribute value. No regex backtracking.',
  html(`<p title="${'<a href='.repeat(6e5)}">${L('longattr')}`),
);
c('body', '/body/open-angles', '1,000,000 "<" characters. Linear time.', html('<'.repeat(1e6) + L('angles')));
c(
  'body',
  '/body/nul',
  'NUL bytes in text and tag names.',
  html('\0<a\0 href="/body/no">n</a>\0<a href="/body/leaf?from=nul">x</a>'),
);
c(
  'body',
  '/body/binary',
  'PNG bytes served as text/html. A node with no links is fine; no crash; archiver keeps the bytes unchanged.',
  (q, r) => {
    r.writeHead(200, HTML);
    r.end(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(2000, 0xf3)]));
  },
);
put('/body/leaf', leaf('leaf'));

/* ---------- head: status line and header fields ---------- */
const LH = (f) => `<a href="/head/leaf?from=${f}">x</a>`;
put('/head/leaf', leaf('leaf'));
c('head', '/head/huge', 'One 64 KiB header. Over the usual 16 KiB limit: clean error for this page only.', (q, r) => {
  r.writeHead(200, { ...HTML, 'x-big': 'a'.repeat(65536) });
  r.end(LH('huge'));
});
c('head', '/head/many', '600 small headers. Accept or clean error.', (q, r) => {
  const h = { ...HTML };
  for (let i = 0; i < 600; i++) h['x-' + i] = '1';
  r.writeHead(200, h);
  r.end(LH('many'));
});
c('head', '/head/empty-type', 'Empty Content-Type. Same as none: ignored.', (q, r) => {
  r.writeHead(200, { 'content-type': '' });
  r.end(LH('emptytype'));
});
c('head', '/head/plain', 'HTML text served as text/plain. Ignored (no sniffing into HTML).', (q, r) => {
  r.writeHead(200, { 'content-type': 'text/plain' });
  r.end(LH('plain'));
});
c(
  'head',
  '/head/xhtml',
  'application/xhtml+xml. Seed: only text/html counts, so no node (document the choice); archiver saves it.',
  (q, r) => {
    r.writeHead(200, { 'content-type': 'application/xhtml+xml' });
    r.end('<html xmlns="http://www.w3.org/1999/xhtml"><body>' + LH('xhtml') + '</body></html>');
  },
);
c('head', '/head/params', 'text/html with odd parameters. A node.', (q, r) => {
  r.writeHead(200, { 'content-type': 'text/html ;; charset=utf-8 ; x="a;b"' });
  r.end(LH('params'));
});
c('head', '/head/prefix', 'text/htmlx must not be taken for text/html.', (q, r) => {
  r.writeHead(200, { 'content-type': 'text/htmlx' });
  r.end(LH('prefix'));
});
c(
  'head',
  '/head/two-types',
  'Two Content-Type headers (text/plain, then text/html). One stable documented choice.',
  raw((s) =>
    s.end(
      `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n${LH('two')}`,
    ),
  ),
);
c(
  'head',
  '/head/lf-only',
  'Header lines end with bare LF. Accept or clean error.',
  raw((s) => s.end(`HTTP/1.1 200 OK\nContent-Type: text/html\nConnection: close\n\n${LH('lf')}`)),
);
c(
  'head',
  '/head/fold',
  'Folded header line (obsolete). Accept or clean error.',
  raw((s) =>
    s.end(`HTTP/1.1 200 OK\r\nContent-Type: text/html;\r\n charset=utf-8\r\nConnection: close\r\n\r\n${LH('fold')}`),
  ),
);
c(
  'head',
  '/head/bad-char',
  'Raw 0x01 in a header value. Clean error for this page only.',
  raw((s) => s.end(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX: a\x01b\r\nConnection: close\r\n\r\n${LH('bad')}`)),
);
c(
  'head',
  '/head/no-reason',
  'Status line without a reason phrase. A node.',
  raw((s) => s.end(`HTTP/1.1 200\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n${LH('noreason')}`)),
);
for (const st of [201, 203, 400, 401, 402, 403, 404, 410, 418, 451, 500, 501, 502, 504, 999])
  c(
    'head',
    '/head/st/' + st,
    `Status ${st} with links in the body. Not 200: no node, links not followed.`,
    html(LH('st' + st), {}, st),
  );
c(
  'head',
  '/head/refresh',
  'Refresh: 0;url=... header. Not a redirect by the seed (301/302/303); do not follow silently; archiver keeps/rewrites.',
  html(LH('refresh'), { refresh: '0;url=/head/leaf?from=refresh-target' }),
);
c(
  'head',
  '/head/link',
  'Link: <...>; rel=next header. Not an <a>: no arc.',
  html(page('l', 'x'), { link: '</head/leaf?from=link-header>; rel="next"' }),
);
c(
  'head',
  '/head/xrobots',
  'X-Robots-Tag: nofollow. Default: documented choice; the graph still needs the node.',
  html(LH('xrobots'), { 'x-robots-tag': 'noindex, nofollow' }),
);
c(
  'head',
  '/head/cookie-bomb',
  '300 Set-Cookie headers of 1 KB. Cap the jar; later requests must not carry a 300 KB header.',
  (q, r) => {
    r.writeHead(200, {
      ...HTML,
      'set-cookie': Array.from({ length: 300 }, (_, i) => `c${i}=${'v'.repeat(1000)}; Path=/head/`),
    });
    r.end(LH('bomb'));
  },
  { link: false },
);

/* ---------- redirects ---------- */
const LR = (f) => page(f, `<a href="/redir/leaf?from=${f}">x</a>`);
put('/redir/leaf', leaf('leaf'));
put('/redir/end', html(LR('end')));
put('/redir/dir/', html(page('dir', '<a href="rel.html">r</a>')));
put('/redir/dir/rel.html', leaf('rel'));
c('redir', '/redir/self', 'Redirects to itself. Error after the first repeat, no loop.', redir('/redir/self'));
c('redir', '/redir/pair-a', 'a > b > a. Error.', redir('/redir/pair-b'));
put('/redir/pair-b', redir('/redir/pair-a'));
c('redir', '/redir/rho', 'A > B > C > B (loop that never returns to the start). Error.', redir('/redir/rho-b'));
put('/redir/rho-b', redir('/redir/rho-c'));
put('/redir/rho-c', redir('/redir/rho-b'));
c('redir', '/redir/grow/x', 'Every hop adds /x. Hop limit.', redir('/redir/grow/x/x'));
pre('/redir/grow/', (q, r) => redir(q.url + '/x')(q, r));
c('redir', '/redir/count?n=1', 'Every hop counts up. Hop limit.', redir('/redir/count?n=2'));
put('/redir/count', (q, r, u) => redir('/redir/count?n=' + (+u.searchParams.get('n') + 1))(q, r));
c('redir', '/redir/chain?n=5', 'Five hops, then 200. Node is /redir/end.', null);
c('redir', '/redir/chain?n=25', '25 hops. Over a usual limit of 10-20: error, documented.', null);
put('/redir/chain', (q, r, u) => {
  const n = +u.searchParams.get('n');
  redir(n > 1 ? '/redir/chain?n=' + (n - 1) : '/redir/end')(q, r);
});
for (const st of [300, 301, 302, 303, 305, 307, 308])
  c(
    'redir',
    '/redir/st/' + st,
    `Status ${st} with Location. ${[301, 302, 303].includes(st) ? 'Seed: follow, node = target.' : [307, 308].includes(st) ? 'Not in the seed list; follow as browsers do (document).' : 'Not followed, not a node.'}`,
    redir('/redir/end?st=' + st, st),
  );
c('redir', '/redir/noloc', '302 without Location: not 200, no node, no crash.', (q, r) => {
  r.writeHead(302, HTML);
  r.end(LR('noloc'));
});
c(
  'redir',
  '/redir/emptyloc',
  'Empty Location. = itself, or no redirect: no loop.',
  raw((s) => s.end('HTTP/1.1 302 Found\r\nLocation: \r\nContent-Length: 0\r\nConnection: close\r\n\r\n')),
);
c('redir', '/redir/slash', '/redir/slash > /redir/dir/ (301): both arcs end in one node.', redir('/redir/dir/', 301));
c(
  'redir',
  '/redir/space',
  'Location with blanks and padding.',
  raw((s) =>
    s.end('HTTP/1.1 302 Found\r\nLocation:   /redir/end?a b  \r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
  ),
);
c(
  'redir',
  '/redir/utf8',
  'Location holds raw UTF-8 bytes. Request /redir/%D0%BA%D0%BE%D0%BD%D0%B5%D1%86.',
  raw((s) =>
    s.end(
      Buffer.from('HTTP/1.1 302 Found\r\nLocation: /redir/конец\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
    ),
  ),
);
put('/redir/%D0%BA%D0%BE%D0%BD%D0%B5%D1%86', html(LR('utf8')));
c('redir', '/redir/frag', 'Location with #fragment. Node without it.', redir('/redir/end?f#part'));
c(
  'redir',
  '/redir/twoloc',
  'Two Location headers. One stable choice, no crash.',
  raw((s) =>
    s.end(
      'HTTP/1.1 302 Found\r\nLocation: /redir/end?l=1\r\nLocation: /redir/end?l=2\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    ),
  ),
);
for (const [k, v] of [
  ['js', 'javascript:alert(1)'],
  ['data', 'data:text/html,<a href=/x>'],
  ['file', 'file:///etc/passwd'],
  ['mail', 'mailto:a@b.invalid'],
  ['bad', 'http://exa mple/'],
  ['badport', 'http://127.0.0.1:99999/'],
])
  c('redir', '/redir/to-' + k, `Redirect to ${v}: never followed, error for this link only.`, redir(v));
c(
  'redir',
  '/redir/to-other-host',
  'Redirect to http://localhost (another host name). Not a node of this site; nothing under localhost is crawled.',
  (q, r) => redir(`http://localhost:${q.socket.localPort}/redir/foreign`)(q, r),
);
put('/redir/foreign', html(page('foreign', '<a href="/redir/foreign2">must not be fetched</a>')));
put('/redir/foreign2', leaf('foreign2'));
c(
  'redir',
  '/redir/to-pdf',
  'Redirect to application/pdf. No node in graph mode; archiver may save.',
  redir('/redir/f.pdf'),
);
put('/redir/f.pdf', (q, r) => {
  r.writeHead(200, { 'content-type': 'application/pdf' });
  r.end('%PDF-1.4');
});
c(
  'redir',
  '/redir/to-blocked',
  'Redirect into a path that robots.txt disallows (/blocked/). Must not be fetched.',
  redir('/blocked/x'),
);
c('redir', '/redir/to-closed', 'Redirect to a closed port. Error.', redir('http://127.0.0.1:1/'));
c(
  'redir',
  '/redir/cookie',
  'Sets a cookie and redirects to itself; 200 once the cookie comes back. With cookies: node. Without: loop stopped.',
  (q, r) =>
    /seen=1/.test(q.headers.cookie || '')
      ? html(LR('cookie'))(q, r)
      : (r.writeHead(302, { location: '/redir/cookie', 'set-cookie': 'seen=1; Path=/redir' }), r.end()),
);
c(
  'redir',
  '/redir/meta',
  'meta refresh to another page. Graph: links only, no redirect; archiver: target rewritten.',
  html('<meta http-equiv="refresh" content="0; URL=\'/redir/end?meta\'">' + LR('meta')),
);

/* ---------- traps ---------- */
c(
  'trap',
  '/trap/cal?y=2026&m=1',
  'Calendar with next/previous month for ever. Depth / page limit ends it; report says why it stopped.',
  (q, r, u) => {
    let y = +u.searchParams.get('y') || 2026,
      m = +u.searchParams.get('m') || 1;
    const p = m < 2 ? `y=${y - 1}&m=12` : `y=${y}&m=${m - 1}`,
      n = m > 11 ? `y=${y + 1}&m=1` : `y=${y}&m=${m + 1}`;
    html(
      page(
        `${y}-${m}`,
        `<h1>${y}-${m}</h1><a href="?${p.replace('&', '&amp;')}">prev</a> <a href="?${n.replace('&', '&amp;')}">next</a>`,
      ),
    )(q, r);
  },
);
ROUTES.set('/trap/cal', ROUTES.get('/trap/cal?y=2026&m=1'));
ROUTES.delete('/trap/cal?y=2026&m=1');
c(
  'trap',
  '/trap/sid',
  'Every answer links to itself with a new ?sid=. Same content: one node by content hash; growth stops.',
  (q, r) =>
    html(page('sid', `<p>constant</p><a href="/trap/sid?sid=${Math.random().toString(36).slice(2)}">again</a>`))(q, r),
);
c('trap', '/trap/jsid', 'Same with ;jsessionid= in the path.', null);
pre('/trap/jsid', (q, r) =>
  html(page('jsid', `<p>constant</p><a href="/trap/jsid;jsessionid=${Math.random().toString(16).slice(2)}">again</a>`))(
    q,
    r,
  ),
);
c('trap', '/trap/rel/', 'Every path answers 200 with <a href="a/">: path grows. Content hash: one node.', null);
pre('/trap/rel/', html(page('rel', '<a href="a/">deeper</a>')));
c('trap', '/trap/pathinfo/i.php', 'Relative links on a PATH_INFO page (i.php/x/x/x).', null);
pre('/trap/pathinfo/', html(page('pi', '<a href="i.php/x">x</a><img src="i.php/img/">')));
c(
  'trap',
  '/trap/unique/',
  'Same idea, every page has different text (date, counter): hash cannot help, depth/page limit must.',
  null,
);
pre('/trap/unique/', (q, r) => html(page('u', `<p>${Date.now()} ${q.url}</p><a href="${n1('u')}/">next</a>`))(q, r));
c(
  'trap',
  '/trap/facets',
  'Sort/filter links in all orders. After query sorting at most 8 distinct URLs.',
  (q, r, u) => {
    const ks = ['a', 'b', 'c'];
    const cur = [...u.searchParams.keys()];
    html(
      page(
        'f',
        '<p>' +
          cur.sort().join(',') +
          '</p>' +
          ks
            .filter((k) => !cur.includes(k))
            .map(
              (k) =>
                `<a href="/trap/facets?${[...u.searchParams]
                  .concat([[k, 1]])
                  .sort(() => Math.random() - 0.5)
                  .map((x) => x.join('='))
                  .join('&amp;')}">${k}</a>`,
            )
            .join(' '),
      ),
    )(q, r);
  },
);
c(
  'trap',
  '/trap/soft404',
  'Links to pages that do not exist; the site answers 200 "not found". One node (duplicates); optionally flagged as soft 404.',
  html(page('s', [1, 2, 3, 4, 5].map((i) => `<a href="/trap/s404/none${i}">n</a>`).join(''))),
);
pre('/trap/s404/', html(page('Not found', '<h1>Not found</h1><a href="/trap/soft404">home</a>')));
c(
  'trap',
  '/trap/soft404-echo',
  'Soft 404 that echoes the URL: never equal. Known hard; must stay bounded.',
  html(page('s', '<a href="/trap/echo/a">a</a>')),
);
pre('/trap/echo/', (q, r) =>
  html(page('nf', `<p>${q.url.slice(0, 400)} not found</p><a href="${q.url.slice(0, 2000)}x">did you mean</a>`))(q, r),
);
c(
  'trap',
  '/trap/query-long',
  'Query of 8,000 characters.',
  html(page('ql', `<a href="/trap/ok?${'k=v&amp;'.repeat(1600)}">x</a>`)),
);
c(
  'trap',
  '/trap/case',
  'Same page under different case (IIS style). Duplicates by hash, not by lower-casing.',
  html(page('case', '<a href="/trap/CI/Page">1</a><a href="/trap/ci/page">2</a>')),
);
put('/trap/CI/Page', leaf('ci'));
put('/trap/ci/page', leaf('ci'));
c(
  'trap',
  '/trap/dup/',
  'x/ and y/ have the same bytes and a relative link "child". By the seed one node; the arc and child of the first one found; note the loss.',
  html(page('d', '<a href="x/">x</a><a href="y/">y</a>')),
);
put('/trap/dup/x/', html('<p>same</p><a href="child">c</a>'));
put('/trap/dup/y/', html('<p>same</p><a href="child">c</a>'));
put('/trap/dup/x/child', leaf('cx'));
put('/trap/dup/y/child', leaf('cy'));

/* ---------- charsets ---------- */
const CS = {
  'koi8r-header': {
    title: 'Привет мир',
    expect: 'koi8-r in the HTTP header only. Title decoded; path in UTF-8.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c7469746c653ef0d2c9d7c5d420cdc9d23c2f7469746c653e3c2f686561643e3c626f64793e3c703ef0d2c9d7c5d420cdc9d23c2f703e3c6120687265663d222f636861727365742f6c6561662ff0d2c9d7c5d42dcdc9d2223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html; charset=koi8-r',
    requests: ['/charset/leaf/%D0%9F%D1%80%D0%B8%D0%B2%D0%B5%D1%82-%D0%BC%D0%B8%D1%80'],
  },
  'gbk-header': {
    title: '你好世界',
    expect: 'gbk in the HTTP header only. Title decoded; path in UTF-8.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c7469746c653ec4e3bac3cac0bde73c2f7469746c653e3c2f686561643e3c626f64793e3c703ec4e3bac3cac0bde73c2f703e3c6120687265663d222f636861727365742f6c6561662fc4e3bac3cac0bde7223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html; charset=gbk',
    requests: ['/charset/leaf/%E4%BD%A0%E5%A5%BD%E4%B8%96%E7%95%8C'],
  },
  'gb18030-header': {
    title: '你好世界',
    expect: 'gb18030 in the HTTP header only. Title decoded; path in UTF-8.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c7469746c653ec4e3bac3cac0bde73c2f7469746c653e3c2f686561643e3c626f64793e3c703ec4e3bac3cac0bde73c2f703e3c6120687265663d222f636861727365742f6c6561662fc4e3bac3cac0bde7223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html; charset=gb18030',
    requests: ['/charset/leaf/%E4%BD%A0%E5%A5%BD%E4%B8%96%E7%95%8C'],
  },
  'gb18030-meta': {
    title: '你好世界',
    expect: 'gb18030 in <meta charset> only. Title decoded; query in the page encoding, as browsers send it.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c6d65746120636861727365743d2267623138303330223e3c7469746c653ec4e3bac3cac0bde73c2f7469746c653e3c2f686561643e3c626f64793e3c703ec4e3bac3cac0bde73c2f703e3c6120687265663d222f636861727365742f713f773dc4e3bac3cac0bde7223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html',
    requests: ['/charset/q?w=%C4%E3%BA%C3%CA%C0%BD%E7'],
  },
  'big5-header': {
    title: '你好世界',
    expect: 'big5 in the HTTP header only. Title decoded; path in UTF-8.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c7469746c653ea741a66ea540acc93c2f7469746c653e3c2f686561643e3c626f64793e3c703ea741a66ea540acc93c2f703e3c6120687265663d222f636861727365742f6c6561662fa741a66ea540acc9223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html; charset=big5',
    requests: ['/charset/leaf/%E4%BD%A0%E5%A5%BD%E4%B8%96%E7%95%8C'],
  },
  'big5-meta': {
    title: '你好世界',
    expect: 'big5 in <meta charset> only. Title decoded; query in the page encoding, as browsers send it.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c6d65746120636861727365743d2262696735223e3c7469746c653ea741a66ea540acc93c2f7469746c653e3c2f686561643e3c626f64793e3c703ea741a66ea540acc93c2f703e3c6120687265663d222f636861727365742f713f773da741a66ea540acc9223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html',
    requests: ['/charset/q?w=%A7A%A6n%A5%40%AC%C9'],
  },
  'sjis-header': {
    title: '日本語表示',
    expect: 'shift_jis in the HTTP header only. Title decoded; path in UTF-8.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c7469746c653e93fa967b8cea955c8ea63c2f7469746c653e3c2f686561643e3c626f64793e3c703e93fa967b8cea955c8ea63c2f703e3c6120687265663d222f636861727365742f6c6561662f93fa967b8cea955c8ea6223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html; charset=shift_jis',
    requests: ['/charset/leaf/%E6%97%A5%E6%9C%AC%E8%AA%9E%E8%A1%A8%E7%A4%BA'],
  },
  'sjis-meta': {
    title: '日本語表示',
    expect: 'shift_jis in <meta charset> only. Title decoded; query in the page encoding, as browsers send it.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c6d65746120636861727365743d2273686966745f6a6973223e3c7469746c653e93fa967b8cea955c8ea63c2f7469746c653e3c2f686561643e3c626f64793e3c703e93fa967b8cea955c8ea63c2f703e3c6120687265663d222f636861727365742f713f773d93fa967b8cea955c8ea6223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html',
    requests: ['/charset/q?w=%93%FA%96%7B%8C%EA%95%5C%8E%A6'],
  },
  'eucjp-header': {
    title: '日本語表示',
    expect: 'euc-jp in the HTTP header only. Title decoded; path in UTF-8.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c7469746c653ec6fccbdcb8ecc9bdbca83c2f7469746c653e3c2f686561643e3c626f64793e3c703ec6fccbdcb8ecc9bdbca83c2f703e3c6120687265663d222f636861727365742f6c6561662fc6fccbdcb8ecc9bdbca8223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html; charset=euc-jp',
    requests: ['/charset/leaf/%E6%97%A5%E6%9C%AC%E8%AA%9E%E8%A1%A8%E7%A4%BA'],
  },
  'eucjp-meta': {
    title: '日本語表示',
    expect: 'euc-jp in <meta charset> only. Title decoded; query in the page encoding, as browsers send it.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c6d65746120636861727365743d226575632d6a70223e3c7469746c653ec6fccbdcb8ecc9bdbca83c2f7469746c653e3c2f686561643e3c626f64793e3c703ec6fccbdcb8ecc9bdbca83c2f703e3c6120687265663d222f636861727365742f713f773dc6fccbdcb8ecc9bdbca8223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html',
    requests: ['/charset/q?w=%C6%FC%CB%DC%B8%EC%C9%BD%BC%A8'],
  },
  'iso2022jp-header': {
    title: '日本語表示',
    expect: 'iso-2022-jp in the HTTP header only. Title decoded; path in UTF-8.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c7469746c653e1b2442467c4b5c386c493d3c281b28423c2f7469746c653e3c2f686561643e3c626f64793e3c703e1b2442467c4b5c386c493d3c281b28423c2f703e3c6120687265663d222f636861727365742f6c6561662f1b2442467c4b5c386c493d3c281b2842223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html; charset=iso-2022-jp',
    requests: ['/charset/leaf/%E6%97%A5%E6%9C%AC%E8%AA%9E%E8%A1%A8%E7%A4%BA'],
  },
  'iso2022jp-meta': {
    title: '日本語表示',
    expect: 'iso-2022-jp in <meta charset> only. Title decoded; query in the page encoding, as browsers send it.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c6d65746120636861727365743d2269736f2d323032322d6a70223e3c7469746c653e1b2442467c4b5c386c493d3c281b28423c2f7469746c653e3c2f686561643e3c626f64793e3c703e1b2442467c4b5c386c493d3c281b28423c2f703e3c6120687265663d222f636861727365742f713f773d1b2442467c4b5c386c493d3c281b2842223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html',
    requests: ['/charset/q'],
  },
  'euckr-header': {
    title: '안녕하세요',
    expect: 'euc-kr in the HTTP header only. Title decoded; path in UTF-8.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c7469746c653ebec8b3e7c7cfbcbcbfe43c2f7469746c653e3c2f686561643e3c626f64793e3c703ebec8b3e7c7cfbcbcbfe43c2f703e3c6120687265663d222f636861727365742f6c6561662fbec8b3e7c7cfbcbcbfe4223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html; charset=euc-kr',
    requests: ['/charset/leaf/%EC%95%88%EB%85%95%ED%95%98%EC%84%B8%EC%9A%94'],
  },
  'cp1258-header': {
    title: 'Viêt Nam',
    expect: 'windows-1258 in the HTTP header only. Title decoded; path in UTF-8.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c7469746c653e5669ea74204e616d3c2f7469746c653e3c2f686561643e3c626f64793e3c703e5669ea74204e616d3c2f703e3c6120687265663d222f636861727365742f6c6561662f5669ea742d4e616d223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html; charset=windows-1258',
    requests: ['/charset/leaf/Vi%C3%AAt-Nam'],
  },
  'cp1258-meta': {
    title: 'Viêt Nam',
    expect: 'windows-1258 in <meta charset> only. Title decoded; query in the page encoding, as browsers send it.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c6d65746120636861727365743d2277696e646f77732d31323538223e3c7469746c653e5669ea74204e616d3c2f7469746c653e3c2f686561643e3c626f64793e3c703e5669ea74204e616d3c2f703e3c6120687265663d222f636861727365742f713f773d5669ea742d4e616d223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html',
    requests: ['/charset/q?w=Vi%EAt-Nam'],
  },
  'latin1-header': {
    title: 'café',
    expect: 'iso-8859-1 in the HTTP header only. Title decoded; path in UTF-8.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c7469746c653e636166e93c2f7469746c653e3c2f686561643e3c626f64793e3c703e636166e93c2f703e3c6120687265663d222f636861727365742f6c6561662f636166e9223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html; charset=iso-8859-1',
    requests: ['/charset/leaf/caf%C3%A9'],
  },
  'latin1-meta': {
    title: 'café',
    expect: 'iso-8859-1 in <meta charset> only. Title decoded; query in the page encoding, as browsers send it.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c6d65746120636861727365743d2269736f2d383835392d31223e3c7469746c653e636166e93c2f7469746c653e3c2f686561643e3c626f64793e3c703e636166e93c2f703e3c6120687265663d222f636861727365742f713f773d636166e9223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html',
    requests: ['/charset/q?w=caf%E9'],
  },
  'utf8hi-header': {
    title: 'नमस्ते',
    expect: 'utf-8 in the HTTP header only. Title decoded; path in UTF-8.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c7469746c653ee0a4a8e0a4aee0a4b8e0a58de0a4a4e0a5873c2f7469746c653e3c2f686561643e3c626f64793e3c703ee0a4a8e0a4aee0a4b8e0a58de0a4a4e0a5873c2f703e3c6120687265663d222f636861727365742f6c6561662fe0a4a8e0a4aee0a4b8e0a58de0a4a4e0a587223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html; charset=utf-8',
    requests: ['/charset/leaf/%E0%A4%A8%E0%A4%AE%E0%A4%B8%E0%A5%8D%E0%A4%A4%E0%A5%87'],
  },
  'utf8hi-meta': {
    title: 'नमस्ते',
    expect: 'utf-8 in <meta charset> only. Title decoded; query in the page encoding, as browsers send it.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c6d65746120636861727365743d227574662d38223e3c7469746c653ee0a4a8e0a4aee0a4b8e0a58de0a4a4e0a5873c2f7469746c653e3c2f686561643e3c626f64793e3c703ee0a4a8e0a4aee0a4b8e0a58de0a4a4e0a5873c2f703e3c6120687265663d222f636861727365742f713f773de0a4a8e0a4aee0a4b8e0a58de0a4a4e0a587223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html',
    requests: ['/charset/q?w=%E0%A4%A8%E0%A4%AE%E0%A4%B8%E0%A5%8D%E0%A4%A4%E0%A5%87'],
  },
  'utf8vi-header': {
    title: 'Tiếng Việt',
    expect: 'utf-8 in the HTTP header only. Title decoded; path in UTF-8.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c7469746c653e5469e1babf6e67205669e1bb87743c2f7469746c653e3c2f686561643e3c626f64793e3c703e5469e1babf6e67205669e1bb87743c2f703e3c6120687265663d222f636861727365742f6c6561662f5469e1babf6e672d5669e1bb8774223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html; charset=utf-8',
    requests: ['/charset/leaf/Ti%E1%BA%BFng-Vi%E1%BB%87t'],
  },
  'utf8vi-meta': {
    title: 'Tiếng Việt',
    expect: 'utf-8 in <meta charset> only. Title decoded; query in the page encoding, as browsers send it.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c6d65746120636861727365743d227574662d38223e3c7469746c653e5469e1babf6e67205669e1bb87743c2f7469746c653e3c2f686561643e3c626f64793e3c703e5469e1babf6e67205669e1bb87743c2f703e3c6120687265663d222f636861727365742f713f773d5469e1babf6e672d5669e1bb8774223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html',
    requests: ['/charset/q?w=Ti%E1%BA%BFng-Vi%E1%BB%87t'],
  },
  'http-equiv': {
    title: 'Привет',
    expect: 'http-equiv meta, content first, single quotes',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c4d45544120434f4e54454e543d27746578742f68746d6c3b20434841525345543d77696e646f77732d313235312720485454502d45515549563d27436f6e74656e742d74797065273e3c7469746c653ecff0e8e2e5f23c2f7469746c653e3c2f686561643e3c626f64793e3c703ecff0e8e2e5f23c2f703e3c6120687265663d222f636861727365742f6c6561662f6865223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html',
    requests: ['/charset/leaf/he'],
  },
  utf16le: {
    title: 'Привет',
    expect: 'UTF-16LE with BOM, no declaration.',
    hex: 'fffe3c00210064006f00630074007900700065002000680074006d006c003e003c00680074006d006c003e003c0068006500610064003e003c007400690074006c0065003e001f04400438043204350442043c002f007400690074006c0065003e003c002f0068006500610064003e003c0062006f00640079003e003c0070003e001f04400438043204350442043c002f0070003e003c006100200068007200650066003d0022002f0063006800610072007300650074002f006c006500610066002f007500310036006c00650022003e0078003c002f0061003e003c002f0062006f00640079003e003c002f00680074006d006c003e00',
    type: 'text/html',
    requests: ['/charset/leaf/u16le'],
  },
  utf16be: {
    title: 'Привет',
    expect: 'UTF-16BE with BOM.',
    hex: 'feff003c00210064006f00630074007900700065002000680074006d006c003e003c00680074006d006c003e003c0068006500610064003e003c007400690074006c0065003e041f04400438043204350442003c002f007400690074006c0065003e003c002f0068006500610064003e003c0062006f00640079003e003c0070003e041f04400438043204350442003c002f0070003e003c006100200068007200650066003d0022002f0063006800610072007300650074002f006c006500610066002f007500310036006200650022003e0078003c002f0061003e003c002f0062006f00640079003e003c002f00680074006d006c003e',
    type: 'text/html',
    requests: ['/charset/leaf/u16be'],
  },
  'bom-beats-header': {
    title: 'Привет',
    expect: 'UTF-8 BOM, header says windows-1251: BOM wins.',
    hex: 'efbbbf3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c7469746c653ed09fd180d0b8d0b2d0b5d1823c2f7469746c653e3c2f686561643e3c626f64793e3c703ed09fd180d0b8d0b2d0b5d1823c2f703e3c6120687265663d222f636861727365742f6c6561662f626f6d223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html; charset=windows-1251',
    requests: ['/charset/leaf/bom'],
  },
  'header-beats-meta': {
    title: 'Привет',
    expect: 'Header windows-1251, meta says utf-8: header wins.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c6d65746120636861727365743d227574662d38223e3c7469746c653ecff0e8e2e5f23c2f7469746c653e3c2f686561643e3c626f64793e3c703ecff0e8e2e5f23c2f703e3c6120687265663d222f636861727365742f6c6561662f686d223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html; charset=windows-1251',
    requests: ['/charset/leaf/hm'],
  },
  'none-1251': {
    title: 'Привет мир это проверка',
    expect: 'Nothing declared, windows-1251 bytes: links still work; title by detection if any.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c7469746c653ecff0e8e2e5f220ece8f020fdf2ee20eff0eee2e5f0eae020eaeee4e8f0eee2eae820f1f2f0e0ede8f6fb3c2f7469746c653e3c2f686561643e3c626f64793e3c703ecff0e8e2e5f220ece8f020fdf2ee20eff0eee2e5f0eae020eaeee4e8f0eee2eae820f1f2f0e0ede8f6fb3c2f703e3c6120687265663d222f636861727365742f6c6561662f6e6f6e65223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html',
    requests: ['/charset/leaf/none'],
  },
  'bad-label': {
    title: 'ok',
    expect: 'charset=ISO-88509-1 (unknown label): as if absent.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c7469746c653e6f6b3c2f7469746c653e3c2f686561643e3c626f64793e3c703e6f6b3c2f703e3c6120687265663d222f636861727365742f6c6561662f6261646c6162656c223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html; charset=ISO-88509-1',
    requests: ['/charset/leaf/badlabel'],
  },
  'late-meta': {
    title: 'Привет',
    expect: 'meta after 1,100 bytes of comment.',
    hex: '3c21646f63747970652068746d6c3e3c68746d6c3e3c686561643e3c212d2d78787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878782d2d3e3c6d65746120636861727365743d2277696e646f77732d31323531223e3c7469746c653ecff0e8e2e5f23c2f7469746c653e3c2f686561643e3c626f64793e3c703ecff0e8e2e5f23c2f703e3c6120687265663d222f636861727365742f6c6561662f6c617465223e783c2f613e3c2f626f64793e3c2f68746d6c3e',
    type: 'text/html',
    requests: ['/charset/leaf/late'],
  },
  'broken-utf8': {
    title: 'x',
    expect:
      'Invalid UTF-8 in the middle: replacement characters, no crash; archiver keeps the bytes or writes valid UTF-8.',
    hex: '3c21646f63747970652068746d6c3e3c6d65746120636861727365743d7574662d383e3c703efffec328f09f3c6120687265663d222f636861727365742f6c6561662f62726f6b656e223e783c2f613e',
    type: 'text/html',
    requests: ['/charset/leaf/broken'],
  },
  'gbk-trap': {
    title: 'x',
    expect:
      'GBK lead byte before the quote (0x81 then "): decoding must not swallow the end of the attribute into another place than a browser does.',
    hex: '3c21646f63747970652068746d6c3e3c6d65746120636861727365743d67626b3e3c6120687265663d222f636861727365742f6c6561662f67626b7472617022207469746c653d2281223e783c2f613e3c6120687265663d222f636861727365742f6c6561662f67626b7472617032223e793c2f613e',
    type: 'text/html',
    requests: ['/charset/leaf/gbktrap', '/charset/leaf/gbktrap2'],
  },
  utf7: {
    title: 'x',
    expect: 'charset=utf-7: not supported by the web; windows-1252/UTF-8; +ADw- is not a tag.',
    hex: '2b4144772d6120687265663d2b4143492d2f636861727365742f6e6f2b4143492d2b4144342d782b4144772d2f612b4144342d3c6120687265663d222f636861727365742f6c6561662f75746637223e793c2f613e',
    type: 'text/html; charset=utf-7',
    requests: ['/charset/leaf/utf7'],
  },
};
for (const [k, v] of Object.entries(CS)) {
  c(
    'charset',
    '/charset/' + k,
    v.expect,
    (q, r) => {
      r.writeHead(200, v.type === undefined ? { 'content-type': 'text/html' } : { 'content-type': v.type });
      r.end(Buffer.from(v.hex, 'hex'));
    },
    { title: v.title, requests: v.requests },
  );
  for (const t of v.requests || []) put(t.split('?')[0], ROUTES.get(t.split('?')[0]) || leaf('charset leaf'));
}

/* ---------- hrefs ---------- */
const HREFS = [
  ['/href/plain.html', '/href/plain.html'],
  ['  /href/blank.html  ', '/href/blank.html'],
  ['\n/href/nl.html\n', '/href/nl.html'],
  ['/href/in\tside\n.html', '/href/inside.html'],
  ['/href/a b.html', '/href/a%20b.html'],
  ['/href/?a=1&amp;b=2', '/href/?a=1&b=2'],
  ['/href/?a=1&b=3', '/href/?a=1&b=3'],
  ['/href/?x=1&copy=2', '/href/?x=1&copy=2'],
  ['/href/&#116;est.html', '/href/test.html'],
  ['&#x2f;href&#x2f;hex.html', '/href/hex.html'],
  ['/href/тест.html', '/href/%D1%82%D0%B5%D1%81%D1%82.html'],
  ['/href/%D1%82%D0%B5%D1%81%D1%82.html', '/href/%D1%82%D0%B5%D1%81%D1%82.html'],
  ['/href/中文?键=值', '/href/%E4%B8%AD%E6%96%87?%E9%94%AE=%E5%80%BC'],
  ['/href/हिन्दी', '/href/%E0%A4%B9%E0%A4%BF%E0%A4%A8%E0%A5%8D%E0%A4%A6%E0%A5%80'],
  ['/href/a%2fb', '/href/a%2Fb (upper-case hex; stays one segment)'],
  ['/href/a%2Fb', '/href/a%2Fb'],
  ['/href/%7euser', '/href/~user'],
  ['/href/~user', '/href/~user'],
  ['/href/./d/../dot.html', '/href/dot.html'],
  ['/../../href/up.html', '/href/up.html'],
  ['/href/%2e%2e/href/enc-dots.html', '/href/enc-dots.html'],
  ['/href//double//slash.html', '/href/double/slash.html if rule 3.2 is on, else as written'],
  ['\\href\\back.html', '/href/back.html'],
  ['/href/?', '/href/ (rule 3.5)'],
  ['/href/?a&b=1', '/href/?b=1 if rule 3.6 is on'],
  ['/href/?b=1&c=2&a=3', '/href/?a=3&b=1&c=2 if rule 3.4 is on'],
  ['/href/plain.html#top', '/href/plain.html'],
  ['#here', 'this page'],
  ['', 'this page'],
  ['?q', 'this page with ?q'],
  ['HTTP://127.0.0.1:$PORT/href/abs.html', '/href/abs.html'],
  ['http:/href/one-slash.html', '/href/one-slash.html'],
  ['http:rel.html', '/href/rel.html'],
  ['//127.0.0.1:$PORT/href/proto.html', '/href/proto.html'],
  [
    'http://user:pw@127.0.0.1:$PORT/href/user.html',
    '/href/user.html, user data dropped from the node and never sent unless asked',
  ],
  ['/href/%zz', '/href/%zz as is'],
  ['/href/100%', '/href/100% as is'],
  ['/href/%00nul', '/href/%00nul; archiver must not use NUL in a name'],
  ['/href/;p=1', '/href/;p=1'],
  ['/href/emoji-😀', '/href/emoji-%F0%9F%98%80'],
  ['/href/caf\u00e9', '/href/caf%C3%A9'],
  ['/href/cafe\u0301', '/href/cafe%CC%81 (different from the line above: no Unicode normalisation)'],
  ['http://localhost:$PORT/href/other-host', 'external'],
  ['http://sub.127.0.0.1.invalid/', 'external'],
  ['https://127.0.0.1:$PORT/href/https', 'other scheme: ignored'],
  ['http://127.0.0.1:1/closed', 'other port: external'],
  ['http://пример.invalid/', 'external, host xn--e1afmkfd.invalid'],
  ['javascript:void(0)', 'ignored'],
  ['JaVaScRiPt:alert(1)', 'ignored'],
  [' java\nscript:alert(1)', 'ignored'],
  ['data:text/html,<a href=/href/no-data>x</a>', 'ignored'],
  ['mailto:a@example.invalid', 'ignored'],
  ['tel:+1', 'ignored'],
  ['ftp://127.0.0.1/x', 'ignored'],
  ['file:///etc/passwd', 'ignored'],
  ['about:blank', 'ignored'],
  ['blob:http://127.0.0.1/1', 'ignored'],
  ['http://exa mple.invalid/', 'invalid: skipped'],
  ['http://127.0.0.1:99999/', 'invalid: skipped'],
  ['http://[::1', 'invalid: skipped'],
  ['http://', 'invalid: skipped'],
];
c(
  'href',
  '/href/index',
  'One page with ' + HREFS.length + ' kinds of href; see hrefs in /__expect for each request target.',
  (q, r) =>
    html(
      page(
        'hrefs',
        HREFS.map(
          ([h, e], i) =>
            `<a id="h${i}" href="${h.replaceAll('$PORT', q.socket.localPort).replace(/"/g, '&quot;')}">${i}</a>`,
        ).join('\n'),
      ),
    )(q, r),
  { hrefs: HREFS },
);
pre('/href/', (q, r) => leaf('href ' + q.url)(q, r));
for (const [k, b, e] of [
  ['abs', '<base href="/href/based/"><a href="x">x</a>', '/href/based/x'],
  ['two', '<base href="/href/first/"><base href="/href/second/"><a href="x">x</a>', '/href/first/x'],
  ['late', '<a href="x">x</a><base href="/href/late/">', '/href/late/x'],
  ['comment', '<!--<base href="/href/no/">--><a href="x-comment">x</a>', '/href/x-comment'],
  ['target', '<base target=_blank><base href="/href/b2/"><a href="x">x</a>', '/href/b2/x'],
  [
    'other',
    '<base href="http://localhost:1/"><a href="x">ext</a><a href="http://127.0.0.1:$PORT/href/in">in</a>',
    'first external, second /href/in',
  ],
  ['data', '<base href="data:,x"><a href="x-data">x</a>', '/href/x-data (data: base ignored)'],
  ['frag', '<base href="/href/fb"><a href="#f">x</a>', '/href/fb'],
])
  c('href', '/href-base/' + k, 'base: ' + e, (q, r) =>
    html(
      page('b', '')
        .replace('<body>', '<body>')
        .replace('</title>', '</title>' + b.replaceAll('$PORT', q.socket.localPort)),
    )(q, r),
  );

/* ---------- file names (archiver) ---------- */
const NAMES = [
  '/names/..%2f..%2f..%2fetc%2fpasswd',
  '/names/%2e%2e/%2e%2e/%2e%2e/tmp/x',
  '/names/..%5c..%5cwin.ini',
  '/names/%00.html',
  '/names/a%00.png',
  '/names/CON',
  '/names/con.html',
  '/names/aux.txt',
  '/names/NUL.tar.gz',
  '/names/COM1',
  '/names/trail.',
  '/names/trail..',
  '/names/trail%20',
  '/names/%20lead',
  '/names/Case.html',
  '/names/case.html',
  '/names/CASE.html',
  '/names/' + 'n'.repeat(300) + '.html',
  '/names/' + '%D1%8F'.repeat(200) + '.html',
  '/names/col%3Aon',
  '/names/star%2A',
  '/names/quest%3Fion',
  '/names/quest?ion',
  '/names/pipe%7C',
  '/names/quo%22te',
  '/names/lt%3Cgt%3E',
  '/names/hash%23tag',
  '/names/per%25cent',
  '/names/back%5Cslash',
  '/names/-rf',
  '/names/~',
  '/names/.htaccess',
  '/names/.',
  '/names/...',
  '/names/dup',
  '/names/dup/',
  '/names/dup/index.html',
  '/names/x.html',
  '/names/x.html/',
  '/names/x.html/y',
  '/names/caf%C3%A9',
  '/names/cafe%CC%81',
  '/names/%F0%9F%98%80',
  '/names/%FF%FE',
  '/names/a?q=1&b=2',
  '/names/a?q=1&b=3',
  '/names/a?' + 'q=1&'.repeat(100),
  '/names/new%0Aline',
  '/names/tab%09',
  '/names/esc%1B%5B31m',
  '/names/rtl%E2%80%AEgpj.exe',
  '/names/a;b',
  '/names/a+b',
  '/names/a%20b',
  '/names/page.php',
  '/names/page.php?id=1',
  '/names/noext',
  '/names/wrong.jpg',
];
c(
  'names',
  '/names/index',
  NAMES.length +
    ' URLs with dangerous names, each page says its own URL. Archiver: every page readable offline at its link, nothing outside the output folder, no two URLs in one file, no name over 255 bytes, safe on Windows and on case-insensitive disks.',
  html(
    page(
      'names',
      NAMES.map((n) => `<a href="${n.replace(/&/g, '&amp;')}">${n.slice(0, 60).replace(/[<&]/g, '')}</a>`).join(
        '<br>\n',
      ),
    ),
  ),
  { names: NAMES },
);
pre('/names/', (q, r) =>
  html(page('name', `<p id="me">${q.url.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</p>`))(q, r),
);

/* ---------- markup ---------- */
const MK = [
  ['unclosed', '<div><p><a href="/mk/leaf?unclosed">x', 'one link'],
  ['eof-tag', '<a href="/mk/leaf?a">x</a><a href="/mk/leaf?b"', 'only a (tag cut at EOF is dropped)'],
  ['eof-quote', '<a href="/mk/leaf?a">x</a><a href="/mk/leaf?b>y</a>', 'only a'],
  ['noquote', '<a href=/mk/leaf?nq>x</a><A HREF=/mk/leaf?nq2 >y</A>', 'two links'],
  ['single', "<a href='/mk/leaf?s'>x</a>", 'one link'],
  ['noblank', '<a class="c"href="/mk/leaf?nb">x</a>', 'one link'],
  ['dupattr', '<a href="/mk/leaf?1" href="/mk/leaf?2">x</a>', 'first value'],
  [
    'comment',
    '<!-- <a href="/mk/no?1"> --><!--> <a href="/mk/leaf?c1">a</a><!-- x --!> <a href="/mk/leaf?c2">b</a>',
    'c1, c2; not no?1',
  ],
  [
    'condcomment',
    '<!--[if IE]><a href="/mk/no?ie"><![endif]--><![if !IE]><a href="/mk/leaf?notie">x</a><![endif]>',
    'notie only',
  ],
  [
    'script',
    '<script>var a="<a href=\\"/mk/no?s\\">";</script><a href="/mk/leaf?afterscript">x</a>',
    'afterscript only',
  ],
  ['script-esc', '<script><!-- <script> </script> --></script><a href="/mk/leaf?esc">x</a>', 'esc only'],
  ['style', '<style>a::after{content:"<a href=/mk/no>"}</style><a href="/mk/leaf?st">x</a>', 'st'],
  [
    'textarea',
    '<textarea><a href="/mk/no?t"></textarea><title><a href="/mk/no?ti"></title><a href="/mk/leaf?ta">x</a>',
    'ta',
  ],
  ['noscript', '<noscript><a href="/mk/leaf?ns">x</a></noscript>', 'graph mode: ns is a link (no scripts run)'],
  ['template', '<template><a href="/mk/no?tpl"></a></template><a href="/mk/leaf?tp">x</a>', 'tp'],
  ['plaintext', '<a href="/mk/leaf?p1">x</a><plaintext><a href="/mk/no?p2">', 'p1'],
  ['nested', '<a href="/mk/leaf?n1">x<a href="/mk/leaf?n2">y</a></a>', 'both'],
  ['table', '<table><a href="/mk/leaf?tb">x</a><tr><td>y</table>', 'tb'],
  ['select', '<select><option><a href="/mk/leaf?sel">x</a></select>', 'depends on the parser version; no crash'],
  [
    'svg',
    '<svg><a xlink:href="/mk/leaf?svg1"><text>a</text></a><a href="/mk/leaf?svg2"/></svg>',
    'svg links: documented choice',
  ],
  ['area', '<map><area href="/mk/leaf?area"></map>', '<area> is not <a>: documented choice'],
  [
    'frameset',
    '<html><frameset cols="1,1"><frame src="/mk/leaf?fr"><noframes><a href="/mk/leaf?nf">x</a></noframes></frameset></html>',
    'graph mode: no <a> in the tree',
  ],
  [
    'iframe',
    '<iframe src="/mk/frame"></iframe><iframe srcdoc="<a href=/mk/no?srcdoc>"></iframe>',
    'no arcs in graph mode; archiver saves the frame and rewrites srcdoc',
  ],
  [
    'xml',
    '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><body><a href="/mk/leaf?xml"/><br/></body></html>',
    'one link',
  ],
  ['bodies', '<body><a href="/mk/leaf?b1">1</a></body></html><html><body><a href="/mk/leaf?b2">2</a>', 'both'],
  [
    'cdata',
    '<![CDATA[<a href="/mk/no?cd">]]><a href="/mk/leaf?cd">x</a>',
    'cd: bogus comment ends at the first >, so the text after it is text',
  ],
  [
    'nofollow',
    '<meta name=robots content="nofollow"><a rel="nofollow" href="/mk/leaf?nofollow">x</a>',
    'graph: documented choice, the arc exists on the page',
  ],
  ['onclick', '<span onclick="location=\'/mk/no?oc\'">x</span><button>y</button>', 'no links'],
  ['longtext', '<a href="/mk/leaf?lt">' + 'word '.repeat(2e5) + '</a>', 'one link'],
  ['entities', '<a href="/mk/leaf?a&lt;b&quot;c&notin;d&notit;e&#0;&#x110000;">x</a>', 'no crash'],
];
for (const [k, b, e] of MK) c('mk', '/mk/' + k, e, html(b));
put('/mk/leaf', leaf('leaf'));
put('/mk/frame', html('<a href="/mk/leaf?inframe">x</a>'));

/* ---------- resources (archiver) ---------- */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC',
  'base64',
);
const IMG = (q, r) => {
  r.writeHead(200, { 'content-type': 'image/png' });
  r.end(png);
};
const CSS = (t) => (q, r) => {
  r.writeHead(200, { 'content-type': 'text/css' });
  r.end(t);
};
const JS = (t) => (q, r) => {
  r.writeHead(200, { 'content-type': 'text/javascript' });
  r.end(t);
};
pre('/res/i/', IMG);
c(
  'res',
  '/res/srcset',
  'src, every srcset candidate, picture/source, imagesrcset, poster: all saved and rewritten; descriptors kept; data: untouched.',
  html(
    page(
      'srcset',
      '<link rel=preload as=image imagesrcset="/res/i/pre1.png 1x, /res/i/pre2.png 2x"><img src="/res/i/a.png" srcset="/res/i/b.png 480w, /res/i/c,d.png 800w,/res/i/e.png 2000w" sizes="50vw"><picture><source srcset="/res/i/f.png 1x,/res/i/g.png 2x" media="(min-width:9999px)"><img src="/res/i/h.png"></picture><video poster="/res/i/p.png" src="/res/i/v.mp4"><track src="/res/i/t.vtt"></video><img srcset="data:image/gif;base64,R0lGODlhAQABAAAAACw= 1x, /res/i/k.png 2x">',
    ),
  ),
);
c(
  'res',
  '/res/css',
  'External sheet with relative url() (relative to the sheet), @import forms, fonts, image-set, comments, data:. Import cycle a>b>a and self-import end.',
  html(
    '<link rel=stylesheet href="/res/c/a.css"><link rel="alternate stylesheet" title=x href="/res/c/alt.css"><style>@import "/res/c/in.css";p{background:url("/res/i/s1.png")}</style><p style="background:url(&quot;/res/i/s2.png&quot;)" data-k=1>x</p>',
  ),
);
put(
  '/res/c/a.css',
  CSS(
    '@charset "utf-8";@import "b.css" screen;@import url(self.css);@font-face{font-family:f;src:url(../i/f.woff2) format("woff2"),url("../i/f.eot?#iefix")}.a{background:url(../i/ca.png)}.b{background-image:-webkit-image-set(url(../i/cb.png) 1x,"../i/cc.png" 2x)}/* url(/res/i/no1.png) */.c::after{content:"url(/res/i/no2.png)"}.d{background:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)}.e{filter:url(#local)}.f{background:url( "../i/a b (1).png" )}',
  ),
);
put('/res/c/b.css', CSS('@import "a.css";.x{background:url(i/../../i/cd.png)}'));
put('/res/c/self.css', CSS('@import "self.css";'));
put('/res/c/alt.css', CSS('body{color:red}'));
put('/res/c/in.css', (q, r) => CSS(INCSS)(q, r));
c(
  'res',
  '/res/svg',
  'External sprite with #fragment, <image>, SVG file with its own links. Fetch the file once, keep #id.',
  html(
    page(
      'svg',
      '<svg><use href="/res/sprite.svg#one"/><use xlink:href="/res/sprite.svg#two"/><image href="/res/i/si.png" width=9 height=9 /></svg><img src="/res/pic.svg"><object data="/res/pic.svg"></object><embed src="/res/pic.svg">',
    ),
  ),
);
const SVG = (t) => (q, r) => {
  r.writeHead(200, { 'content-type': 'image/svg+xml' });
  r.end(t);
};
put(
  '/res/sprite.svg',
  SVG(
    '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="one"><path d="M0 0h9v9z"/></symbol><symbol id="two"><path d="M0 0h9"/></symbol></svg>',
  ),
);
put(
  '/res/pic.svg',
  SVG(
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"><image xlink:href="i/sx.png" width="9" height="9"/><style>@import "c/alt.css";</style></svg>',
  ),
);
const INCSS = '.i{background:url(/res/i/ci.png)}';
c(
  'res',
  '/res/block',
  'Valid integrity= and a CSP <meta> that names this origin: fine on the live page, both would block the rewritten copy on another port. The copy must load style and image.',
  (q, r) =>
    html(
      `<meta http-equiv="Content-Security-Policy" content="default-src http://127.0.0.1:${q.socket.localPort}"><link rel=stylesheet href="/res/c/in.css" integrity="sha256-${crypto.createHash('sha256').update(INCSS).digest('base64')}"><p class=i>x</p><img src="/res/i/csp.png">`,
    )(q, r),
);
c(
  'res',
  '/res/missing',
  'A missing image (404), a missing sheet (500), one that never answers. Page is saved; links of missing things point to the live URL or a marked placeholder; report lists them.',
  html('<link rel=stylesheet href="/head/st/500"><img src="/res/none.png"><img src="/body/silent"><p>ok</p>'),
);
c(
  'res',
  '/res/frame-self',
  'Page that frames itself. No endless recursion.',
  html('<iframe src="/res/frame-self"></iframe><iframe src="/res/frame-b"></iframe>'),
);
put('/res/frame-b', html('<iframe src="/res/frame-self?x"></iframe>'));
c(
  'res',
  '/res/range',
  'Video served with byte ranges only. Archiver stores the whole file, local server answers ranges.',
  html('<video src="/res/range.mp4" controls></video>'),
);
put('/res/range.mp4', (q, r) => {
  const b = Buffer.alloc(200000, 7);
  const m = /bytes=(\d+)-(\d*)/.exec(q.headers.range || '');
  if (!m) {
    r.writeHead(200, { 'content-type': 'video/mp4', 'accept-ranges': 'bytes', 'content-length': b.length });
    return r.end(b);
  }
  const s = +m[1],
    e = m[2] ? +m[2] : b.length - 1;
  r.writeHead(206, {
    'content-type': 'video/mp4',
    'content-range': `bytes ${s}-${e}/${b.length}`,
    'content-length': e - s + 1,
  });
  r.end(b.subarray(s, e + 1));
});

/* ---------- scripts (archiver with a browser) ---------- */
const S = (k, e, b) => c('js', '/js/' + k, e, html(page(k, `<div id=o>before</div><script>${b}</script>`)));
put('/js/data.json', (q, r) => {
  r.writeHead(200, { 'content-type': 'application/json' });
  r.end('{"t":"from json"}');
});
pre('/js/i/', IMG);
S(
  'fetch',
  'fetch() result shown offline ("from json").',
  'fetch("/js/data.json").then(r=>r.json()).then(d=>o.textContent=d.t)',
);
S(
  'xhr',
  'Same with XMLHttpRequest.',
  'var x=new XMLHttpRequest();x.open("GET","/js/data.json");x.onload=()=>o.textContent=JSON.parse(x.responseText).t;x.send()',
);
S(
  'post',
  'POST with a body; the answer depends on it. Record by method+body or say it is not supported; never replay a wrong answer.',
  'fetch("/js/echo",{method:"POST",body:"hello"}).then(r=>r.text()).then(t=>o.textContent=t)',
);
put('/js/echo', (q, r) => {
  let b = '';
  q.on('data', (d) => (b += d)).on('end', () => {
    r.writeHead(200, { 'content-type': 'text/plain' });
    r.end('echo ' + b);
  });
});
S(
  'bust',
  'URL with a random cache-buster: at replay the number differs. Match without it or miss cleanly.',
  'fetch("/js/data.json?_="+Math.random()).then(r=>r.json()).then(d=>o.textContent=d.t)',
);
S(
  'now',
  'URL with Date.now().',
  'var i=new Image;i.src="/js/i/t.png?"+Date.now();i.onload=()=>o.textContent="img";document.body.append(i)',
);
S(
  'timer2',
  'Content after 2 s: must be in the copy.',
  'setTimeout(()=>{o.textContent="late";var i=new Image;i.src="/js/i/late.png";document.body.append(i)},2000)',
);
S(
  'timer20',
  'Content after 20 s: may be missed; the run must not wait for ever.',
  'setTimeout(()=>{o.textContent="too late"},20000)',
);
S(
  'poll',
  'Polls every 200 ms for ever: network never idle. Time limit.',
  'setInterval(()=>fetch("/js/data.json?p="+Date.now()),200)',
);
S(
  'scroll',
  'Loads more on scroll, 5 screens, then stops.',
  'document.body.style.height="3000px";var k=0;addEventListener("scroll",()=>{if(k<5){k++;var i=new Image;i.src="/js/i/s"+k+".png";document.body.append(i);document.body.style.height=(3000+k*1500)+"px"}})',
);
S(
  'scroll-endless',
  'Endless scroll. Bounded.',
  'var k=0;addEventListener("scroll",()=>{k++;var i=new Image;i.src="/js/i/e"+k+".png";document.body.append(i);document.body.style.height=(3000+k*1500)+"px"});document.body.style.height="3000px"',
);
S(
  'click',
  'Content behind a click. May be missed; state it.',
  'o.onclick=()=>{o.textContent="clicked";fetch("/js/data.json?click")}',
);
S('links', 'Links made by script: found in browser mode only.', 'o.innerHTML="<a href=/js/made>made</a>"');
put('/js/made', leaf('made'));
S(
  'spa',
  'history.pushState routes; /js/spa/x answers 200 only through the app (direct: 404).',
  'o.innerHTML="<a href=/js/spa/one>one</a>";onclick=e=>{e.preventDefault();history.pushState({},"","/js/spa/one");o.textContent="route one"}',
);
pre('/js/spa/', html('nf', {}, 404));
S(
  'hash',
  'Hash routes: one node (fragment dropped).',
  'onhashchange=()=>o.textContent=location.hash;o.innerHTML="<a href=#/a>a</a><a href=#/b>b</a>"',
);
S(
  'blob',
  'Image from a blob: URL. Visible offline, no request for blob:.',
  'fetch("/js/i/b.png").then(r=>r.blob()).then(b=>{var i=new Image;i.src=URL.createObjectURL(b);document.body.append(i);o.textContent="blob"})',
);
S(
  'shadow',
  'Content in a shadow root.',
  'o.attachShadow({mode:"open"}).innerHTML="<p>in shadow</p><img src=/js/i/sh.png>"',
);
S('dyn', 'dynamic import() with a computed name.', 'import("/res/js/sub/"+"x.js").then(m=>o.textContent=m.x)');
S(
  'sse',
  'EventSource that never ends. Network never idle.',
  'new EventSource("/js/sse-stream").onmessage=e=>o.textContent=e.data',
);
put('/js/sse-stream', (q, r) => {
  r.writeHead(200, { 'content-type': 'text/event-stream' });
  const t = setInterval(() => r.write('data: tick\n\n'), 500);
  r.on('close', () => clearInterval(t));
});
S('alert', 'alert/confirm/prompt in a row. Dismissed.', 'alert(1);confirm(2);prompt(3);o.textContent="after"');
S(
  'unload',
  'beforeunload dialog. Page can be closed.',
  'onbeforeunload=e=>{e.preventDefault();return e.returnValue="stay"}',
);
S(
  'popup',
  'window.open and a download started by script. Closed / not followed.',
  'window.open("/js/made?popup");var a=document.createElement("a");a.href="/js/dl";a.download="";a.click()',
);
put('/js/dl', (q, r) => {
  r.writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' });
  r.end('x');
});
S('busy', 'Busy loop: page never answers. Time limit, browser page killed, run goes on.', 'for(;;);');
S(
  'write',
  'document.write of a script and an image.',
  'document.write("<img src=/js/i/dw.png><scr"+"ipt src=/js/w.js></scr"+"ipt>")',
);
put('/js/w.js', JS('document.getElementById("o").textContent="written"'));
S(
  'nav',
  'Script leaves the page after 1 s. The copy is of a page, not of an error.',
  'setTimeout(()=>location="/js/made?nav",1000)',
);
S(
  'leak',
  'At replay no request may leave: script asks an absolute http://localhost URL.',
  'fetch("http://localhost:"+location.port+"/js/cors.json").then(r=>r.text()).then(t=>o.textContent=t,e=>o.textContent="blocked")',
);
put('/js/cors.json', (q, r) => {
  r.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
  r.end('"cors"');
});

/* ---------- politeness, errors that pass, cookies, auth ---------- */
const LP = (f) => page(f, `<a href="/rate/leaf?from=${f}">x</a>`);
put('/rate/leaf', leaf('leaf'));
c(
  'rate',
  '/rate/429',
  '429 with Retry-After: 2 on the first try, then 200. Waits at least 2 s, retries, node.',
  (q, r) => (n1('429') < 2 ? html('slow down', { 'retry-after': '2' }, 429)(q, r) : html(LP('429'))(q, r)),
);
c(
  'rate',
  '/rate/429-day',
  'Retry-After: 86400. Cap: give up this page (or the host), end in reasonable time, state saved.',
  html('x', { 'retry-after': '86400' }, 429),
);
c('rate', '/rate/429-bad', 'Retry-After: soon. Ignore the value, back off.', (q, r) =>
  n1('429b') < 2 ? html('x', { 'retry-after': 'soon' }, 429)(q, r) : html(LP('429b'))(q, r),
);
c('rate', '/rate/503-flap', '503 on every other request. Retry gives 200: a node.', (q, r) =>
  n1('flap') % 2 ? html('x', {}, 503)(q, r) : html(LP('flap'))(q, r),
);
c('rate', '/rate/503', 'Always 503. Limited tries, then error.', html('x', {}, 503));
c('rate', '/rate/conn-flap', 'Connection reset twice, then 200.', (q, r) =>
  n1('conn') < 3 ? r.socket.resetAndDestroy() : html(LP('conn'))(q, r),
);
c(
  'rate',
  '/rate/cookie',
  'Cookie wall: without k=1 a 200 page "enable cookies"; sets it on the first visit.',
  (q, r) =>
    /k=1/.test(q.headers.cookie || '')
      ? html(LP('cookie'))(q, r)
      : html(page('wall', 'enable cookies <a href="/rate/cookie">retry</a>'), { 'set-cookie': 'k=1; Path=/rate' })(
          q,
          r,
        ),
);
c(
  'rate',
  '/rate/cookie-scope',
  'Cookies for another domain/path or Secure must not come back. Page shows what came.',
  (q, r) =>
    html(
      page('ck', `<p id=c>${(q.headers.cookie || '').replace(/</g, '')}</p><a href="/rate/cookie-scope?2">again</a>`),
      {
        'set-cookie': ['bad=1; Domain=example.com', 'sec=1; Secure', 'far=1; Path=/other', 'old=1; Max-Age=0', 'ok=1'],
      },
    )(q, r),
);
c(
  'rate',
  '/rate/auth',
  '401 Basic. No node; no password prompt; credentials never guessed.',
  html('x', { 'www-authenticate': 'Basic realm="x"' }, 401),
);
put('/blocked/x', leaf('blocked'));
put('/blocked/', leaf('blocked'));

/* ---------- robots.txt modes: one port each with --all-robots ---------- */
const RT =
  (body, h = {}, st = 200) =>
  (q, r) => {
    r.writeHead(st, { 'content-type': 'text/plain', ...h });
    r.end(body);
  };
const RULE = 'User-agent: *\nDisallow: /blocked/\n';
const ROBOTS = {
  ok: [RT(RULE + 'Crawl-delay: 0\nSitemap: /sitemap.xml\n'), 'Plain. /blocked/ not fetched.'],
  404: [RT('nope', {}, 404), '404: everything allowed (RFC 9309 2.3.1.3).'],
  403: [RT('nope', {}, 403), '403: 4xx = unavailable = everything allowed by the RFC (401/403 included).'],
  429: [
    RT('nope', { 'retry-after': '1' }, 429),
    '429 is a 4xx by the letter; a careful crawler treats it as 5xx: wait and ask again.',
  ],
  500: [RT('oops', {}, 500), '500: unreachable = complete disallow; nothing else fetched (RFC 2.3.1.4); retry later.'],
  redirect: [redir('/robots-real.txt', 301), 'Redirect (same host): follow at least 5 hops; /blocked/ not fetched.'],
  loop: [redir('/robots.txt'), 'Redirect loop: more than 5 hops = may be treated as unavailable (allow).'],
  'other-host': [
    (q, r) => redir(`http://localhost:${q.socket.localPort}/robots-real.txt`)(q, r),
    'Redirect to another host: followed, rules apply to the first host.',
  ],
  huge: [
    (q, r) => {
      r.writeHead(200, { 'content-type': 'text/plain' });
      r.write(RULE);
      for (let i = 0; i < 20000; i++) r.write(`Disallow: /zz${i}/${'x'.repeat(80)}\n`);
      r.end('Disallow: /late/\n');
    },
    '2 MB: at least the first 500 KiB must be used; /blocked/ not fetched; fast.',
  ],
  bom: [RT('\ufeff' + RULE), 'UTF-8 BOM before the first line: rules hold.'],
  crlf: [RT(RULE.replaceAll('\n', '\r')), 'CR-only line ends: rules hold.'],
  utf16: [
    (q, r) => {
      r.writeHead(200, { 'content-type': 'text/plain; charset=utf-16' });
      r.end(Buffer.from('\ufeff' + RULE, 'utf16le'));
    },
    'UTF-16 file. RFC wants UTF-8; decode by BOM or ignore; no crash.',
  ],
  html: [
    html(page('Home', 'welcome')),
    '200 text/html home page instead of rules: no valid lines = everything allowed.',
  ],
  empty: [RT(''), 'Empty: everything allowed.'],
  gzip: [
    (q, r) => {
      r.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
      r.end(gz(RULE));
    },
    'gzip-coded: decode.',
  ],
  slow: [(q, r) => setTimeout(() => RT(RULE)(q, r), 5000), '5 s delay: wait (not forever).'],
  silent: [() => {}, 'Never answers: time out = unreachable = disallow.'],
  reset: [(q, r) => r.socket.resetAndDestroy(), 'Connection reset: unreachable = disallow.'],
  all: [RT('User-agent: *\nDisallow: /\n'), 'All disallowed: not even / is fetched; the run says so.'],
  own: [
    RT('User-agent: *\nDisallow: /\n\nUser-agent: $UA\nDisallow: /blocked/\n'),
    '$UA is replaced by --ua NAME: own group only.',
  ],
  delay: [RT(RULE + 'Crawl-delay: 1\n'), 'Crawl-delay 1: at least 1 s between requests (check times in /__log).'],
  binary: [
    (q, r) => {
      r.writeHead(200, { 'content-type': 'application/octet-stream' });
      r.end(Buffer.alloc(5000, 0xff));
    },
    'Rubbish bytes: allowed, no crash.',
  ],
};
put('/robots-real.txt', RT(RULE));

/* ---------- plumbing ---------- */
const esc = (s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
const groups = [...new Set(CASES.map((x) => x.group))];
function handle(mode) {
  return (q, r) => {
    INFLIGHT++;
    MAXINFLIGHT = Math.max(MAXINFLIGHT, INFLIGHT);
    r.on('close', () => INFLIGHT--);
    r.on('error', () => {});
    q.on('error', () => {});
    const u = new URL(q.url.startsWith('/') ? 'http://x' + q.url.replace(/^\/+/, '/') : 'http://x/'),
      p = q.url.split('?')[0];
    if (p === '/__expect') {
      r.writeHead(200, { 'content-type': 'application/json' });
      return r.end(
        JSON.stringify(
          {
            count: CASES.length,
            groups,
            cases: CASES,
            robots: Object.fromEntries(Object.entries(ROBOTS).map(([k, v]) => [k, v[1]])),
          },
          null,
          1,
        ),
      );
    }
    if (p === '/__log') {
      r.writeHead(200, { 'content-type': 'application/json' });
      return r.end(JSON.stringify({ maxInflight: MAXINFLIGHT, requests: LOG }));
    }
    if (p === '/__reset') {
      LOG = [];
      COUNT = {};
      MAXINFLIGHT = 0;
      r.writeHead(204);
      return r.end();
    }
    LOG.push({
      t: Date.now(),
      mode,
      host: q.headers.host,
      method: q.method,
      url: q.url,
      ua: q.headers['user-agent'],
      cookie: q.headers.cookie,
      referer: q.headers.referer,
    });
    if (p === '/robots.txt') {
      const h = ROBOTS[mode][0];
      if (mode === 'own')
        return RT('User-agent: *\nDisallow: /\n\nUser-agent: ' + arg('ua', 'crawler') + '\nDisallow: /blocked/\n')(
          q,
          r,
        );
      return h(q, r);
    }
    if (p === '/')
      return html(
        page(
          'hostile',
          groups.map((g) => `<a href="/g/${g}/">${g}</a>`).join(' ') +
            (mode === 'ok' ? '' : '<a href="/blocked/x">blocked</a><a href="/rate/leaf">leaf</a>'),
        ),
      )(q, r);
    const gm = /^\/g\/([a-z]+)\/$/.exec(p);
    if (gm && groups.includes(gm[1]))
      return html(
        page(
          gm[1],
          CASES.filter((x) => x.group === gm[1] && x.link !== false)
            .map((x) => `<p><a href="${esc(x.path)}">${esc(x.path)}</a> ${esc(x.expect)}</p>`)
            .join('\n'),
        ),
      )(q, r);
    const up = (s) => s.replace(/%[0-9a-f]{2}/gi, (m) => m.toUpperCase());
    const h = ROUTES.get(q.url) || ROUTES.get(p) || ROUTES.get(up(p));
    if (h) return h(q, r, u);
    const f = PREFIX.filter((x) => p.startsWith(x[0])).sort((a, b) => b[0].length - a[0].length)[0];
    if (f) return f[1](q, r, u);
    html(page('404', 'not here'), {}, 404)(q, r);
  };
}
process.on('uncaughtException', (e) => {
  if (!/ECONNRESET|EPIPE|ERR_STREAM|write after end/.test(String(e))) console.error(e);
});
const start = (mode, port) =>
  new Promise((ok) => {
    const s = http.createServer(
      { insecureHTTPParser: true, maxHeaderSize: 1 << 20, keepAliveTimeout: 5000, requestTimeout: 0 },
      handle(mode),
    );
    s.on('clientError', (e, k) => k.destroy());
    s.listen(port, HOST, () => ok(s.address().port));
  });
const out = { main: await start(arg('robots', 'ok'), +arg('port', 0)), robots: {} };
if (process.argv.includes('--all-robots')) for (const m of Object.keys(ROBOTS)) out.robots[m] = await start(m, 0);
console.log(JSON.stringify(out));
