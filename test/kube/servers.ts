import { readFile } from 'node:fs/promises'
import { Agent, request, type Dispatcher } from 'undici'
import { nodeClockHost } from '../../src/main/clock/node-clock-host.ts'
import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import { VirtualClock } from '../../src/main/clock/virtual-clock.ts'
import { StreamUrls } from '../../src/main/cri/streaming/stream-urls.ts'
import { streamServer } from '../../src/main/cri/streaming/upgrade.ts'
import {
  SandboxApiServer,
  type ApiServerLimits,
  type Caller,
} from '../../src/main/sandbox/api-server.ts'
import { startControlPlane as startSandboxControllers } from '../../src/main/sandbox/control-plane.ts'
import { startHttpsListener } from '../../src/main/sandbox/surface/https-listener.ts'
import { sandboxKubeconfig } from '../../src/main/sandbox/surface/kubeconfig-file.ts'
import type { Log } from '../../src/main/kubelet/ports.ts'
import { MemorySandbox } from '../memory-sandbox/memory-sandbox.ts'
import { findParts, startControlPlane, type ControlPlane } from './control-plane.ts'
import type { PartName } from './parts.ts'

/** An HTTP request. */
export interface WireRequest {
  readonly method: Dispatcher.HttpMethod
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body?: string
}

/** An API server that answers over HTTPS, for an administrator who may speak for others. */
export interface ServerUnderTest {
  readonly name: string
  readonly url: string
  /** Its text: the same administrator. */
  readonly kubeconfig: string
  /** As the administrator, or with the token of a header. */
  readonly send: (wire: WireRequest) => Promise<Dispatcher.ResponseData>
  /** Warnings and errors of the server. */
  readonly logged: readonly string[]
  readonly stop: () => Promise<void>
}

function failingLog(logged: string[]): Log {
  const write = (message: string, fields?: unknown): void => {
    logged.push(`${message} ${JSON.stringify(fields)}`)
  }
  return { debug: () => undefined, info: () => undefined, warn: write, error: write }
}

const administrator: Caller = {
  user: 'admin',
  groups: ['system:masters', 'system:authenticated'],
  client: 'test',
}

/** Few, so that a test can request an expired version. */
export const eventsKept = 60

function sandboxServer(limits: ApiServerLimits, enforcesRbac: boolean) {
  const clock = new VirtualClock(nodeClockHost, { startAt: Date.now() })
  const logged: string[] = []
  const log = failingLog(logged)
  const trace = { emit: () => 0 }
  const server = new SandboxApiServer({
    clock,
    random: seededRandom(1),
    trace,
    log,
    limits,
    enforcesRbac,
  })
  const serveStream = streamServer(new StreamUrls(() => ''))
  return { server, clock, log, logged, serveStream }
}

/** The sandbox behind its listener, on the present time. */
export function startSandboxServer(
  limits: ApiServerLimits = { eventsPerResource: eventsKept },
  enforcesRbac = false,
): Promise<ServerUnderTest> {
  return serve(sandboxServer(limits, enforcesRbac))
}

/** The same with its controllers and its scheduler. */
export async function startSandboxControlPlane(): Promise<ServerUnderTest> {
  const sandbox = { ...sandboxServer({}, true), enforcesRbac: true }
  const served = await serve(sandbox)
  const random = seededRandom(1).fork('control plane')
  const controlPlane = startSandboxControllers({
    ...sandbox,
    random,
    tokens: sandbox.server.tokenIssuer,
  })
  return {
    ...served,
    stop: async () => {
      controlPlane.stop()
      await served.stop()
    },
  }
}

/** The whole sandbox, with one node. */
export async function startSandboxNode(
  nodeName: string,
): Promise<ServerUnderTest & Pick<MemorySandbox, 'putManifests'>> {
  const logged: string[] = []
  // A kubelet that starts warns.
  const log = { ...failingLog(logged), warn: () => undefined }
  const memory = new MemorySandbox({
    seed: 1,
    startAt: Date.now(),
    nodeNames: [nodeName],
    log,
  })
  const { sandbox, clock } = memory
  sandbox.start()
  const { server, streams } = sandbox
  const served = await serve({ server, clock, log, logged, serveStream: streamServer(streams) })
  return {
    ...served,
    putManifests: (pods) => {
      memory.putManifests(pods)
    },
    stop: async () => {
      sandbox.stop()
      await served.stop()
    },
  }
}

async function serve({
  server,
  clock,
  log,
  logged,
  serveStream,
}: {
  readonly server: SandboxApiServer
  readonly clock: VirtualClock
  readonly log: Log
  readonly logged: readonly string[]
  readonly serveStream: ReturnType<typeof streamServer>
}): Promise<ServerUnderTest> {
  const token = 'token-of-the-test'
  const credentials = new Map([[token, administrator]])
  const listener = await startHttpsListener({
    server,
    port: 0,
    clock,
    credentials,
    log,
    serveStream,
  })
  if (!listener.ok) throw new Error(listener.error.message)
  clock.run()
  const { url, caPem, stop } = listener.value
  const dispatcher = new Agent({ connect: { ca: caPem }, bodyTimeout: 0 })
  return {
    name: 'the sandbox',
    url,
    kubeconfig: sandboxKubeconfig({ url, caPem, clusterName: 'kube-up', token }),
    send: ({ path, headers, ...wire }) =>
      request(`${url}${path}`, {
        dispatcher,
        ...wire,
        headers: { authorization: `Bearer ${token}`, ...headers },
      }),
    logged,
    stop: async () => {
      await dispatcher.destroy()
      clock.pause()
      await stop()
    },
  }
}

/** kube-apiserver and etcd; if they are not installed, the missing ones. */
export async function startRealServer(
  environment: NodeJS.ProcessEnv,
): Promise<ServerUnderTest | { readonly missing: readonly PartName[] }> {
  const found = await findParts(['etcd', 'kube-apiserver'], environment)
  return 'missing' in found ? found : serverOf(await startControlPlane({ environment }))
}

/** The same with kube-controller-manager and kube-scheduler. */
export async function startRealControlPlane(
  environment: NodeJS.ProcessEnv,
): Promise<ServerUnderTest | { readonly missing: readonly PartName[] }> {
  const names = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const
  const found = await findParts(names, environment)
  if ('missing' in found) return found
  return serverOf(await startControlPlane({ environment, controllers: true, scheduler: true }))
}

/** The server of a control plane, which stops with it. */
export async function serverOf(plane: ControlPlane): Promise<ServerUnderTest> {
  const { certificatePem: cert, keyPem: key } = plane.admin
  const dispatcher = new Agent({ connect: { ca: plane.caPem, cert, key }, bodyTimeout: 0 })
  const withoutCertificate = new Agent({ connect: { ca: plane.caPem } })
  return {
    name: 'kube-apiserver',
    url: plane.url,
    kubeconfig: await readFile(plane.adminKubeconfig, 'utf8'),
    send: ({ path, ...wire }) =>
      request(`${plane.url}${path}`, {
        dispatcher: 'authorization' in wire.headers ? withoutCertificate : dispatcher,
        ...wire,
      }),
    logged: [],
    stop: async () => {
      await Promise.all([dispatcher.destroy(), withoutCertificate.destroy()])
      await plane.stop()
    },
  }
}
