import { readFile } from 'node:fs/promises'
import { Agent, request, type Dispatcher } from 'undici'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { SandboxApiServer, type Caller } from '../../../src/main/sandbox/api-server.ts'
import { startHttpsListener } from '../../../src/main/sandbox/surface/https-listener.ts'
import { sandboxKubeconfig } from '../../../src/main/sandbox/surface/kubeconfig-file.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { findParts, startControlPlane } from '../control-plane.ts'
import type { Upstream } from '../faulty-proxy.ts'
import type { PartName } from '../parts.ts'

/** An API server for nodes with connection faults. */
export interface OutageServer {
  readonly name: string
  /** A request of an administrator, without a proxy. */
  readonly ask: (method: Dispatcher.HttpMethod, path: string, body?: unknown) => Promise<Answer>
  /** A proxy's connection to it with the node's identity. */
  readonly upstreamOf: (node: string) => Promise<Upstream>
  readonly kubeconfigOf: (node: string) => Promise<string>
  /** A node's writes in the audit log, once it has this number; undefined: no audit log. */
  readonly audited:
    | ((
        node: string,
        count: number,
        counts: (path: string) => boolean,
      ) => Promise<readonly AuditedWrite[]>)
    | undefined
  readonly stop: () => Promise<void>
}

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** A write that the server accepted. */
export interface AuditedWrite {
  readonly method: string
  readonly path: string
}

const auditWithinMs = 30_000

const methods: Readonly<Record<string, string>> = {
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
}

function asking(url: string, dispatcher: Dispatcher, headers: Record<string, string> = {}) {
  return async (
    method: Dispatcher.HttpMethod,
    path: string,
    content?: unknown,
  ): Promise<Answer> => {
    const { statusCode, body } = await request(`${url}${path}`, {
      dispatcher,
      method,
      headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
      body: content === undefined ? null : JSON.stringify(content),
    })
    return { status: statusCode, body: await body.json() }
  }
}

/** The sandbox behind its listener; a node's token is its name. */
export async function startSandboxServer(nodes: readonly string[]): Promise<OutageServer> {
  const clock = new VirtualClock(nodeClockHost, { startAt: Date.now() })
  const log = new FakeLog()
  const server = new SandboxApiServer({
    clock,
    random: seededRandom(1),
    trace: { emit: () => 0 },
    log,
  })
  const admin: Caller = { user: 'admin', groups: ['system:masters'], client: 'test' }
  const credentials = new Map([['admin', admin]])
  for (const node of nodes) {
    const groups = ['system:nodes', 'system:authenticated']
    credentials.set(node, { user: `system:node:${node}`, groups, client: 'kubelet' })
  }
  const listener = await startHttpsListener({ server, port: 0, clock, credentials, log })
  if (!listener.ok) throw new Error(listener.error.message)
  clock.run()
  const { url, caPem } = listener.value
  const dispatcher = new Agent({ connect: { ca: caPem } })
  const ask = asking(url, dispatcher, { authorization: 'Bearer admin' })
  await ask('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } })
  return {
    name: 'the sandbox',
    ask,
    upstreamOf: (node) =>
      Promise.resolve({
        url,
        dispatcher: new Agent({ connect: { ca: caPem }, headersTimeout: 0, bodyTimeout: 0 }),
        headers: { authorization: `Bearer ${node}` },
      }),
    kubeconfigOf: (node) =>
      Promise.resolve(sandboxKubeconfig({ url, caPem, clusterName: 'sandbox', token: node })),
    audited: undefined,
    stop: async () => {
      await dispatcher.destroy()
      clock.pause()
      await listener.value.stop()
    },
  }
}

/** kube-apiserver and etcd, if they are installed, with an audit log. */
export async function startKubeApiserver(
  nodes: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<OutageServer | { readonly missing: readonly PartName[] }> {
  const found = await findParts(['etcd', 'kube-apiserver'], environment)
  if ('missing' in found) return found
  const plane = await startControlPlane({ environment, audit: true, nodes })
  const { certificatePem: cert, keyPem: key } = plane.admin
  const dispatcher = new Agent({ connect: { ca: plane.caPem, cert, key } })
  const kubeconfigFile = (node: string): string => plane.nodeKubeconfigs.get(node) ?? ''
  return {
    name: 'kube-apiserver',
    ask: asking(plane.url, dispatcher),
    upstreamOf: async (node) => {
      const tls = await certificateOf(kubeconfigFile(node))
      const connect = { ca: plane.caPem, ...tls }
      const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 })
      return { url: plane.url, dispatcher: agent, headers: {} }
    },
    kubeconfigOf: (node) => readFile(kubeconfigFile(node), 'utf8'),
    audited: async (node, count, counts) => {
      const limit = Date.now() + auditWithinMs
      for (;;) {
        const log = await readFile(plane.auditLog ?? '', 'utf8')
        const writes = auditedWrites(log, node).filter(({ path }) => counts(path))
        // It is written after the response was sent.
        if (writes.length >= count || Date.now() > limit) return writes
        await new Promise((resolve) => {
          setTimeout(resolve, 100)
        })
      }
    },
    stop: async () => {
      await dispatcher.destroy()
      await plane.stop()
    },
  }
}

async function certificateOf(
  file: string,
): Promise<{ readonly cert: string; readonly key: string }> {
  const text = await readFile(file, 'utf8')
  const pem = (field: string): string => {
    const base64 = new RegExp(`${field}: (\\S+)`).exec(text)?.[1] ?? ''
    return Buffer.from(base64, 'base64').toString('utf8')
  }
  return { cert: pem('client-certificate-data'), key: pem('client-key-data') }
}

interface AuditEvent {
  readonly verb: string
  readonly requestURI: string
  readonly user: { readonly username: string }
  readonly responseStatus?: { readonly code?: number }
}

function auditedWrites(log: string, node: string): readonly AuditedWrite[] {
  return (
    log
      .split('\n')
      // The last line is empty, or is being written.
      .slice(0, -1)
      .flatMap((line) => {
        // The API server wrote it.
        const { verb, requestURI, user, responseStatus } = JSON.parse(line) as AuditEvent
        const method = methods[verb]
        const code = responseStatus?.code ?? 0
        const isWrite = method !== undefined && code >= 200 && code < 300
        if (!isWrite || user.username !== `system:node:${node}`) return []
        return [{ method, path: new URL(requestURI, 'https://x').pathname }]
      })
  )
}
