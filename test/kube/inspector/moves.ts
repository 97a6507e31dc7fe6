import type { FlowArrow } from '../../../src/shared/model/flow-arrows.ts'
import type { Certainty } from '../../../src/shared/model/inspect/evidence.ts'
import type { TraceEvent } from '../../../src/shared/model/trace-event.ts'
import { inferredMove } from '../../../src/main/session/seen/inferred-flow.ts'
import type { Agreement } from './agreement.ts'
import { timeOf } from './worker-log.ts'

/** Something that moved in a kubelet, of a pod by its `namespace/name`. `at`: ms. */
export interface Move {
  readonly arrow: FlowArrow
  readonly pod: string
  readonly at: number
  /** As Flow says it; what the log has is certain. */
  readonly certainty: Certainty
  readonly text: string
}

/** What Flow draws for an event of a pod. */
export function moveOf(event: TraceEvent): Move | undefined {
  const move = inferredMove(event)
  const { subject, at } = event
  if (move === undefined || !('namespace' in subject)) return undefined
  const pod = `${subject.namespace}/${subject.name}`
  return { ...move, certainty: move.certainty ?? 'possible', pod, at }
}

// At -v=4. Events of the kubelet are in its log as they are in the API, so that they are compared by what else it logs.
const patterns: readonly (readonly [RegExp, FlowArrow])[] = [
  [/"Creating container in pod"/, 'podWorkers-runtime-start'],
  // The event Killing comes before the hook.
  [/"(Killing container with a grace period|Running preStop hook)"/, 'podWorkers-runtime-stop'],
  [/"SyncLoop \(PLEG\): event for pod".*"Type":"ContainerDied"/, 'runtime-pleg'],
  [/"Status for pod updated successfully"/, 'statusManager-apiServer'],
  [/"Creating a mirror pod for static pod"/, 'mirrorClient-apiServer'],
  [/"SyncLoop [A-Z]+" source="api"/, 'apiServer-api'],
  [/"Pod is being synced for the first time"/, 'syncLoop-podWorkers'],
  [/"Pod is [^"]*begin teardown"/, 'syncLoop-podWorkers'],
  [/"Pod indicated lifecycle completed naturally and should now terminate"/, 'syncLoop-podWorkers'],
]

/** What the log of a kubelet at -v=4 says of these arrows, in order. */
export function loggedMoves(text: string, year: number): readonly Move[] {
  const names = new Map<string, string>()
  return text.split('\n').flatMap((line) => {
    const at = timeOf(line, year)
    const [, uid = ''] = / podUID="([^"]+)"/.exec(line) ?? []
    const [, name = names.get(uid)] = / pod="([^"]+)"/.exec(line) ?? []
    if (uid !== '' && name !== undefined) names.set(uid, name)
    const found = patterns.find(([pattern]) => pattern.test(line))
    if (at === undefined || found === undefined) return []
    const [, list = ''] = / pods=\[([^\]]*)\]/.exec(line) ?? []
    const pods =
      list === '' ? [name ?? ''] : [...list.matchAll(/"([^"]+)"/g)].map(([, one]) => one ?? '')
    return pods.map(
      (pod) => ({ arrow: found[1], pod, at, certainty: 'certain', text: '' }) as const,
    )
  })
}

/** A move is seen when its status is written and a watch brings it. Times of the API are whole seconds. */
const laterMs = 10_000
const earlierMs = 1500

/** Which moves the log has at their time. Each of its entries counts for the moves near it, since a watch joins changes. */
export function moveAgreement(moves: readonly Move[], logged: readonly Move[]): Agreement {
  const known = new Set(patterns.map(([, arrow]) => arrow))
  const byCertainty: Partial<Record<Certainty, { samples: number; agreed: number }>> = {}
  const misses: string[] = []
  for (const { arrow, pod, at, certainty, text } of moves) {
    if (!known.has(arrow)) continue
    const count = (byCertainty[certainty] ??= { samples: 0, agreed: 0 })
    count.samples++
    const isLogged = logged.some(
      (one) =>
        one.arrow === arrow && one.pod === pod && one.at > at - laterMs && one.at < at + earlierMs,
    )
    if (isLogged) count.agreed++
    else misses.push(`${certainty} ${arrow} ${pod} ${text} ${new Date(at).toISOString()}`)
  }
  return { byCertainty, notKnown: 0, misses }
}

/** How many of the log's moves Flow has near their time, an arrow each. */
export function shareOfLogged(moves: readonly Move[], logged: readonly Move[]): string {
  return [...new Set(patterns.map(([, arrow]) => arrow))]
    .map((arrow) => {
      const own = logged.filter((one) => one.arrow === arrow)
      const found = own.filter(({ pod, at }) =>
        moves.some(
          (move) =>
            move.arrow === arrow &&
            move.pod === pod &&
            at > move.at - laterMs &&
            at < move.at + earlierMs,
        ),
      )
      return `${arrow} ${found.length} of ${own.length}`
    })
    .join(', ')
}
