import type { ActFacts, ActForecast, ForecastLane } from './act.ts'
import type { Grace } from './forecast-grace.ts'
import {
  effectiveGrace,
  protections,
  replacementSentence,
  stopMarks,
  terminatingWarnings,
} from './forecast-grace.ts'

type Deletion = 'delete' | 'forceDelete' | 'deleteMirror'

/** The three deletions through the API server (semantics 8.11 and 3.4). `asked` null: the pod's own grace. Pure. */
export function forecastDelete(act: Deletion, facts: ActFacts, asked: number | null): ActForecast {
  switch (act) {
    case 'delete':
      return forecastGraceful(facts, asked)
    case 'forceDelete':
      return forecastForced(facts)
    case 'deleteMirror':
      return forecastMirror(facts, asked === 0)
  }
}

function apiRefusal(facts: ActFacts): string {
  if (facts.readOnly) return 'Nodescope was started with --read-only: it shows and does not act.'
  if (!facts.apiServerReachable)
    return 'The API server does not answer now, and it is the one that deletes.'
  return ''
}

function podRefusal(facts: ActFacts): string {
  if (facts.kind === 'static')
    return 'A static pod is not in the API, only its mirror is: to stop it, take its manifest away.'
  const refusal = apiRefusal(facts)
  if (refusal !== '') return refusal
  return facts.hasApiObject
    ? ''
    : 'Its object is gone from the API server; only its containers are still being stopped.'
}

function finalizerOutcome(facts: ActFacts, otherwise: string): string {
  return facts.finalizers.length === 0
    ? otherwise
    : `object stays until ${facts.finalizers.join(', ')} is removed`
}

function finalizerWarnings(facts: ActFacts): readonly string[] {
  return facts.finalizers.length === 0
    ? []
    : [
        `${facts.finalizers.join(', ')} keeps the object until its owner takes it off: then it reads Terminating with nothing running.`,
      ]
}

const noHandler =
  'Without a handler PID 1 ignores SIGTERM: the container is killed at the end and exits 137.'

function forecastGraceful(facts: ActFacts, asked: number | null): ActForecast {
  const isTerminal = facts.phase === 'Succeeded' || facts.phase === 'Failed'
  // kubectl reads 0 without --force as 1.
  const wanted = asked === null ? null : Math.max(1, asked)
  const grace = effectiveGrace(facts, wanted)
  const refusal = podRefusal(facts)
  const runs = facts.runningContainers > 0
  return {
    act: 'delete',
    isAllowed: refusal === '',
    refusal,
    title: 'Delete',
    summary: isTerminal
      ? `The pod is over: the API server deletes the object at once, and nothing is left to stop.${replacementSentence(facts)}`
      : `The API server marks the object with deletionTimestamp. The kubelet stops its containers, writes their last status and deletes the object.${replacementSentence(facts)}`,
    marks: stopMarks(facts, grace, [
      { atSeconds: grace.killSeconds + 1, label: 'object gone', tone: 'terminated' },
    ]),
    graceSeconds: isTerminal ? 0 : grace.workerSeconds,
    outcome: finalizerOutcome(facts, 'object gone'),
    warnings: [
      ...terminatingWarnings(facts, grace),
      ...finalizerWarnings(facts),
      ...(runs ? [noHandler] : []),
    ],
    protections: protections(facts, 'not asked by a delete'),
    kubectl: {
      caption: 'the same with kubectl',
      line: `kubectl delete pod -n ${facts.namespace} ${facts.name}${wanted === null ? '' : ` --grace-period=${wanted}`}`,
    },
    confirm: isTerminal ? 'Delete' : `Delete, ${grace.workerSeconds} s grace`,
    takesGrace: !isTerminal,
    lanes: null,
    isSelfRighting: false,
  }
}

function forecastForced(facts: ActFacts): ActForecast {
  const grace = effectiveGrace(facts, 0)
  const refusal = podRefusal(facts)
  const runs = facts.runningContainers > 0
  return {
    act: 'forceDelete',
    isAllowed: refusal === '',
    refusal,
    title: 'Delete by force',
    summary: `The API server drops the object at once, without waiting for the kubelet to confirm. The kubelet then stops its containers with the least grace.${replacementSentence(facts)}`,
    marks: stopMarks(facts, grace, [
      { atSeconds: grace.killSeconds + 0.5, label: 'containers gone', tone: 'terminated' },
    ]),
    graceSeconds: grace.workerSeconds,
    outcome: finalizerOutcome(facts, 'object gone at once'),
    warnings: [
      ...terminatingWarnings(facts, grace),
      ...finalizerWarnings(facts),
      ...(runs
        ? [
            'The name is free while its containers still run, so another pod of this name can run beside it for a moment; how it ended is written nowhere.',
          ]
        : []),
    ],
    protections: protections(facts, 'not asked by a delete'),
    kubectl: {
      caption: 'the same with kubectl',
      line: `kubectl delete pod -n ${facts.namespace} ${facts.name} --grace-period=0 --force`,
    },
    confirm: 'Delete by force',
    takesGrace: false,
    lanes: null,
    isSelfRighting: false,
  }
}

