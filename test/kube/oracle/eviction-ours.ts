import { goFloat } from '../../../src/shared/go/float.ts'
import { formatQuantity } from '../../../src/shared/kubernetes/quantity.ts'
import { err, ok } from '../../../src/shared/result.ts'
import type { Result } from '../../../src/shared/result.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { PodEvictor } from '../../../src/main/kubelet/eviction/evict-pod.ts'
import { EvictionManager } from '../../../src/main/kubelet/eviction/eviction-manager.ts'
import { parseThresholdConfig } from '../../../src/main/kubelet/eviction/parse-thresholds.ts'
import type { NodeFigures } from '../../../src/main/kubelet/eviction/stats.ts'
import type { Threshold, ThresholdValue } from '../../../src/main/kubelet/eviction/thresholds.ts'
import type { Clock } from '../../../src/main/kubelet/ports.ts'
import type { Asked, ManagerAsked, Round } from './random-pressure.ts'
import { Victims } from './victims.ts'

export function parsed({
  hard,
  soft,
  grace,
  reclaim,
  pods,
}: Asked): Result<readonly Threshold[], string> {
  return parseThresholdConfig({
    evictionHard: hard,
    evictionSoft: soft,
    evictionSoftGracePeriod: grace,
    evictionMinimumReclaim: reclaim,
    enforcesPods: pods,
  })
}

function valueText(value: ThresholdValue | undefined): string {
  if (value === undefined) return ''
  return 'quantity' in value ? formatQuantity(value.quantity) : `${goFloat(value.percentage)}%`
}

/** As overlay/pkg/kubelet/eviction/nodescope_manager.go writes one. */
function thresholdText(threshold: Threshold): string {
  const { signal, value, minReclaim, gracePeriodMs } = threshold
  return `${signal}<${valueText(value)} ${valueText(minReclaim)} ${gracePeriodMs * 1e6}`
}

/** Go has two thresholds with equal percentages once, and with equal quantities twice. */
export function onceEach(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted()
}

export function thresholdTexts(thresholds: readonly Threshold[]): readonly string[] {
  return thresholds.map(thresholdText).toSorted()
}

/** With the times of the measurements from now on. */
export function timed(node: NodeFigures, now: number): NodeFigures {
  const at = <T extends { readonly time?: number | undefined }>(figures: T | undefined) =>
    figures && { ...figures, time: figures.time === undefined ? undefined : now + figures.time }
  return {
    memory: at(node.memory),
    podsMemory: at(node.podsMemory),
    nodeFs: at(node.nodeFs),
    imageFs: at(node.imageFs),
    containerFs: at(node.containerFs),
    rlimit: at(node.rlimit),
  }
}

/** A manager with everything around it. */
export class OurManager {
  readonly #manager: EvictionManager
  #round: Round | undefined
  #order: readonly string[] = []
  #reclaims: string[] = []
  #victims = new Victims([])
  readonly #clock: Clock

  constructor(asked: ManagerAsked, thresholds: readonly Threshold[], clock: Clock) {
    this.#clock = clock
    const { imageFs, containerFs } = asked.layout
    this.#manager = new EvictionManager({
      clock,
      trace: new FakeTrace(),
      log: new FakeLog(),
      recorder: { event: (...event) => this.#victims.recorder.event(...event) },
      settings: {
        thresholds,
        pressureTransitionPeriodMs: asked.transitionMs,
        maxPodGracePeriodSeconds: asked.maxPodGrace,
        kernelMemcgNotification: false,
        localStorageCapacityIsolation: asked.isolation,
        isConfigured: true,
      },
      stats: {
        node: () => Promise.resolve(this.#node()),
        pods: () =>
          Promise.resolve(
            ok((this.#round?.pods ?? []).flatMap(({ figures }) => (figures ? [figures] : []))),
          ),
        diskLayout: () =>
          Promise.resolve(
            ok({ hasDedicatedImageFs: imageFs, hasDedicatedContainerFs: containerFs }),
          ),
      },
      evictor: new PodEvictor({
        clock,
        trace: new FakeTrace(),
        recorder: { event: (...event) => this.#victims.recorder.event(...event) },
        kill: (...kill) => this.#victims.kill(...kill),
      }),
      activePods: () => (this.#round?.pods ?? []).map(({ spec }) => spec),
      isPodFinished: () => true,
      reclaim: {
        'dead containers': () => this.#reclaim('dead containers', this.#round?.deadError),
        'unused images': () => this.#reclaim('unused images', this.#round?.imageError),
      },
      inOrder: (met) =>
        met.toSorted(
          (a, b) => this.#order.indexOf(thresholdText(a)) - this.#order.indexOf(thresholdText(b)),
        ),
    })
  }

  /** `order`: of the thresholds whose grace period has passed, which in a kubelet is random. */
  async round(round: Round, order: readonly string[]): Promise<unknown> {
    this.#round = round
    this.#order = order
    this.#reclaims = []
    this.#victims = new Victims([])
    const evicted = await this.#manager.synchronize()
    const { conditions, thresholds, firstObservedAt } = this.#manager.state
    return {
      evicted: evicted.map(({ metadata }) => metadata.uid),
      conditions: conditions.toSorted(),
      order,
      reclaims: this.#reclaims,
      thresholds: thresholdTexts(thresholds),
      since: onceEach(
        [...firstObservedAt].map(([threshold, at]) => `${thresholdText(threshold)} @${at}`),
      ),
      events: this.#victims.events,
      killed: this.#victims.killed,
    }
  }

  #node(): Result<NodeFigures, string> {
    const round = this.#round
    if (round === undefined || round.statsError !== '') return err(round?.statsError ?? '')
    const { node, reclaimed } = round
    const isReclaimed = this.#reclaims.length > 0 && reclaimed !== null
    return ok(timed(isReclaimed ? reclaimed : node, this.#clock.now()))
  }

  #reclaim(kind: string, failure = ''): Promise<Result<undefined, string>> {
    this.#reclaims.push(kind)
    return Promise.resolve(failure === '' ? ok(undefined) : err(failure))
  }
}
