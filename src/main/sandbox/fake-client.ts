import { isJsonObject, objectAt, objectsAt, textAt } from '../../shared/json.ts'
import type { JsonObject } from '../../shared/json.ts'
import type { HttpMethod, KubeRequest, WatchEvent } from '../../shared/kubernetes/request.ts'
import type { TraceInput } from '../../shared/model/trace-event.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { seededRandom } from '../clock/seeded-random.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import type { Log } from '../kubelet/ports.ts'
import { SandboxApiServer } from './api-server.ts'
import type { ApiServerLimits, Caller } from './api-server.ts'
import type { KeptObjects } from './object-store.ts'

/** When the tests' clocks start. */
export const startAt = Date.UTC(2026, 0, 1)

export const admin: Caller = { user: 'admin', groups: ['system:masters'], client: 'kubectl' }

export function nodeCaller(name: string): Caller {
  return { user: `system:node:${name}`, groups: ['system:nodes'], client: 'kubelet' }
}

/** An answer as tests look at it. */
export interface Answer {
  readonly code: number
  readonly body: JsonObject
  readonly message: string
}

/** What a watch has shown so far. */
export class WatchLog {
  readonly events: WatchEvent[] = []
  isEnded = false
  readonly stop: () => void

  constructor(stream: { readonly events: AsyncIterable<WatchEvent>; readonly stop: () => void }) {
    this.stop = stream.stop
    void this.#read(stream.events)
  }

  async #read(events: AsyncIterable<WatchEvent>): Promise<void> {
    for await (const event of events) this.events.push(event)
    this.isEnded = true
  }

  /** `ADDED web` for each event, once everything that can arrive now has arrived. */
  async seen(): Promise<readonly string[]> {
    await nodeClockHost.turn()
    return this.events.map(({ type, object }) => {
      const body = isJsonObject(object) ? object : {}
      const name = textAt(objectAt(body, 'metadata'), 'name') || textAt(body, 'reason')
      return name === '' ? type : `${type} ${name}`
    })
  }
}

const patchTypes = {
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
} as const

/** A client of one server for tests: short calls, whole answers. */
export class FakeClient {
  readonly #server: SandboxApiServer
  readonly #caller: Caller

  constructor(server: SandboxApiServer, caller: Caller) {
    this.#server = server
    this.#caller = caller
  }

  async send(
    method: HttpMethod,
    path: string,
    options: Pick<KubeRequest, 'body' | 'query' | 'headers' | 'causes'> = {},
  ): Promise<Answer> {
    const response = await this.#server.handle({ method, path, ...options }, this.#caller)
    if (response.kind === 'watch') throw new Error('a watch')
    const body = isJsonObject(response.body) ? response.body : { text: response.body }
    return { code: response.status, body, message: textAt(body, 'message') }
  }

  get(path: string, query: Record<string, string> = {}): Promise<Answer> {
    return this.send('GET', path, { query })
  }

  async names(path: string, query: Record<string, string> = {}): Promise<readonly string[]> {
    const { body } = await this.get(path, query)
    return objectsAt(body, 'items').map((item) => textAt(objectAt(item, 'metadata'), 'name'))
  }

  post(path: string, body: unknown, query: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', path, { body, query })
  }

  put(path: string, body: unknown, query: Record<string, string> = {}): Promise<Answer> {
    return this.send('PUT', path, { body, query })
  }

  patch(
    path: string,
    body: unknown,
    type: keyof typeof patchTypes = 'strategic',
    query: Record<string, string> = {},
  ): Promise<Answer> {
    return this.send('PATCH', path, { body, query, headers: { 'content-type': patchTypes[type] } })
  }

  delete(path: string, body?: unknown, query: Record<string, string> = {}): Promise<Answer> {
    return this.send('DELETE', path, { query, ...(body === undefined ? {} : { body }) })
  }

  async watch(
    path: string,
    query: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<WatchLog> {
    const request: KubeRequest = { method: 'GET', path, query: { watch: '1', ...query }, headers }
    const response = await this.#server.handle(request, this.#caller)
    if (response.kind !== 'watch') throw new Error(`no watch: ${JSON.stringify(response)}`)
    return new WatchLog(response.stream)
  }
}

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

/** A server on a clock of its own, with what it traced. */
export interface ServerUnderTest {
  readonly clock: VirtualClock
  readonly server: SandboxApiServer
  readonly traced: TraceInput[]
  readonly client: FakeClient
  readonly as: (caller: Caller) => FakeClient
}

export function serverUnderTest(
  options: {
    readonly seed?: number
    readonly limits?: ApiServerLimits
    readonly enforcesRbac?: boolean
    readonly kept?: KeptObjects
  } = {},
): ServerUnderTest {
  const clock = new VirtualClock(nodeClockHost, { startAt })
  const traced: TraceInput[] = []
  const server = new SandboxApiServer({
    clock,
    random: seededRandom(options.seed ?? 1),
    trace: { emit: (input) => traced.push(input) },
    log: silentLog,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    enforcesRbac: options.enforcesRbac ?? false,
    kept: options.kept,
  })
  const as = (caller: Caller): FakeClient => new FakeClient(server, caller)
  return { clock, server, traced, as, client: as(admin) }
}

export const pods = '/api/v1/namespaces/default/pods'
export const nodes = '/api/v1/nodes'
export const namespaces = '/api/v1/namespaces'
export const configMaps = '/api/v1/namespaces/default/configmaps'
export const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'

/** A pod with one container, on node n1 unless the spec says otherwise. */
export function pod(
  name: string,
  spec: Record<string, unknown> = {},
  metadata: Record<string, unknown> = {},
): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'x:1' }], ...spec },
  }
}

/** The metadata of an answer. */
export function metadataOf(answer: Answer): JsonObject {
  return objectAt(answer.body, 'metadata')
}
