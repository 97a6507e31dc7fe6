import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { PodInfo } from './pod-info.ts'

/** A pod that waits to be scheduled. Source: pkg/scheduler/framework QueuedPodInfo. */
export interface QueuedPod {
  info: PodInfo
  /** When it was queued or tried last, in milliseconds; `order` decides among equal times. */
  timestamp: number
  order: number
  /** How often plugins rejected it. */
  unschedulableCount: number
  /** How often in a row it failed for another reason. */
  errorCount: number
  /** The plugins that rejected it last. */
  plugins: ReadonlySet<string>
  /** The plugin that keeps it from being queued. */
  gatingPlugin: string | undefined
  causes: TraceCauses
}

// pkg/scheduler/apis/config: podInitialBackoffSeconds, podMaxBackoffSeconds; the window of backoff_queue.go.
const initialBackOffMs = 1000
const maxBackOffMs = 10_000
const backOffWindowMs = 1000

function toWindow(time: number): number {
  return Math.floor(time / backOffWindowMs) * backOffWindowMs
}

/** When the back-off of a pod ends; 0 without one. Source: getBackoffTime. */
export function backOffExpiration({
  unschedulableCount,
  errorCount,
  timestamp,
}: QueuedPod): number {
  const count = errorCount > 0 ? errorCount : unschedulableCount
  if (count === 0) return 0
  const duration = Math.min(maxBackOffMs, initialBackOffMs * 2 ** Math.min(count - 1, 30))
  return toWindow(timestamp + duration)
}

export function isBackingOff(pod: QueuedPod, now: number): boolean {
  return backOffExpiration(pod) >= toWindow(now)
}

/** The first time at which the pod no longer backs off. */
export function backOffEnd(pod: QueuedPod): number {
  return backOffExpiration(pod) + backOffWindowMs
}

/** The order of plugin PrioritySort: by priority, then by time. */
export function byPriority(a: QueuedPod, b: QueuedPod): number {
  return b.info.priority - a.info.priority || a.timestamp - b.timestamp || a.order - b.order
}
