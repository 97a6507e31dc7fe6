import type { ActEffect, ActFacts, ForecastLane } from '../act.ts'

/** Until the status of a new mirror is written, with the next batch at the latest. */
const statusSeconds = 10

/** Containers, old mirror and new mirror over time; null where the kubelet makes no other in a known time. Pure. */
export function mirrorLanes(
  { object, containers }: ActEffect,
  facts: ActFacts,
): readonly ForecastLane[] | null {
  if (object.kind !== 'replaced' || object.back.latest === null) return null
  const back = Math.max(object.back.latest, statusSeconds)
  const isForced = object.gone.latest === 0
  const to = back * 1.25
  return [
    {
      label: 'containers',
      spans: [
        containers.kind === 'none'
          ? { fromSeconds: 0, toSeconds: to, style: 'expected', text: 'none runs' }
          : { fromSeconds: 0, toSeconds: to, style: 'runs', text: 'keep running, same start time' },
      ],
    },
    {
      label: 'old mirror',
      spans: [
        {
          fromSeconds: 0,
          toSeconds: to / 40,
          style: 'expected',
          text: isForced
            ? 'gone at once'
            : 'deletionTimestamp, then DELETE grace 0 with its UID as precondition',
        },
      ],
    },
    {
      label: 'new mirror',
      spans: [
        {
          fromSeconds: to / 35,
          toSeconds: back,
          style: 'expected',
          text: isForced
            ? 'none until the next periodic sync creates it'
            : 'new UID, same hash; Pending until its status is written',
        },
        { fromSeconds: back, toSeconds: to, style: 'there', text: facts.phase },
      ],
    },
  ]
}
