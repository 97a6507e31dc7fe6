import type { Replacement } from '../../../shared/model/workloads/workloads.ts'

/** A part of the axis, from 0 to 1. */
interface Span {
  readonly from: number
  readonly to: number
}

/** One pod's end and the other's begin on one axis; parts that are not there are undefined. */
export interface ReplacementAxis {
  readonly ran: Span
  readonly stopping: Span | undefined
  /** Where the other one was made. */
  readonly made: number
  readonly withoutNode: Span
  readonly onNode: Span | undefined
}

const shortestMs = 10_000
/** How much of the axis lies before the end began. */
const lead = 0.25

/** The places of a replacement's moments. `now`: ms on the cluster's clock. Pure. */
export function replacementAxis({ gone, made }: Replacement, now: number): ReplacementAxis {
  const ended = gone.endedAt ?? now
  const bound = made.boundAt ?? now
  const lasted = Math.max(shortestMs, ended - gone.leftAt, bound - gone.leftAt)
  const place = (at: number): number =>
    Math.min(1, Math.max(0, lead + ((at - gone.leftAt) / lasted) * (1 - lead)))
  const span = (from: number, to: number): Span => ({ from: place(from), to: place(to) })
  const before = gone.leftAt - (lasted * lead) / (1 - lead)
  return {
    ran: span(Math.max(before, gone.createdAt ?? before), gone.leftAt),
    stopping: ended > gone.leftAt ? span(gone.leftAt, ended) : undefined,
    made: place(made.createdAt),
    withoutNode: span(made.createdAt, bound),
    onNode: made.boundAt === null ? undefined : { from: place(bound), to: 1 },
  }
}
