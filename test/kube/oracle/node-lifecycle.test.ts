import fc from 'fast-check'
import { expect, it } from 'vitest'
import { listAt, isJsonObject, objectAt, objectsAt, textAt } from '../../../src/shared/json.ts'
import { toMicroTime, toTimestamp } from '../../../src/shared/kubernetes/timestamps.ts'
import {
  clusterUnderTest,
  readyNode,
} from '../../../src/main/sandbox/control-plane/fake-cluster.ts'
import type { ClusterUnderTest } from '../../../src/main/sandbox/control-plane/fake-cluster.ts'
import { leases, nodeCaller, nodes } from '../../../src/main/sandbox/fake-client.ts'
import { oracleParameters } from './driving.ts'
import { describeOracle } from './oracle-suite.ts'

// The zones of a cluster whose nodes say that they are not ready, fall silent, recover, come and go: after every look of the
// controller at its nodes, their Ready conditions and NoExecute taints.

const numRuns = Number(process.env['NODESCOPE_ZONE_RUNS'] ?? 50)
const periodMs = 5000
const mostSilent = 6
let rounds = 0
let tainted = 0
let looks = 0

interface ZoneSize {
  readonly zone: string
  readonly nodes: number
}

/** What happens to some nodes of a zone at once. `share`: of 100, from one place in the zone on. */
interface Change {
  readonly act:
    | 'notReady'
    | 'silent'
    // A last status, without its lease.
    | 'lastStatus'
    | 'recover'
    | 'remove'
    | 'add'
    | 'exclude'
    | 'move'
  readonly zone: string
  readonly share: number
  readonly from: number
  /** How many looks follow. */
  readonly looks: number
}

const zoneNames = ['a', 'b', 'c'] as const

const sizes: fc.Arbitrary<readonly ZoneSize[]> = fc.uniqueArray(
  fc.record({
    zone: fc.constantFrom(...zoneNames),
    nodes: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 7 }) },
      // A large cluster has more than 50.
      { weight: 1, arbitrary: fc.integer({ min: 50, max: 52 }) },
    ),
  }),
  { minLength: 1, maxLength: 3, selector: ({ zone }) => zone },
)

const changes: fc.Arbitrary<Change> = fc.record({
  act: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('notReady' as const, 'silent', 'lastStatus') },
    { weight: 2, arbitrary: fc.constantFrom('recover' as const, 'exclude') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('remove' as const, 'add', 'move'),
    },
  ),
  zone: fc.constantFrom('a', ...zoneNames),
  share: fc.constantFrom(20, 50, 60, 60, 80, 100, 100),
  from: fc.nat(60),
  looks: fc.constantFrom(1, 3, 5, 12, 25),
})

function isCounted({ labels }: PostedNode): boolean {
  return labels['node.kubernetes.io/exclude-disruption'] === undefined
}

interface PostedNode {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly ready: 'True' | 'False'
}

interface Round {
  readonly removed: readonly string[]
  readonly posted: readonly PostedNode[]
  readonly renewed: readonly string[]
}

/** Decides what the nodes of a cluster do; both sides get the same. */
class Fleet {
  readonly #nodes = new Map<string, PostedNode>()
  readonly #silent = new Set<string>()
  #count = 0

  add(zone: string, count: number): readonly PostedNode[] {
    return Array.from({ length: count }, () => {
      const name = `node-${String(++this.#count).padStart(4, '0')}`
      return this.#post({ name, labels: { 'topology.kubernetes.io/zone': zone }, ready: 'True' })
    })
  }

  #post(node: PostedNode): PostedNode {
    this.#nodes.set(node.name, node)
    return node
  }

  change({ act, zone, share, from }: Change): Pick<Round, 'removed' | 'posted'> {
    if (act === 'add') return { removed: [], posted: this.add(zone, 2) }
    const own = [...this.#nodes.values()].filter(
      ({ labels }) => labels['topology.kubernetes.io/zone'] === zone,
    )
    // The sandbox's controller sends as many requests a second as the real one; the oracle's client has no limit.
    const most = act === 'silent' || act === 'lastStatus' ? mostSilent : Infinity
    const count = Math.min(most, Math.ceil((own.length * share) / 100))
    const chosen = own.map((_, index) => own[(index + from) % own.length]).slice(0, count)
    // The controller forgets a zone of which no node counts, or not: it stops looking at the first zone that is not lost, in
    // the order of a Go map.
    const keepsOne = own.some((node) => isCounted(node) && !chosen.includes(node))
    const leavesZone = act === 'remove' || act === 'exclude' || act === 'move'
    if (leavesZone && !keepsOne) return { removed: [], posted: [] }
    const removed: string[] = []
    const posted: PostedNode[] = []
    for (const node of chosen) {
      if (node === undefined) continue
      const { name, labels, ready } = node
      switch (act) {
        case 'remove':
          this.#nodes.delete(name)
          removed.push(name)
          break
        case 'exclude':
          posted.push(
            this.#post({
              name,
              ready,
              labels: { ...labels, 'node.kubernetes.io/exclude-disruption': '' },
            }),
          )
          break
        case 'move':
          posted.push(
            this.#post({ name, ready, labels: { ...labels, 'topology.kubernetes.io/zone': 'd' } }),
          )
          break
        case 'silent':
          this.#silent.add(name)
          break
        case 'lastStatus':
          this.#silent.add(name)
          posted.push(this.#post({ name, labels, ready }))
          break
        default:
          this.#silent.delete(name)
          posted.push(this.#post({ name, labels, ready: act === 'recover' ? 'True' : 'False' }))
      }
    }
    return { removed, posted }
  }

  /** The names of the nodes that renew their leases. */
  get renewed(): readonly string[] {
    return [...this.#nodes.keys()].filter((name) => !this.#silent.has(name))
  }
}

