import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Answers each request with bytes as given, whether they are HTTP or not. */
export class RawServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  connections = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** `onRequest` is called for each request head that came in whole. */
  static async open(onRequest: (socket: Socket, head: string) => void): Promise<RawServer> {
    const server = createServer();
    const raw = new RawServer(server);
    server.on('connection', (socket) => {
      raw.connections++;
      raw.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => raw.#sockets.delete(socket));
      let text = '';
      socket.on('data', (data) => {
        text += data.toString('latin1');
        for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
          const head = text.slice(0, end);
          text = text.slice(end + 4);
          onRequest(socket, head);
        }
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return raw;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
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
}
