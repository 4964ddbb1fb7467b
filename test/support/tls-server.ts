import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Server } from 'node:tls';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A self-signed certificate for `localhost`; by default valid today. */
export function makeCertificate(options: { readonly name?: string; readonly days?: number } = {}): Certificate {
  const { name = 'localhost', days = 2 } = options;
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-tls-'));
  try {
    const key = join(folder, 'key.pem');
    const cert = join(folder, 'cert.pem');
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
    execFileSync('openssl', [...request, '-keyout', key, '-out', cert, '-days', String(days), ...subject], {
      stdio: 'pipe',
    });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export type SecureRoute = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** An https server on 127.0.0.1, speaking HTTP/2 and HTTP/1.1, or HTTP/1.1 alone. */
export class TlsServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(
    certificate: Certificate,
    route: SecureRoute,
    options: { readonly http2?: boolean } = {},
  ): Promise<TlsServer> {
    const server =
      options.http2 === false
        ? createServer(certificate, route as unknown as RequestListener)
        : createSecureServer({ ...certificate, allowHTTP1: true }, route);
    const tls = new TlsServer(server);
    server.on('connection', (socket: Socket) => {
      tls.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => tls.#sockets.delete(socket));
    });
    server.on('sessionError', () => undefined);
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return tls;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** By name: the certificate is for `localhost`. */
  get origin(): string {
    return `https://localhost:${this.port}`;
  }

  dropConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.dropConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