/** The sandbox: a round as the oracle's, from the middle between two looks to the middle between the next two. */
class OurNodes {
  readonly #cluster: ClusterUnderTest
  readonly #known = new Set<string>()

  constructor(cluster: ClusterUnderTest) {
    this.#cluster = cluster
  }

  async round({ removed, posted, renewed }: Round): Promise<readonly string[]> {
    const { clock, client } = this.#cluster
    for (const name of removed) {
      this.#known.delete(name)
      await client.delete(`${nodes}/${name}`)
      await client.delete(`${leases}/${name}`)
    }
    for (const node of posted) await this.#post(node)
    for (const name of renewed) await this.#renew(name)
    await clock.advance(periodMs)
    const { body } = await client.get(nodes)
    return objectsAt(body, 'items').map((node) => {
      const ready = objectsAt(objectAt(node, 'status'), 'conditions').find(
        ({ type }) => type === 'Ready',
      )
      const taints = listAt(objectAt(node, 'spec'), 'taints')
        .filter(isJsonObject)
        .filter(({ effect }) => effect === 'NoExecute')
      return [
        textAt(objectAt(node, 'metadata'), 'name'),
        textAt(ready ?? {}, 'status'),
        ...taints.map((taint) => textAt(taint, 'key')),
      ].join(' ')
    })
  }

  async #post({ name, labels, ready }: PostedNode): Promise<void> {
    const { client, clock } = this.#cluster
    const now = toTimestamp(clock.now())
    const times = { lastHeartbeatTime: now, lastTransitionTime: now }
    const condition = { type: 'Ready', status: ready, ...times }
    if (!this.#known.has(name)) {
      this.#known.add(name)
      const created = readyNode(name, {}, { labels })
      await client.post(nodes, { ...created, status: { conditions: [condition] } })
      return
    }
    await client.patch(`${nodes}/${name}`, { metadata: { labels } })
    await client.patch(`${nodes}/${name}/status`, { status: { conditions: [condition] } })
  }

  async #renew(name: string): Promise<void> {
    const client = this.#cluster.as(nodeCaller(name))
    const spec = {
      holderIdentity: name,
      leaseDurationSeconds: 40,
      renewTime: toMicroTime(this.#cluster.clock.now()),
    }
    const { code } = await client.patch(`${leases}/${name}`, { spec })
    if (code === 404) await client.post(leases, { metadata: { name }, spec })
  }
}

await describeOracle(
  {
    name: 'node lifecycle',
    subject: 'nodeLifecycle',
    title: 'the node lifecycle controller and its zones',
    summary: () =>
      `${looks.toLocaleString('en')} looks at the nodes of ${rounds} clusters, ${tainted.toLocaleString('en')} with nodes that are evicted`,
  },
  (oracle) => {
    it('taints the same nodes at the same time', { timeout: 240_000 }, async () => {
      const all = fc.tuple(sizes, fc.array(changes, { minLength: 4, maxLength: 8 }))
      await fc.assert(
        fc.asyncProperty(all, async ([zones, list]) => {
          const cluster = await clusterUnderTest()
          await cluster.clock.advance(periodMs / 2 - (cluster.clock.now() % periodMs) + periodMs)
          const ours = new OurNodes(cluster)
          const fleet = new Fleet()
          await oracle.ask('new')
          const compare = async (round: Pick<Round, 'removed' | 'posted'>): Promise<void> => {
            const whole = { ...round, renewed: fleet.renewed }
            const [own, theirs] = await Promise.all([ours.round(whole), oracle.ask('round', whole)])
            expect(own).toEqual(theirs)
            looks++
            if (own.some((line) => line.includes('node.kubernetes.io/'))) tainted++
          }
          const nothing = { removed: [], posted: [] }
          await compare({
            removed: [],
            posted: zones.flatMap(({ zone, nodes: count }) => fleet.add(zone, count)),
          })
          for (const change of list) {
            await compare(fleet.change(change))
            for (let look = 1; look < change.looks; look++) await compare(nothing)
          }
          cluster.stop()
          rounds++
        }),
        oracleParameters(numRuns),
      )
    })
  },
)
