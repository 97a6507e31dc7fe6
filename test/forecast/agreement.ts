import type { ActError, ActReceipt } from '../../src/shared/ipc/contract.ts'
import type { ActEffect, ObjectEffect, ObjectEnd } from '../../src/shared/model/act.ts'
import type { Span } from '../../src/shared/model/span.ts'
import { answerWords } from '../../src/shared/model/forecast/forecast-words.ts'
import type { TraceEvent } from '../../src/shared/model/trace-event.ts'
import type { Result } from '../../src/shared/result.ts'
import type { ObjectSample } from './act-scenario.ts'

/** What was seen of an act. Seconds after the click. */
export interface Outcome {
  readonly answer: Result<ActReceipt, ActError>
  /** The API server's object of that name; the first before the act. */
  readonly samples: readonly ObjectSample[]
  /** Containers that ran at the click. */
  readonly ran: readonly { readonly name: string; readonly isSidecar: boolean }[]
  readonly exits: readonly {
    readonly name: string
    readonly code: number
    readonly atSeconds: number
  }[]
  readonly starts: readonly { readonly name: string; readonly atSeconds: number }[]
}

/** Of the containers of one pod, from the trace after the click. */
export function containerEvents(
  events: readonly TraceEvent[],
  uid: string,
  clickedAt: number,
): Pick<Outcome, 'exits' | 'starts'> {
  const own = events.filter(({ subject }) => subject.kind === 'pod' && subject.uid === uid)
  return {
    exits: own.flatMap((event) =>
      event.kind === 'container.exited'
        ? [
            {
              name: event.data.container,
              code: event.data.exitCode,
              atSeconds: (event.at - clickedAt) / 1000,
            },
          ]
        : [],
    ),
    starts: own.flatMap((event) =>
      event.kind === 'container.started'
        ? [{ name: event.data.container, atSeconds: (event.at - clickedAt) / 1000 }]
        : [],
    ),
  }
}

/** Looks are a quarter of a second apart, and what dies takes a moment. */
const tolerance = 0.35

function within(
  what: string,
  at: number | undefined,
  { earliest, latest }: Span,
): readonly string[] {
  if (at === undefined) return latest === null ? [] : [`${what}: never, forecast by ${latest} s`]
  const isEarly = at < earliest - tolerance
  const isLate = latest !== null && at > latest + tolerance
  return isEarly || isLate
    ? [`${what}: at ${at} s, forecast ${earliest} to ${String(latest)} s`]
    : []
}

function endOf({ samples }: Outcome): ObjectEnd | undefined {
  const status = samples.at(-1)?.pod?.status
  // The API has more phases and reasons than a forecast; compared as text.
  return status === undefined
    ? undefined
    : ({ phase: status.phase, reason: status.reason ?? '' } as ObjectEnd)
}

/** The ends that were forecast for how the containers ended: the first where one was killed or failed. */
function expectedEnds(
  { ends, isSure }: Extract<ObjectEffect, { readonly kind: 'stays' }>,
  { containers }: ActEffect,
  { exits: all, ran }: Outcome,
): readonly ObjectEnd[] {
  const one = containers.kind === 'stopOne' ? containers.name : undefined
  const exits = one === undefined ? all : all.filter(({ name }) => name === one).slice(0, 1)
  const sidecars = new Set(ran.filter(({ isSidecar }) => isSidecar).map(({ name }) => name))
  const haveAllExitedZero = exits.every(({ name, code }) => code === 0 || sidecars.has(name))
  if (!haveAllExitedZero) return ends.slice(0, 1)
  return isSure ? ends.slice(-1) : ends
}

