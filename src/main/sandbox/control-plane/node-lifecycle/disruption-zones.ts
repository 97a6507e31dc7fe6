import type { Node } from '../../../../shared/kubernetes/objects.ts'
import type { Clock } from '../../../kubelet/ports.ts'
import { zoneKey } from '../../scheduler/cluster-cache.ts'
import { RateLimitedNodes } from './rate-limited-nodes.ts'
import { evictionRate, zoneState } from './zone-states.ts'
import type { ZoneCount, ZoneState } from './zone-states.ts'

/** What all zones together went through: `stopped`: no node is Ready any more; `resumed`: one is again. */
type Disruption = 'stopped' | 'resumed' | 'none'

/**
 * The zones of the cluster: how disrupted each is, and which of its nodes wait for NoExecute taints.
 * Source: node_lifecycle_controller.go handleDisruption, addPodEvictorForNewZone (v1.34).
 */
export class DisruptionZones {
  readonly #clock: Clock
  readonly #states = new Map<string, ZoneState>()
  readonly #queues = new Map<string, RateLimitedNodes>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The nodes of the zone of a node that wait. */
  queueOf(node: Node): RateLimitedNodes {
    const zone = zoneKey(node)
    if (!this.#states.has(zone)) {
      this.#states.set(zone, 'initial')
      this.#queues.set(zone, new RateLimitedNodes(this.#clock, evictionRate('normal', 0)))
    }
    const known = this.#queues.get(zone)
    if (known === undefined) throw new Error(`zone ${zone} has no queue`)
    return known
  }

  queues(): readonly RateLimitedNodes[] {
    return [...this.#queues.values()]
  }

  /** After a look at all nodes: `counts` by zone. */
  update(counts: ReadonlyMap<string, ZoneCount>): Disruption {
    const next = new Map([...counts].map(([zone, count]) => [zone, zoneState(count)]))
    for (const zone of next.keys()) if (!this.#states.has(zone)) this.#states.set(zone, 'initial')
    const isStopped = [...next.values()].every((state) => state === 'full')
    const wasStopped = this.#wereAllFull(counts)
    if (isStopped && wasStopped) return 'none'
    if (isStopped) {
      for (const zone of this.#states.keys()) {
        this.#setRate(zone, 0)
        this.#states.set(zone, 'full')
      }
      return 'stopped'
    }
    for (const [zone, before] of this.#states) {
      const state = next.get(zone)
      if (state === undefined || (state === before && !wasStopped)) continue
      const { ready = 0, notReady = 0 } = counts.get(zone) ?? {}
      this.#setRate(zone, evictionRate(state, ready + notReady))
      this.#states.set(zone, state)
    }
    return wasStopped ? 'resumed' : 'none'
  }

  /** Zones without nodes are forgotten. */
  #wereAllFull(counts: ReadonlyMap<string, ZoneCount>): boolean {
    for (const zone of this.#states.keys()) if (!counts.has(zone)) this.#states.delete(zone)
    return [...this.#states.values()].every((state) => state === 'full')
  }

  #setRate(zone: string, perSecond: number): void {
    const queue = this.#queues.get(zone)
    if (queue !== undefined) queue.perSecond = perSecond
  }
}
