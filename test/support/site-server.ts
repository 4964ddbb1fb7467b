import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface SeenRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly at: number;
}

export type Route = string | Buffer | ((request: IncomingMessage, response: ServerResponse) => void);

/** A real web server on 127.0.0.1 whose answers a test sets path by path. Text is served as HTML; an unknown path is 404. */
export class SiteServer {
  readonly requests: SeenRequest[] = [];
  readonly #server: Server;
  readonly #routes = new Map<string, Route>();
  readonly #sockets = new Set<Socket>();
  /** Connections accepted so far. */
  connections = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(routes: Readonly<Record<string, Route>> = {}): Promise<SiteServer> {
    const server = createServer({ keepAliveTimeout: 5_000, requestTimeout: 0 });
    const site = new SiteServer(server);
    for (const [path, route] of Object.entries(routes)) site.setRoute(path, route);
    server.on('request', site.#answer);
    server.on('connection', (socket: Socket) => {
      site.connections++;
      site.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => site.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return site;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Connections open now. */
  get openSockets(): number {
    return this.#sockets.size;
  }

  /** `path` with or without its query; with it is looked for first. */
  setRoute(path: string, route: Route): void {
    this.#routes.set(path, route);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  readonly #answer: RequestListener = (request, response) => {
    const url = request.url ?? '/';
    this.requests.push({ url, headers: request.headers, at: performance.now() });
    const route = this.#routes.get(url) ?? this.#routes.get(url.split('?')[0] ?? '');
    if (typeof route === 'function') {
      route(request, response);
      return;
    }
    response.writeHead(route === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(route ?? 'not here');
  };
}