function objectDifferences(effect: ActEffect, outcome: Outcome): readonly string[] {
  const { object } = effect
  const { samples } = outcome
  const before = samples[0]?.pod ?? null
  const last = samples.at(-1)?.pod ?? null
  const uid = before?.metadata.uid
  const goneAt = samples.find(({ pod }) => pod?.metadata.uid !== uid)?.atSeconds
  const backAt = samples.find(({ pod }) => pod !== null && pod.metadata.uid !== uid)?.atSeconds
  const isKept = before !== null && goneAt === undefined
  const isDeleted = last?.metadata.deletionTimestamp !== undefined
  const now =
    last === null ? 'gone' : `${last.status?.phase ?? ''} ${isDeleted ? 'Terminating' : ''}`
  switch (object.kind) {
    case 'absent':
      return samples.every(({ pod }) => pod === null) ? [] : [`object: ${now}, forecast absent`]
    case 'unchanged':
      return isKept &&
        last?.status?.phase === before.status?.phase &&
        last?.metadata.deletionTimestamp === before.metadata.deletionTimestamp
        ? []
        : [`object: ${now}, forecast unchanged`]
    case 'stays': {
      const wanted = expectedEnds(object, effect, outcome)
      const end = endOf(outcome)
      if (!isKept || isDeleted) return [`object: ${now}, forecast stays`]
      if (object.ends.length === 0) return []
      return wanted.some(({ phase, reason }) => phase === end?.phase && reason === end.reason)
        ? []
        : [`end: ${JSON.stringify(end)}, forecast ${JSON.stringify(wanted)}`]
    }
    case 'goes':
      return backAt !== undefined
        ? ['object: replaced, forecast goes']
        : within('gone', goneAt, object.after)
    case 'held':
    case 'terminating':
      return isKept && isDeleted ? [] : [`object: ${now}, forecast Terminating`]
    case 'replaced':
      return [
        ...within('gone', goneAt, object.gone),
        ...within('back', backAt, object.back),
        ...(backAt === undefined ? ['object: not back'] : []),
      ]
  }
}

function containerDifferences(effect: ActEffect, outcome: Outcome): readonly string[] {
  const { containers, startsAgain } = effect
  const { exits, ran, starts } = outcome
  const exitOf = (name: string) => exits.find((exit) => exit.name === name)
  // A sync that is under way may start containers before the stop.
  const isOpen = containers.kind === 'stop' && containers.latest === null
  const started = starts.map(({ name }) => name).join()
  const restarts =
    startsAgain || isOpen || starts.length === 0 ? [] : [`started: ${started}, forecast none`]
  switch (containers.kind) {
    case 'none':
      return [...restarts, ...(ran.length === 0 ? [] : ['containers ran, forecast none'])]
    case 'stopOne':
      return [...restarts, ...oneDifferences(effect, containers, outcome)]
    case 'runOn':
      return [
        ...restarts,
        ...ran.flatMap(({ name }) =>
          exitOf(name) === undefined ? [] : [`${name} ended, forecast runs on`],
        ),
      ]
    case 'stop':
      return [
        ...restarts,
        ...(ran.length === 0 && !isOpen ? ['none ran, forecast stop'] : []),
        ...ran.flatMap(({ name }) => {
          const exit = exitOf(name)
          const { latest } = containers
          return [
            ...within(`${name} ended`, exit?.atSeconds, containers),
            ...(exit !== undefined &&
            latest !== null &&
            exit.atSeconds > latest - 0.1 &&
            exit.code !== 137
              ? [`${name}: exit ${exit.code} at SIGKILL, forecast 137`]
              : []),
          ]
        }),
      ]
  }
}

/** What came of one container that was stopped, and of the others. */
function oneDifferences(
  { restart, startsAgain }: ActEffect,
  { name, ...span }: { readonly name: string } & Span,
  outcome: Outcome,
): readonly string[] {
  const { exits, ran, starts, samples } = outcome
  const exit = exits.find((one) => one.name === name)
  if (restart === undefined) return ['no restart in the forecast']
  if (exit === undefined) return [`${name}: did not end`]
  const next = restart.after[exit.code === 0 ? 'exitZero' : 'failed']
  const own = starts.filter((start) => start.name === name && start.atSeconds >= exit.atSeconds)
  const [again] = own
  const waited = again === undefined ? undefined : again.atSeconds - exit.atSeconds
  const { containerStatuses = [], initContainerStatuses = [] } = samples.at(-1)?.pod?.status ?? {}
  const counted = [...containerStatuses, ...initContainerStatuses].find(
    (status) => status.name === name,
  )?.restartCount
  const others = ran.filter((other) => other.name !== name)
  return [
    ...within(`${name} ended`, exit.atSeconds, span),
    ...(span.latest !== null && exit.atSeconds > span.latest && exit.code !== 137
      ? [`${name}: exit ${exit.code} at SIGKILL, forecast 137`]
      : []),
    ...(next === 'restarts'
      ? [
          ...(again === undefined ? [`${name}: did not start again`] : []),
          ...within(`${name} started again`, waited, restart.wait),
          ...(own.length === 1 && counted !== undefined && counted > restart.restarts
            ? [`restartCount ${counted}, forecast ${restart.restarts}`]
            : []),
        ]
      : again === undefined
        ? []
        : [`${name}: started again, forecast ${next}`]),
    ...(next === 'startsNext' && starts.length === 0 ? ['no other container started'] : []),
    ...(startsAgain && next !== 'podEnds'
      ? others.flatMap((other) =>
          exits.some((one) => one.name === other.name) ? [`${other.name} ended too`] : [],
        )
      : []),
  ]
}

