import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import { systemClock } from '../../src/main/clock/system-clock.ts'
import { UndiciTransport } from '../../src/main/cluster/transport/undici-transport.ts'
import { SandboxApiServer } from '../../src/main/sandbox/api-server.ts'
import type { Caller } from '../../src/main/sandbox/api-server.ts'
import { startHttpsListener } from '../../src/main/sandbox/surface/https-listener.ts'
import { quietLog } from './quiet.ts'

export const nodeName = 'bench-node'

export const admin: Caller = {
  user: 'bench-admin',
  groups: ['system:masters', 'system:authenticated'],
  client: 'bench',
}

export const node: Caller = {
  user: `system:node:${nodeName}`,
  groups: ['system:nodes', 'system:authenticated'],
  client: 'kubelet',
}

/** The sandbox's API server alone, on the system clock; no control plane. */
export function makeServer(): SandboxApiServer {
  return new SandboxApiServer({
    clock: systemClock,
    random: seededRandom(1),
    trace: { emit: () => 0 },
    log: quietLog,
    limits: { eventsPerResource: 50_000, eventsPerWatch: 50_000 },
  })
}

interface Address {
  readonly url: string
  readonly caPem: string
}

/** A server in its own process, over HTTPS. */
export class ServerProcess {
  readonly #child: ChildProcess
  readonly #address: Address

  constructor(child: ChildProcess, address: Address) {
    this.#child = child
    this.#address = address
  }

  static async start(program: string): Promise<ServerProcess> {
    const child = fork(program, ['serve'], { execArgv: ['--expose-gc'] })
    const address = await new Promise<Address>((resolve) => {
      child.once('message', (message) => {
        // The other end is `serve` below.
        resolve(message as Address)
      })
    })
    return new ServerProcess(child, address)
  }

  transport(token: 'admin' | 'node'): UndiciTransport {
    return new UndiciTransport({
      server: this.#address.url,
      credentials: {
        get: () =>
          Promise.resolve({
            tls: { ca: this.#address.caPem, rejectUnauthorized: true },
            headers: { authorization: `Bearer ${token}` },
          }),
        refused: () => undefined,
      },
    })
  }

  get url(): string {
    return this.#address.url
  }

  /** Bytes of heap in use after collecting. */
  async heap(): Promise<number> {
    return await new Promise((resolve) => {
      this.#child.once('message', (bytes) => {
        resolve(Number(bytes))
      })
      this.#child.send('heap')
    })
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }
}

/** Bytes of heap in use after collecting; needs --expose-gc. */
export function collectedHeap(): number {
  for (let round = 0; round < 4; round++) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** The other process: serves until it is killed. */
export async function serve(): Promise<void> {
  const listener = await startHttpsListener({
    server: makeServer(),
    port: 0,
    clock: systemClock,
    credentials: new Map([
      ['admin', admin],
      ['node', node],
    ]),
    log: quietLog,
  })
  if (!listener.ok) throw new Error(listener.error.message)
  process.on('message', () => {
    process.send?.(collectedHeap())
  })
  process.on('disconnect', () => {
    process.exit(0)
  })
  process.send?.({ url: listener.value.url, caPem: listener.value.caPem })
}