function mirrorRefusal(facts: ActFacts): string {
  if (facts.kind === 'regular') return 'It came from the API, so it has no mirror.'
  const refusal = apiRefusal(facts)
  if (refusal !== '') return refusal
  return facts.hasApiObject ? '' : 'There is no mirror in the API server now.'
}

/** Whether a SyncPod will run that could make the mirror anew (semantics 3.3). */
function isMadeAnew(facts: ActFacts): boolean {
  return facts.kind === 'static' && facts.worker === 'SyncPod' && !facts.terminationRequested
}

/** The mirror comes back with the next batch of statuses at the latest, forced with the next periodic sync (semantics 3.4). */
const backSeconds = { graceful: 10, forced: 90 } as const

function mirrorLanes(facts: ActFacts, isForced: boolean): readonly ForecastLane[] {
  const back = isForced ? backSeconds.forced : backSeconds.graceful
  const to = back * 1.25
  const containers: ForecastLane = {
    label: 'containers',
    spans: [
      facts.runningContainers > 0
        ? { fromSeconds: 0, toSeconds: to, look: 'runs', text: 'run on, started as before' }
        : { fromSeconds: 0, toSeconds: to, look: 'expected', text: 'none is running' },
    ],
  }
  const old: ForecastLane = {
    label: 'old mirror',
    spans: [
      {
        fromSeconds: 0,
        toSeconds: to / 40,
        look: 'expected',
        text: isForced
          ? 'gone at once'
          : 'deletionTimestamp, then DELETE grace 0 with its UID as precondition',
      },
    ],
  }
  if (!isMadeAnew(facts)) return [containers, old]
  return [
    containers,
    old,
    {
      label: 'new mirror',
      spans: [
        {
          fromSeconds: to / 35,
          toSeconds: back,
          look: 'expected',
          text: isForced
            ? 'none, until the next periodic sync makes it'
            : 'new UID, same hash; Pending until its status is written',
        },
        { fromSeconds: back, toSeconds: to, look: 'there', text: facts.phase },
      ],
    },
  ]
}

function mirrorWarnings(facts: ActFacts, isForced: boolean): readonly string[] {
  if (facts.kind === 'mirror') return []
  if (!isMadeAnew(facts))
    return [
      'Its worker does not sync it any more, so no new mirror is made: kubectl will show nothing of it.',
    ]
  return isForced
    ? [
        'Forced, the kubelet learns of it too late to act: for up to 90 s the pod runs and the API shows nothing.',
      ]
    : []
}

function forecastMirror(facts: ActFacts, isForced: boolean): ActForecast {
  const refusal = mirrorRefusal(facts)
  const isBack = isMadeAnew(facts)
  const grace: Grace = {
    workerSeconds: 0,
    termSeconds: 0,
    killSeconds: 0,
    isShortened: false,
    isLengthened: false,
  }
  return {
    act: 'deleteMirror',
    isAllowed: refusal === '',
    refusal,
    title: 'Delete the mirror pod',
    summary:
      facts.kind === 'mirror'
        ? 'This mirror has no static pod here: it goes, nothing is stopped, and nobody makes it anew.'
        : isBack
          ? 'Only the API server’s copy goes, and it comes back. The containers of the static pod are not touched.'
          : 'Only the API server’s copy goes. The containers of the static pod are not touched by it.',
    marks: [],
    graceSeconds: grace.workerSeconds,
    outcome: isBack ? 'a new mirror with another UID' : 'no mirror',
    warnings: mirrorWarnings(facts, isForced),
    protections: [
      {
        label: 'to stop the pod itself',
        value: facts.kind === 'mirror' ? 'nothing runs' : 'take its manifest away',
      },
      { label: 'events to expect', value: 'none' },
    ],
    kubectl: {
      caption: 'the same with kubectl, which would otherwise wait for a name that is back at once',
      line: `kubectl delete pod -n ${facts.namespace} ${facts.name}${isForced ? ' --grace-period=0 --force' : ''} --wait=false`,
    },
    confirm: isForced ? 'Delete mirror by force' : 'Delete mirror',
    takesGrace: false,
    lanes: mirrorLanes(facts, isForced),
    isSelfRighting: isBack,
  }
}
