import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { status } from '../transport/fake-transport.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { TestHttpsServer, makeCertificates, sendJson } from '../transport/fake-https-server.ts'
import { Reflector } from './reflector.ts'
import type { ReflectorStatus } from './reflector.ts'
import { UndiciTransport } from '../transport/undici-transport.ts'

/** Just enough of an API server: pods by name, a log of changes, watches that replay it. */
class PodServer {
  readonly #pods = new Map<string, Pod>()
  readonly #changes: { readonly version: number; readonly line: string }[] = []
  readonly #watches = new Set<ServerResponse>()
  #version = 100
  #oldest = 0
  readonly requests: string[] = []

  constructor(https: TestHttpsServer) {
    https.handler = (request, response) => {
      const url = new URL(request.url ?? '', https.url)
      const from = Number(url.searchParams.get('resourceVersion'))
      const isWatch = url.searchParams.get('watch') === 'true'
      this.requests.push(isWatch ? `watch from ${from}` : 'list')
      if (!isWatch) this.#list(response)
      else if (from < this.#oldest) sendJson(response, 410, status(410, 'Expired', 'too old'))
      else this.#watch(response, from)
    }
  }

  write(type: 'ADDED' | 'MODIFIED' | 'DELETED', name: string): void {
    const version = ++this.#version
    const pod: Pod = {
      metadata: {
        name,
        namespace: 'default',
        uid: `uid-${name}`,
        resourceVersion: String(version),
      },
      spec: { containers: [] },
    }
    if (type === 'DELETED') this.#pods.delete(name)
    else this.#pods.set(name, pod)
    const line = `${JSON.stringify({ type, object: pod })}\n`
    this.#changes.push({ version, line })
    for (const watch of this.#watches) watch.write(line)
  }

  /** Forgets what happened: a watch from before gets 410. */
  compact(): void {
    this.#oldest = this.#version
    this.#changes.length = 0
  }

  #list(response: ServerResponse): void {
    sendJson(response, 200, {
      metadata: { resourceVersion: String(this.#version) },
      items: [...this.#pods.values()],
    })
  }

  #watch(response: ServerResponse, from: number): void {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    for (const { version, line } of this.#changes) if (version > from) response.write(line)
    this.#watches.add(response)
    response.on('close', () => this.#watches.delete(response))
  }

  endWatches(): void {
    for (const watch of this.#watches) watch.end()
    this.#watches.clear()
  }
}

describe('Reflector over a real HTTPS server', () => {
  let https: TestHttpsServer
  let server: PodServer
  let clock: VirtualClock
  let transport: UndiciTransport
  let reflector: Reflector<'pods'>
  const statuses: ReflectorStatus['kind'][] = []

  beforeEach(async () => {
    const certificates = await makeCertificates()
    https = new TestHttpsServer(certificates)
    await https.listen()
    server = new PodServer(https)
    transport = new UndiciTransport({
      server: https.url,
      credentials: {
        get: () =>
          Promise.resolve({ tls: { ca: certificates.ca, rejectUnauthorized: true }, headers: {} }),
        refused: () => undefined,
      },
    })
    // Fifty times as fast as real time, so that back-off does not make the test slow.
    clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    clock.setSpeed(50)
    clock.run()
    statuses.length = 0
    reflector = new Reflector({
      transport,
      resource: 'pods',
      clock,
      random: seededRandom(7),
      log: new FakeLog(),
      idleTimeoutMs: 600_000,
      onChange: () => undefined,
      onStatus: ({ kind }) => statuses.push(kind),
    })
  })

  afterEach(async () => {
    reflector.stop()
    clock.pause()
    await transport.close()
    await https.close()
  })

  function names(): readonly string[] {
    return [...reflector.store.values()].map(({ metadata }) => metadata.name).toSorted()
  }

  async function sees(...expected: readonly string[]): Promise<void> {
    await vi.waitFor(
      () => {
        expect(names()).toEqual(expected)
      },
      { timeout: 30_000, interval: 5 },
    )
  }

  it('misses no change while connections drop, watches end and resource versions expire', async () => {
    server.write('ADDED', 'a')
    reflector.start()
    await sees('a')
    server.write('ADDED', 'b')
    await sees('a', 'b')

    https.dropConnections()
    server.write('ADDED', 'c')
    server.write('DELETED', 'a')
    await sees('b', 'c')
    expect(server.requests.filter((request) => request === 'list')).toHaveLength(1)

    server.endWatches()
    server.write('ADDED', 'd')
    await sees('b', 'c', 'd')

    https.dropConnections()
    server.write('DELETED', 'b')
    server.compact()
    server.write('ADDED', 'e')
    await sees('c', 'd', 'e')
    expect(server.requests.filter((request) => request === 'list')).toHaveLength(2)
  })

  it('waits for an unavailable server and continues when it is back', async () => {
    reflector.start()
    await vi.waitFor(() => {
      expect(server.requests).toContain('watch from 100')
    })
    const { port } = https
    await https.close()
    await vi.waitFor(() => {
      expect(statuses.filter((kind) => kind === 'away').length).toBeGreaterThan(2)
    })
    server.write('ADDED', 'a')
    await https.listen(port)
    await sees('a')
    expect(statuses[0]).toBe('connected')
    expect(statuses.at(-1)).toBe('connected')
    expect(server.requests.filter((request) => request === 'list')).toHaveLength(1)
  })
})
