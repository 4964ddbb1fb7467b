import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface HostileServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`: all cases. */
  readonly origin: string;
  /** Origins by robots.txt mode, with `--all-robots`. */
  readonly robots: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts the hostile site in a process of its own; arguments as in its head comment. */
export async function openHostileServer(args: readonly string[] = []): Promise<HostileServer> {
  const script = fileURLToPath(new URL('hostile-server.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const ports = JSON.parse(line) as { main: number; robots: Record<string, number> };
  const close = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  return {
    origin: originOf(ports.main),
    robots: Object.fromEntries(Object.entries(ports.robots).map(([mode, port]) => [mode, originOf(port)])),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function originOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
