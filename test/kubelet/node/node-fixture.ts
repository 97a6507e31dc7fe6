import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { FakeEventRecorder } from '../../../src/main/kubelet/container/fake-event-recorder.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { FakeApiClient } from '../../../src/main/kubelet/fake-api-client.ts'
import { NodeController } from '../../../src/main/kubelet/node/node-controller.ts'
import type { NodeControllerDeps } from '../../../src/main/kubelet/node/node-controller.ts'
import type { NodeDescription } from '../../../src/main/kubelet/node/node-status.ts'
import type { ApiError } from '../../../src/main/kubelet/ports.ts'
import type { Lease, Node, NodeCondition } from '../../../src/shared/kubernetes/objects.ts'

/** A node as small as one may be. */
export const description: NodeDescription = {
  capacity: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '10Gi', pods: '110' },
  allocatable: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '9Gi', pods: '110' },
  addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
  nodeInfo: { kubeletVersion: 'v1.34.4', bootID: 'first' },
  labels: {
    'kubernetes.io/hostname': 'n',
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'example.com/rack': 'a',
    'example.com/ours': 'yes',
  },
  keptLabels: ['example.com/ours'],
  taints: [{ key: 'example.com/own', value: 'true', effect: 'NoSchedule' }],
}

/** Where the clock of a fixture begins, in ms. */
export const startAt = 1_000_000

export const unavailable: ApiError = { kind: 'unavailable', message: 'connection refused' }

/** A node controller on an API server in memory, on a clock that stands until it is advanced. */
export class NodeFixture {
  readonly clock = new VirtualClock(nodeClockHost, { startAt })
  readonly api: FakeApiClient
  readonly trace = new FakeTrace()
  readonly events = new FakeEventRecorder()
  /** Why the node is not ready. */
  readonly errors: string[] = []
  readonly pressure = { memory: false, disk: false, pid: false }
  /** False: the watch has not brought the Node. */
  isListed = true
  /** When the runtime was asked for its state. */
  readonly refreshes: number[] = []
  closedConnections = 0
  readonly controller: NodeController

  /** `answerMs`: how long the API server takes to answer. */
  constructor(deps: Partial<NodeControllerDeps> = {}, { answerMs = 0 } = {}) {
    this.api = new FakeApiClient({ clock: this.clock, answerMs })
    const { clock, api, trace, events, errors, pressure } = this
    this.controller = new NodeController({
      nodeName: 'n',
      description,
      api,
      nodeLister: { get: () => (this.isListed ? this.node() : undefined), hasSynced: () => true },
      readyErrors: () => errors,
      pressure: () => pressure,
      refreshRuntimeState: () => {
        this.refreshes.push(clock.now())
        return Promise.resolve()
      },
      onRepeatedHeartbeatFailure: () => {
        this.closedConnections++
      },
      recorder: events,
      clock,
      random: seededRandom(1),
      trace,
      log: new FakeLog(),
      ...deps,
    })
  }

  /** Starts, and lets the node be registered. */
  async start(): Promise<void> {
    this.controller.start()
    await this.clock.advance(1000)
    this.api.calls.length = 0
    this.events.take()
  }

  node(): Node | undefined {
    return this.api.node('n')
  }

  condition(type: string): NodeCondition | undefined {
    return this.node()?.status?.conditions?.find((one) => one.type === type)
  }

  async lease(): Promise<Lease | undefined> {
    const key = { resource: 'leases', namespace: 'kube-node-lease', name: 'n' } as const
    const lease = await this.api.get(key)
    this.api.calls.pop()
    return lease.ok ? lease.value : undefined
  }

  /** Puts a Node there before the kubelet. */
  async put(node: Partial<Node>): Promise<void> {
    await this.api.create({ resource: 'nodes' }, { metadata: { name: 'n', uid: '' }, ...node })
    this.api.calls.length = 0
  }

  /** Another client writes something into the Node. */
  async patch(body: object): Promise<void> {
    await this.api.patch({ resource: 'nodes', name: 'n' }, { type: 'strategic', body })
    this.api.calls.pop()
  }

  /** The calls on a resource since the last look, as `seconds verb outcome`, seconds from the start of the clock. */
  take(resource: 'nodes' | 'leases'): readonly string[] {
    const calls = this.api.calls.filter((call) => call.resource === resource)
    this.api.calls.length = 0
    return calls.map(({ at, verb, outcome }) => `${(at / 1000).toFixed(1)} ${verb} ${outcome}`)
  }
}

/** What such a list has without its times. */
export function withoutTimes(calls: readonly string[]): readonly string[] {
  return calls.map((call) => call.replace(/^\S+ /, ''))
}
