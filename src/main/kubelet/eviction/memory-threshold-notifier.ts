/** Reacts to a crossed memory threshold before the next round (eviction memory_threshold_notifier_others.go). */
import { isMemorySignal } from '../../../shared/model/pressure/signals.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { NodeFigures } from './stats.ts'
import { isHardThreshold, quantityOf, thresholdQuantity } from './thresholds.ts'
import type { Threshold } from './thresholds.ts'

/**
 * Calls `onCrossed` each time the memory in use by the machine, or by all pods, crosses so many bytes in either direction
 * (memory.usage_in_bytes of a cgroup), until the returned function is called.
 */
export type NotifyMemory = (
  scope: 'node' | 'pods',
  usageBytes: number,
  onCrossed: () => void,
) => () => void

export class MemoryThresholdNotifier {
  readonly description: string
  readonly #threshold: Threshold
  readonly #notify: NotifyMemory
  readonly #handler: (message: string) => void
  #stop: (() => void) | undefined

  /** `handler` gets the kubelet's message. Nothing is watched before the first `updateThreshold`. */
  constructor(threshold: Threshold, notify: NotifyMemory, handler: (message: string) => void) {
    this.#threshold = threshold
    this.#notify = notify
    this.#handler = handler
    const kind = isHardThreshold(threshold) ? 'hard' : 'soft'
    const scope = this.#scope === 'pods' ? ' allocatable' : ''
    this.description = `${kind}${scope} memory eviction threshold`
  }

  get #scope(): 'node' | 'pods' {
    return this.#threshold.signal === 'allocatableMemory.available' ? 'pods' : 'node'
  }

  /** Watches the use at which the threshold is met, as of these figures. The error says which of them are missing. */
  updateThreshold(node: NodeFigures): Result<undefined, string> {
    const usage = notifiedUsage(this.#threshold, node)
    if (!usage.ok) return usage
    this.stop()
    this.#stop = this.#notify(this.#scope, usage.value, () => {
      this.#handler(`eviction manager: ${this.description} crossed`)
    })
    return ok(undefined)
  }

  stop(): void {
    this.#stop?.()
    this.#stop = undefined
  }
}

/** Bytes of usage, which includes what can be taken back from files, at which the working set meets the threshold. */
export function notifiedUsage(threshold: Threshold, node: NodeFigures): Result<number, string> {
  const isOfPods = threshold.signal === 'allocatableMemory.available'
  if (isOfPods && node.podsMemory === undefined)
    return err('system container "pods" not found in metrics')
  const { usageBytes, workingSetBytes, availableBytes } =
    (isOfPods ? node.podsMemory : node.memory) ?? {}
  if (usageBytes === undefined || workingSetBytes === undefined || availableBytes === undefined)
    return err('summary was incomplete: usage, working set or available memory is not known')
  const inactiveFile = usageBytes - workingSetBytes
  const capacity = availableBytes + workingSetBytes
  const least = thresholdQuantity(threshold.value, capacity).nanos
  const nanos = quantityOf(capacity + inactiveFile, 'binary').nanos - least
  // Go's Value: a part of a byte counts as one.
  return ok(Math.ceil(Number(nanos) / 1e9))
}

/** One for each memory threshold. */
export function memoryThresholdNotifiers(
  thresholds: readonly Threshold[],
  notify: NotifyMemory,
  handler: (message: string) => void,
): readonly MemoryThresholdNotifier[] {
  return thresholds
    .filter(({ signal }) => isMemorySignal(signal))
    .map((threshold) => new MemoryThresholdNotifier(threshold, notify, handler))
}