function answerDifferences({ answer }: ActEffect, outcome: Outcome): readonly string[] {
  const said = outcome.answer.ok ? 'done' : outcome.answer.error.message
  switch (answer.kind) {
    case 'notAsked':
    case 'accepts':
      return outcome.answer.ok ? [] : [`answer: ${said}, forecast ${answer.kind}`]
    case 'refuses': {
      const words = `(${answerWords(answer.code, answer.reason)})`
      return said.includes(words) ? [] : [`answer: ${said}, forecast ${words}`]
    }
    case 'unknown':
      return ['answer: unknown, where budgets can be read']
  }
}

/** Every field of the forecast that was not so, as a sentence each. */
export function differences(effect: ActEffect, outcome: Outcome): readonly string[] {
  return [
    ...answerDifferences(effect, outcome),
    ...objectDifferences(effect, outcome),
    ...containerDifferences(effect, outcome),
  ]
}

/** Seconds; a shorter time is named to be sure. */
const noticeable = 5

/** What a forecast names as possible and not as certain. */
export function possibilities({ object, containers, restart }: ActEffect): readonly string[] {
  return [
    ...(object.kind === 'stays'
      ? object.ends.map(({ phase, reason }) => `ends ${phase} ${reason}`)
      : []),
    ...(object.kind === 'goes' && object.after.latest !== 0 && object.after.latest !== null
      ? ['gone late']
      : []),
    ...(object.kind === 'replaced' && object.back.latest !== null && object.back.latest > noticeable
      ? [`back late, within ${object.back.latest} s`]
      : []),
    ...(containers.kind === 'stop' && containers.latest !== null
      ? ['ended by SIGKILL', 'ended by itself']
      : []),
    ...(containers.kind === 'stopOne'
      ? containers.latest === 0
        ? ['ended by SIGKILL']
        : ['ended by SIGKILL', 'ended by itself', `after exit 0 ${String(restart?.after.exitZero)}`]
      : []),
    ...(restart === undefined ? [] : [`after SIGKILL ${restart.after.failed}`]),
  ]
}

/** What of it was so. Late: nearer to the forecast's last moment than to its first. */
export function reached(effect: ActEffect, outcome: Outcome): readonly string[] {
  const { object, containers } = effect
  const { samples, exits } = outcome
  const uid = samples[0]?.pod?.metadata.uid
  const goneAt = samples.find(({ pod }) => pod?.metadata.uid !== uid)?.atSeconds
  const backAt = samples.find(({ pod }) => pod !== null && pod.metadata.uid !== uid)?.atSeconds
  const isLate = (at: number | undefined, latest: number | null): boolean =>
    at !== undefined && latest !== null && at > latest / 2
  const end = endOf(outcome)
  const names = [
    ...(object.kind === 'stays' && end !== undefined ? [`ends ${end.phase} ${end.reason}`] : []),
    ...(object.kind === 'goes' && isLate(goneAt, object.after.latest) ? ['gone late'] : []),
    ...(object.kind === 'replaced' && isLate(backAt, object.back.latest)
      ? [`back late, within ${String(object.back.latest)} s`]
      : []),
  ]
  if (containers.kind === 'stopOne')
    return [...names, ...reachedByOne(effect, containers.name, exits)]
  if (containers.kind !== 'stop') return names
  return [
    ...names,
    ...(exits.some(({ code }) => code === 137) ? ['ended by SIGKILL'] : []),
    ...(exits.some(({ code }) => code !== 137) ? ['ended by itself'] : []),
  ]
}

function reachedByOne(
  { restart }: ActEffect,
  stopped: string,
  exits: Outcome['exits'],
): readonly string[] {
  const code = exits.find(({ name }) => name === stopped)?.code
  if (code === undefined) return []
  return [
    code === 137 ? 'ended by SIGKILL' : 'ended by itself',
    ...(code === 0 ? [`after exit 0 ${String(restart?.after.exitZero)}`] : []),
    ...(code === 137 ? [`after SIGKILL ${String(restart?.after.failed)}`] : []),
  ]
}
