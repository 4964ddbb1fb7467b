import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** Path of the nginx binary, undefined when this machine has none. */
export function findNginx() {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin', '/sbin'];
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => path.join(folder, 'nginx'))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * Serves folders with nginx, each on a free loopback port, until `stop`.
 * `synthetic` adds the two rules of the synthetic site: `/r/<q>/<i>` redirects to page i, `/files/` answers with a PDF type.
 */
export async function startNginx(sites) {
  const binary = findNginx();
  if (binary === undefined) throw new Error('nginx is not installed (apt-get install nginx-light)');
  for (let attempt = 1; ; attempt++) {
    const ports = await freePorts(sites.length);
    const server = await launch(binary, sites, ports);
    if (server !== undefined) return server;
    if (attempt === 3) throw new Error('nginx does not start');
  }
}

async function launch(binary, sites, ports) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'orbweaver-nginx-'));
  const configFile = path.join(folder, 'nginx.conf');
  writeFileSync(configFile, configuration(folder, sites, ports));
  const child = spawn(binary, ['-c', configFile, '-p', folder, '-e', path.join(folder, 'error.log')], {
    stdio: 'ignore',
  });
  let hasEnded = false;
  const ended = new Promise((resolve) => {
    child.once('close', resolve);
    child.once('error', resolve);
  }).then(() => {
    hasEnded = true;
    process.off('exit', killOnExit);
    rmSync(folder, { recursive: true, force: true });
  });
  const killOnExit = () => child.kill('SIGKILL');
  process.once('exit', killOnExit);
  const stop = async () => {
    if (!hasEnded) child.kill('SIGTERM');
    await ended;
  };
  for (let wait = 0; wait < 200; wait++) {
    if (hasEnded) return undefined;
    if ((await Promise.all(ports.map(isOpen))).every(Boolean)) {
      return { origins: ports.map((port) => `http://127.0.0.1:${port}`), ports, pid: child.pid, stop };
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await stop();
  return undefined;
}

function configuration(folder, sites, ports) {
  const isRoot = process.getuid?.() === 0;
  const servers = sites.map(({ dir, synthetic = false }, index) => {
    const rules = synthetic
      ? `location ~ ^/r/(\\d+)/(\\d+)$ { return 301 /d$1/p$2.html; }
    location /files/ { default_type application/pdf; try_files $uri @file; }
    location @file { default_type application/pdf; return 200 'file'; }`
      : '';
    return `server {
    listen 127.0.0.1:${ports[index]} backlog=4096; server_name _; root "${dir}"; index index.html index.htm index.en.html;
    ${rules}
  }`;
  });
  return `worker_processes 1; master_process off; daemon off; pid ${folder}/pid; error_log ${folder}/error.log crit;
${isRoot ? 'user root;' : ''}
events { worker_connections 4096; }
http {
  include /etc/nginx/mime.types; default_type application/octet-stream; sendfile on; tcp_nopush on;
  keepalive_requests 1000000; access_log off; gzip off; charset off; autoindex off;
  client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  ${servers.join('\n  ')}
}
`;
}

async function freePorts(count) {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((resolve, reject) => {
          const server = net.createServer();
          server.once('error', reject);
          server.listen(0, '127.0.0.1', () => resolve(server));
        }),
    ),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function isOpen(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
