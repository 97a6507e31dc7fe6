import type fc from 'fast-check'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { FakeApiClient } from '../../../src/main/kubelet/fake-api-client.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { LeaseController } from '../../../src/main/kubelet/node/lease-controller.ts'
import { reconciledNode } from '../../../src/main/kubelet/node/node-registration.ts'
import {
  groupByPriority,
  nodeShutdownConfigProblems,
  shutdownGroups,
} from '../../../src/main/kubelet/node/node-shutdown-groups.ts'
import type { NodeShutdownConfig } from '../../../src/main/kubelet/node/node-shutdown-groups.ts'
import {
  hasNodeStatusChanged,
  nodeConditionEvents,
  nodePatch,
  nodeStatus,
} from '../../../src/main/kubelet/node/node-status.ts'
import type { NodeDescription } from '../../../src/main/kubelet/node/node-status.ts'
import type {
  ApiClient,
  ApiError,
  ApiErrorKind,
  ResourceName,
  Resources as ApiResources,
} from '../../../src/main/kubelet/ports.ts'
import { err, ok } from '../../../src/shared/result.ts'
import type { Result } from '../../../src/shared/result.ts'
import type { Lease, Node } from '../../../src/shared/kubernetes/objects.ts'
import { formatQuantity, parseQuantity } from '../../../src/shared/kubernetes/quantity.ts'
import { describeOracle, functionComparisons } from './oracle-suite.ts'
import {
  changes,
  knownResources,
  leaseScripts,
  registrations,
  shutdowns,
  situations,
} from './random-nodes.ts'

const counts: string[] = []

type Texts = Readonly<Record<string, string>>

/** As in overlay/nodescope/oracle/node.go. */
const size = { cpu: '2', memory: '1Gi', 'ephemeral-storage': '10Gi', pods: '110' } as const

const description: NodeDescription = {
  capacity: size,
  allocatable: size,
  addresses: [],
  nodeInfo: {},
  labels: {},
  taints: [],
}

/** Amounts as they are written in one way only. */
function canonical(list: Texts = {}): Texts {
  return Object.fromEntries(
    Object.entries(list).map(([name, amount]) => {
      const quantity = parseQuantity(amount)
      return [name, quantity === undefined ? amount : formatQuantity(quantity)]
    }),
  )
}

interface Resources {
  readonly capacity?: Texts
  readonly allocatable?: Texts
}

function canonicalResources({ capacity, allocatable }: Resources): Resources {
  return { capacity: canonical(capacity), allocatable: canonical(allocatable) }
}

type ValueOf<A> = A extends fc.Arbitrary<infer T> ? T : never

// --- conditions ------------------------------------------------------------------------------

const now = '2001-02-03T04:05:06Z'

interface Conditions {
  readonly conditions: readonly object[]
  readonly events: readonly string[]
  readonly now: string
}

function conditionsNow(situation: ValueOf<typeof situations>): unknown {
  const { conditions, runtime, network, storage, shutdown, missing, ...pressure } = situation
  const capacity = Object.fromEntries(
    Object.entries(size).filter(([name]) => !missing.includes(name)),
  )
  const errors = [...runtime, ...network, ...storage, ...(shutdown === '' ? [] : [shutdown])]
  const after = nodeStatus(
    { ...description, capacity },
    { conditions },
    errors,
    Date.parse(now),
    pressure,
  )
  return {
    conditions: after.conditions,
    events: nodeConditionEvents(conditions, after.conditions ?? []),
  }
}

function conditionsTold(answer: unknown): unknown {
  // What overlay/nodescope/oracle/node.go answers.
  const { conditions, events, now: theirs } = answer as Conditions
  const text = JSON.stringify(conditions).replaceAll(theirs, now)
  return { conditions: JSON.parse(text), events }
}

// --- shutdown --------------------------------------------------------------------------------

function configOf({ total, critical, groups }: ValueOf<typeof shutdowns>): NodeShutdownConfig {
  return {
    shutdownGracePeriodMs: total,
    shutdownGracePeriodCriticalPodsMs: critical,
    shutdownGracePeriodByPodPriority: groups,
  }
}

function groupsOf(shutdown: ValueOf<typeof shutdowns>): unknown {
  const groups = shutdownGroups(configOf(shutdown))
  if (groups.length === 0) return []
  return groupByPriority(groups, shutdown.pods).map((group) => ({
    priority: group.priority,
    seconds: group.shutdownGracePeriodSeconds,
    pods: group.pods.map(({ metadata }) => metadata.name),
  }))
}

// --- lease -----------------------------------------------------------------------------------

type LeaseScript = ValueOf<typeof leaseScripts>

interface LeaseCall {
  /** ms since the last call; those of a tick are random. */
  readonly gap: number | 'a tick'
  readonly verb: string
  readonly resource: string
  readonly holder?: string
  readonly owner?: string
  readonly duration?: number
  readonly closed: number
}

function withoutJitter(calls: readonly (LeaseCall & { readonly gap: number })[]): unknown {
  return calls.map((call) => ({ ...call, gap: call.gap < 10_000 ? call.gap : 'a tick' }))
}

