import { formatDuration, parseDuration } from '../../../shared/go/duration.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { equalJson } from '../../../shared/json.ts'
import { err, ok } from '../../../shared/result.ts'
import type { OutageSwitch } from '../../cluster/transport/outage-switch.ts'
import type { CancelTimer, Clock } from '../../kubelet/ports.ts'
import type { ControlledObject } from '../../sandbox/control/control-requests.ts'
import type { SimulatedNode } from '../simulated-node.ts'
import type { Fault } from '../../../shared/model/node/fault.ts'
import { faultText } from '../../../shared/model/node/fault.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import { callFaultOf, readFaults } from './faults.ts'
import { matches } from './request-faults.ts'
import type { RequestFaults } from './request-faults.ts'
import type { SkewedClock } from './skewed-clock.ts'

interface FaultControlDeps {
  readonly clock: Clock
  readonly trace: ClusterTrace
  readonly requests: RequestFaults
  readonly nodes: ReadonlyMap<string, SimulatedNode>
  readonly outages: ReadonlyMap<string, OutageSwitch>
  readonly clocks: ReadonlyMap<string, SkewedClock>
}

const ofRequests: ReadonlySet<string> = new Set(['Latency', 'Error', 'Gone', 'Outage'])

function skewText(skewMs: number): string {
  return `${skewMs < 0 ? '-' : ''}${formatDuration(Math.abs(skewMs))}`
}

function skewOf(text: string): number {
  const size = parseDuration(text.replace(/^-/, '')) ?? 0
  return text.startsWith('-') ? -size : size
}

/**
 * All that is made to fail in a sandbox, as one plan: written from its API and by scenarios, and read from the switches
 * themselves, so that it also shows what the page has switched.
 */
export class FaultControl implements ControlledObject {
  readonly #deps: FaultControlDeps
  readonly #listeners: (() => void)[] = []
  #drops: readonly Fault[] = []
  #timers: CancelTimer[] = []

  constructor(deps: FaultControlDeps) {
    this.#deps = deps
  }

  /** Calls back after every change of the plan. */
  listen(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** All faults that are in effect. */
  get faults(): readonly Fault[] {
    const { nodes, requests } = this.#deps
    const ofNodes = [...nodes.values()].flatMap((node) => this.#faultsOf(node))
    return [...requests.faults, ...this.#drops, ...ofNodes]
  }

  /** Whether the API server is made to be down. */
  get isOutage(): boolean {
    return this.#deps.requests.isOutage
  }

  readonly read: ControlledObject['read'] = () => ({
    spec: { faults: this.faults },
    status: {},
  })

  readonly write: ControlledObject['write'] = (spec) => {
    const problem = this.set(spec)
    return Promise.resolve(problem === undefined ? ok(undefined) : err(problem))
  }

  /** Replaces all faults. Returns why the plan is not taken; then nothing changes. */
  set(
    spec: JsonObject,
  ): { readonly kind: 'invalid'; readonly field: string; readonly message: string } | undefined {
    const { nodes, requests } = this.#deps
    const before = this.faults
    const wasOutage = requests.isOutage
    const faults = readFaults(spec['faults'], 'spec.faults', [...nodes.keys()])
    if (!faults.ok) return { kind: 'invalid', ...faults.error }
    requests.faults = faults.value.filter(({ type }) => ofRequests.has(type))
    for (const node of nodes.values()) this.#setNode(node, faults.value)
    this.#setDrops(faults.value.filter(({ type }) => type === 'WatchDrops'))
    // Open watches must meet the fault as well.
    const isGone = faults.value.some(({ type }) => type === 'Gone')
    if (isGone || (requests.isOutage && !wasOutage)) this.#dropWatches({})
    if (!equalJson(before, this.faults))
      this.#deps.trace.emit('', {
        kind: 'cluster.faultsChanged',
        subject: { kind: 'cluster' },
        causes: [],
        data: { faults: this.faults.map(faultText).join('; ') },
      })
    for (const listener of this.#listeners) listener()
    return undefined
  }

  #faultsOf(node: SimulatedNode): readonly Fault[] {
    const { nodeName, faults } = node
    const { runtime, call, isDiskFull, hasSlowMounts } = faults.state
    const skewMs = this.#deps.clocks.get(nodeName)?.skewMs ?? 0
    const isCut = this.#deps.outages.get(nodeName)?.isCut === true
    const found: Fault[] = []
    if (isCut) found.push({ type: 'CutOff', node: nodeName })
    if (skewMs !== 0) found.push({ type: 'ClockSkew', node: nodeName, skew: skewText(skewMs) })
    if (runtime !== 'answers') found.push({ type: 'Runtime', node: nodeName, state: runtime })
    if (call !== null) {
      const pod = call.pod === null ? {} : { pod: `${call.pod.namespace}/${call.pod.name}` }
      found.push({ type: 'RuntimeCall', node: nodeName, call: call.call, how: call.how, ...pod })
    }
    if (isDiskFull === true) found.push({ type: 'FullDisk', node: nodeName })
    if (hasSlowMounts) found.push({ type: 'SlowMounts', node: nodeName })
    return found
  }

  #setNode(node: SimulatedNode, faults: readonly Fault[]): void {
    const { nodeName, faults: switches } = node
    const own = faults.filter((fault) => fault.node === nodeName)
    const find = (type: Fault['type']): Fault | undefined =>
      own.find((fault) => fault.type === type)
    const { runtime, call, isDiskFull, hasSlowMounts } = switches.state
    const outage = this.#deps.outages.get(nodeName)
    const isCut = find('CutOff') !== undefined
    if (isCut && outage?.isCut === false) outage.cut()
    if (!isCut && outage?.isCut === true) outage.restore()
    const clock = this.#deps.clocks.get(nodeName)
    if (clock !== undefined) clock.skewMs = skewOf(find('ClockSkew')?.skew ?? '')
    const wanted = find('Runtime')?.state ?? 'answers'
    if (wanted !== runtime) switches.setRuntime(wanted)
    const callFault = find('RuntimeCall')
    const wantedCall = callFault === undefined ? null : callFaultOf(callFault)
    if (!equalJson(wantedCall, call)) switches.setCall(wantedCall)
    const isFull = find('FullDisk') !== undefined
    if (isFull !== isDiskFull) switches.setDiskFull(isFull)
    const isSlow = find('SlowMounts') !== undefined
    if (isSlow !== hasSlowMounts) switches.setSlowMounts(isSlow)
  }

  #setDrops(drops: readonly Fault[]): void {
    for (const cancel of this.#timers.splice(0)) cancel()
    this.#drops = drops
    for (const [index, drop] of drops.entries()) this.#dropEvery(drop, index)
  }

  #dropEvery(drop: Fault, index: number): void {
    this.#timers[index] = this.#deps.clock.after(parseDuration(drop.every ?? '') ?? 1000, () => {
      this.#dropWatches(drop)
      this.#dropEvery(drop, index)
    })
  }

  /** Those of a node's kubelet, of users that a pattern fits, or all. */
  #dropWatches({ node, user }: Pick<Fault, 'node' | 'user'>): void {
    const { outages, requests } = this.#deps
    for (const [name, outage] of outages)
      if ((node ?? name) === name && matches(user, `system:node:${name}`)) outage.dropWatches()
    if (node === undefined) requests.dropWatches(user)
  }
}
