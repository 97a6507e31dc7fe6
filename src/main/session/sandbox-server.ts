import { randomBytes } from 'node:crypto'
import { parse } from 'yaml'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { KubeRequest, KubeResponse, Transport } from '../../shared/kubernetes/request.ts'
import { isJsonObject, objectAt, textAt } from '../../shared/json.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { VirtualClock } from '../clock/virtual-clock.ts'
import type { ApiClient, Log, Random } from '../kubelet/ports.ts'
import type { ClusterTrace } from '../kubelet/trace.ts'
import type { ParseText } from '../parsing/kubernetes-text.ts'
import { SandboxApiServer } from '../sandbox/api-server.ts'
import type { Caller } from '../sandbox/api-server.ts'
import { startControlPlane } from '../sandbox/control-plane.ts'
import type { ControlPlane } from '../sandbox/control-plane.ts'
import { inProcessTransport } from '../sandbox/in-process-transport.ts'
import { startHttpsListener } from '../sandbox/surface/https-listener.ts'
import { sandboxKubeconfig, writeKubeconfig } from '../sandbox/surface/kubeconfig-file.ts'
import type { StoredPods } from '../sandbox/stored-pods.ts'
import type { Assets } from './assets.ts'
import { sandboxPodWarnings } from './not-simulated-pods.ts'

/** The person at kubectl and at the dashboard. */
const admin: Caller = {
  user: 'nodescope-admin',
  groups: ['system:masters', 'system:authenticated'],
  client: 'nodescope',
}

export interface SandboxServerDeps {
  readonly clock: VirtualClock
  readonly random: Random
  readonly trace: ClusterTrace
  readonly log: Log
  /** Of the bodies of requests. */
  readonly parse: ParseText
  /** 0 takes any free port. */
  readonly port: number
  readonly kubeconfigPath: string
}

/** The sandbox's API server at work: for kubectl over HTTPS, for the agent in process. */
export class SandboxServer {
  readonly url: string
  readonly controlPlane: Pick<ControlPlane, 'budgets' | 'onBudget'>
  readonly pods: StoredPods
  readonly #deps: SandboxServerDeps
  readonly #server: SandboxApiServer
  readonly #stops: readonly (() => void | Promise<void>)[]

  constructor(
    deps: SandboxServerDeps,
    started: {
      readonly server: SandboxApiServer
      readonly url: string
      readonly controlPlane: ControlPlane
      readonly stops: readonly (() => void | Promise<void>)[]
    },
  ) {
    this.#deps = deps
    this.#server = started.server
    this.url = started.url
    this.controlPlane = started.controlPlane
    this.pods = started.server.pods
    this.#stops = started.stops
  }

  /** As the node itself, with the latency of a network, on the cluster's clock. */
  nodeTransport(nodeName: string): Transport {
    const { clock, random } = this.#deps
    return inProcessTransport({
      server: this.#server,
      clock,
      random: random.fork(`transport ${nodeName}`),
      caller: {
        user: `system:node:${nodeName}`,
        groups: ['system:nodes', 'system:authenticated'],
        client: 'kubelet',
      },
    })
  }

  /** As the person at the dashboard: answers at once, also while the clock stands, at the time of arrival. */
  adminTransport(): Transport {
    return {
      send: (request: KubeRequest): Promise<KubeResponse> => {
        this.#deps.clock.catchUp()
        return this.#server.handle(request, admin)
      },
    }
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) await stop()
  }
}

/** Starts server, control plane and listener, and writes the kubeconfig. Error: one sentence, nothing left running. */
export async function startSandboxServer(
  deps: SandboxServerDeps,
): Promise<Result<SandboxServer, string>> {
  const { clock, random, trace, log } = deps
  const server = new SandboxApiServer({
    clock,
    random: random.fork('api server'),
    trace: trace.forNode(''),
    log,
    podWarnings: sandboxPodWarnings,
  })
  const token = randomBytes(24).toString('base64url')
  const listener = await startHttpsListener({
    server,
    port: deps.port,
    clock,
    parse: deps.parse,
    credentials: new Map([[token, { ...admin, client: 'kubectl' }]]),
    log,
  })
  if (!listener.ok) return err(listener.error.message)
  const written = await writeKubeconfig(
    deps.kubeconfigPath,
    sandboxKubeconfig({
      url: listener.value.url,
      caPem: listener.value.caPem,
      token,
      clusterName: 'nodescope-sandbox',
    }),
  )
  if (!written.ok) {
    await listener.value.stop()
    return err(written.error.message)
  }
  const controlPlane = startControlPlane({
    server,
    clock,
    random: random.fork('control plane'),
    log,
  })
  return ok(
    new SandboxServer(deps, {
      server,
      url: listener.value.url,
      controlPlane,
      stops: [() => controlPlane.stop(), () => listener.value.stop()],
    }),
  )
}

/** Creates the ordinary pods that a new sandbox starts with. What is refused is logged; the rest goes on. */
export async function createFirstPods(
  admin: Pick<ApiClient, 'create'>,
  assets: Assets,
  log: Log,
): Promise<void> {
  const folder = 'manifests/pods'
  for (const name of await assets.list(folder)) {
    const pod: unknown = parse(await assets.readText(`${folder}/${name}`))
    if (!isJsonObject(pod)) continue
    const namespace = textAt(objectAt(pod, 'metadata'), 'namespace') || 'default'
    // A file of our own: it is a pod.
    const answer = await admin.create({ resource: 'pods', namespace }, pod as unknown as Pod)
    if (!answer.ok) log.error('an example pod was refused', { name, error: answer.error.message })
  }
}