/** Responds from a script, and records the requests. */
class ScriptedServer {
  readonly calls: (LeaseCall & { readonly gap: number })[] = []
  closed = 0
  readonly #script: LeaseScript
  readonly #clock: VirtualClock
  #lastAt: number

  constructor(script: LeaseScript, clock: VirtualClock) {
    this.#script = script
    this.#clock = clock
    this.#lastAt = clock.now()
  }

  get isOver(): boolean {
    return this.calls.length >= this.#script.answers.length
  }

  /** What is not asked for here is a small server's. */
  client(): ApiClient {
    const rest = new FakeApiClient({ clock: this.#clock })
    const { list, patch, delete: remove, evict } = rest
    return {
      list,
      patch,
      delete: remove,
      evict,
      get: (key) => this.#answer('get', key.resource),
      create: (scope, object) => this.#answer('create', scope.resource, object),
      update: (key, object) => this.#answer('update', key.resource, object),
    }
  }

  #answer<R extends ResourceName>(
    verb: string,
    resource: R,
    written?: ApiResources[R],
  ): Promise<Result<ApiResources[R], ApiError>> {
    const unavailable: ApiError = { kind: 'unavailable', message: 'over' }
    if (this.isOver) return Promise.resolve(err(unavailable))
    const answer = this.#script.answers[this.calls.length]
    const at = this.#clock.now()
    // Nothing but leases is written.
    const lease = written as Lease | undefined
    this.calls.push({
      gap: at - this.#lastAt,
      verb,
      resource,
      ...(lease === undefined
        ? {}
        : {
            holder: lease.spec?.holderIdentity ?? '',
            owner: lease.metadata.ownerReferences?.[0]?.uid ?? '',
            duration: lease.spec?.leaseDurationSeconds ?? 0,
          }),
      closed: this.closed,
    })
    this.#lastAt = at
    // The script's words are kinds of errors, but for `ok`.
    if (answer !== 'ok') return Promise.resolve(err({ kind: answer as ApiErrorKind, message: '' }))
    const read: unknown = resource === 'nodes' ? this.#node() : this.#lease()
    // The one that was asked for: nothing else is read.
    return Promise.resolve(ok(written ?? (read as ApiResources[R])))
  }

  #node(): Node {
    return { metadata: { name: 'n', uid: 'node-uid' } }
  }

  #lease(): Lease {
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'first-uid' }
    return {
      metadata: {
        name: 'n',
        uid: '',
        ...(this.#script.isOwned ? { ownerReferences: [owner] } : {}),
      },
      spec: { holderIdentity: this.#script.holder },
    }
  }
}

async function leaseCalls(script: LeaseScript): Promise<unknown> {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const server = new ScriptedServer(script, clock)
  const controller = new LeaseController({
    nodeName: 'n',
    api: server.client(),
    onRepeatedHeartbeatFailure: () => {
      server.closed++
    },
    clock,
    random: seededRandom(1),
    trace: new FakeTrace(),
    log: new FakeLog(),
  })
  controller.start()
  while (!server.isOver) await clock.advance(1000)
  controller.stop()
  return withoutJitter(server.calls)
}

await describeOracle(
  {
    name: 'node',
    subject: 'node',
    title: 'the node, compared with the kubelet’s',
    summary: () => counts.join(', '),
  },
  (oracle) => {
    const compares = functionComparisons(oracle, counts)

    compares('reconciling a Node', {
      ask: 'reconcile',
      values: registrations,
      ours: ({ initial, existing }) => {
        const { node } = reconciledNode(initial, existing)
        const { labels = {}, annotations = {} } = node.metadata
        return { labels, annotations, ...canonicalResources(node.status ?? {}) }
      },
      theirs: (answer) => {
        const its = answer as { readonly labels: Texts; readonly annotations: Texts } & Resources
        const { labels, annotations } = its
        return { labels, annotations, ...canonicalResources(its) }
      },
      count: 3000,
    })

    compares('node conditions', {
      ask: 'conditions',
      values: situations,
      ours: conditionsNow,
      theirs: conditionsTold,
      count: 4000,
    })

    compares('resources of the machine', {
      ask: 'machine',
      values: knownResources,
      ours: (known) => canonicalResources(nodeStatus(description, known, [], 0)),
      theirs: (answer) => canonicalResources(answer as Resources),
      count: 2000,
    })

    compares('node status changes', {
      ask: 'changed',
      values: changes,
      asked: ([before, after]) => [before.status, after.status],
      ours: ([before, after]) => hasNodeStatusChanged(before.status, after.status),
      count: 3000,
    })

    compares('node patches', {
      ask: 'patch',
      values: changes,
      ours: ([before, after]) => nodePatch(before, after),
      count: 3000,
    })

    compares('shutdown groups', {
      ask: 'shutdownGroups',
      values: shutdowns,
      ours: groupsOf,
      count: 3000,
    })

    compares('shutdown configurations', {
      ask: 'shutdownProblems',
      values: shutdowns,
      ours: (shutdown) => nodeShutdownConfigProblems(configOf(shutdown)),
      count: 1500,
    })

    compares('lease renewals', {
      ask: 'lease',
      values: leaseScripts,
      ours: leaseCalls,
      theirs: (answer) => withoutJitter(answer as (LeaseCall & { readonly gap: number })[]),
      count: 1500,
    })
  },
)
