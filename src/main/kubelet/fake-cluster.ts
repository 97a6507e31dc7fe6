import type { Node, Pod, Service } from '../../shared/kubernetes/objects.ts'
import type { PodSource } from '../../shared/model/pod-source.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { nodeHash } from '../clock/node-hash.ts'
import { seededRandom } from '../clock/seeded-random.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { FakeLog } from './container/fake-log.ts'
import { FakeRuntimeService } from './container/fake-runtime-service.ts'
import { FakeTrace } from './container/fake-trace.ts'
import { FakeApiClient } from './fake-api-client.ts'
import type { ApiCall } from './fake-api-client.ts'
import { fakeWatchObject } from './object-managers/fake-watch-object.ts'
import { Kubelet } from './kubelet.ts'
import { noPressure } from './node/node-status.ts'
import { applyStaticDefaults } from './pod/static-pod.ts'
import type { NodeLister, RuntimeContainerStatus } from './ports.ts'

const nodeName = 'node'
const size = { cpu: '2', memory: '4Gi', 'ephemeral-storage': '10Gi', pods: '110' } as const

/** The kubelet needs what servers and sources default. */
function withServiceLinks(pod: Pod): Pod {
  return { ...pod, spec: { enableServiceLinks: true, ...pod.spec } }
}

/**
 * A node, an API server and a container runtime in memory, on one virtual clock: a kubelet at work, with
 * what a user does to it. Calls take 5 ms each way; a watch reports a change after 3 ms, so that a writer sees
 * what it wrote before it has the answer, as the real API server's clients mostly do.
 */
export class FakeCluster {
  readonly clock = new VirtualClock(nodeClockHost, { startAt: Date.UTC(2026, 0, 1) })
  readonly api = new FakeApiClient({ clock: this.clock, latencyMs: 5, answerMs: 5 })
  readonly runtime = new FakeRuntimeService({ clock: this.clock })
  readonly trace = new FakeTrace()
  readonly log = new FakeLog()
  readonly manifests = new Map<string, Pod>()
  readonly #sources: readonly PodSource[]
  readonly #seed: number
  #kubelet: Kubelet | undefined
  /** False: the API source says nothing, as with a server that is away from the start. */
  isWatching = true
  services: readonly Service[] = []
  /** What the node runs short of. */
  pressure = noPressure

  constructor(
    options: {
      readonly sources?: readonly PodSource[]
      readonly seed?: number
      /** How long after a change the watch reports it. */
      readonly watchMs?: number
    } = {},
  ) {
    const { watchMs = 3 } = options
    this.#sources = options.sources ?? ['file', 'api']
    this.#seed = options.seed ?? 1
    for (const verb of ['runPodSandbox', 'createContainer', 'startContainer', 'pullImage'] as const)
      this.runtime.delayMs.set(verb, 30)
    this.api.watch((resource) => {
      if (resource === 'pods') this.clock.after(watchMs, this.#podsNow())
    })
  }

  get kubelet(): Kubelet {
    if (this.#kubelet === undefined) throw new Error('no kubelet was started')
    return this.#kubelet
  }

  /** Starts a kubelet, in place of the one before, and lets it settle. */
  async start(): Promise<void> {
    const { clock, trace, log, api } = this
    const kubelet = new Kubelet({
      nodeName,
      description: {
        capacity: size,
        allocatable: size,
        addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
        nodeInfo: {},
        labels: { 'kubernetes.io/os': 'linux' },
        taints: [],
      },
      clock,
      random: seededRandom(this.#seed),
      hash: nodeHash,
      trace,
      log,
      api,
      nodeLister: this.#nodeLister(),
      runtimeClassLister: { get: () => undefined },
      serviceLister: { list: () => this.services, hasSynced: () => true },
      watchObject: fakeWatchObject(api, clock),
      runtimeService: this.runtime,
      imageService: this.runtime,
      sources: this.#sources,
      pressure: () => this.pressure,
    })
    this.#kubelet = kubelet
    kubelet.start()
    if (this.#sources.includes('file')) this.#setManifests()
    this.#podsNow()()
    await clock.advance(5000)
  }

  /** From here on `at` of calls counts from 0 and the calls so far are forgotten. */
  mark(): void {
    this.api.calls.length = 0
    this.runtime.calls.length = 0
    this.#marked = this.clock.now() - this.#startedAt
  }

  readonly #startedAt = this.clock.now()
  #marked = 0

  /** The kubelet's calls on pods since the mark, with their times in ms. */
  podCalls(
    ...verbs: readonly ApiCall['verb'][]
  ): readonly (ApiCall & { readonly since: number })[] {
    return this.api.calls
      .filter((call) => call.resource === 'pods' && verbs.includes(call.verb))
      .map((call) => ({ ...call, since: call.at - this.#marked }))
  }

  /** Stops that the runtime was asked for since the mark, with their seconds. */
  stops(): readonly string[] {
    return this.runtime.calls
      .map((call) => call.line)
      .filter((line) => line.startsWith('stopContainer'))
  }

  /** The Kubernetes events since the mark: `reason: message`. */
  events(): readonly string[] {
    return this.api.calls
      .filter((call) => call.resource === 'events' && call.verb === 'create')
      .map(({ body }) => {
        // Every body of such a call is an event of the recorder.
        const event = body as { readonly reason: string; readonly message: string }
        return `${event.reason}: ${event.message}`
      })
  }

  node(): Node | undefined {
    return this.api.node(nodeName)
  }

  /** Like a reflector that starts with the kubelet: its first list takes a moment. */
  #nodeLister(): NodeLister {
    let isSynced = false
    this.clock.after(10, () => {
      isSynced = true
    })
    return { get: () => (isSynced ? this.node() : undefined), hasSynced: () => isSynced }
  }

  /** Puts a manifest into the folder, or changes it. */
  write(path: string, manifest: Pod): void {
    this.manifests.set(path, manifest)
    this.#setManifests()
  }

  remove(path: string): void {
    this.manifests.delete(path)
    this.#setManifests()
  }

  /** `kubectl create` of a pod that is bound to the node. */
  async create(pod: Pod): Promise<void> {
    await Promise.all([
      this.api.create(
        { resource: 'pods', namespace: 'default' },
        {
          ...pod,
          spec: { ...withServiceLinks(pod).spec, nodeName },
          status: { phase: 'Pending' },
        },
      ),
      this.clock.advance(10),
    ])
    this.api.calls.pop()
  }

  /** The only container of a name, whatever its state. */
  container(name: string): RuntimeContainerStatus {
    const [container] = this.runtime.of(name)
    if (container === undefined) throw new Error(`no container ${name}`)
    return container
  }

  #setManifests(): void {
    const pods = [...this.manifests].map(([path, manifest]) => {
      const location = `/manifests/${path}`
      const pod = applyStaticDefaults(withServiceLinks(manifest), {
        source: 'file',
        nodeName,
        location,
        hash: nodeHash,
      })
      if (!pod.ok) throw new Error(pod.error.join())
      return { pod: pod.value }
    })
    this.kubelet.setPods('file', pods, [])
  }

  /** The list as it is now, to be delivered later. */
  #podsNow(): () => void {
    const pods = this.api.pods().map((pod) => ({ pod }))
    return () => {
      if (this.isWatching) this.#kubelet?.setPods('api', pods, [])
    }
  }
}
