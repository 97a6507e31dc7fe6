import type { ActForecast, ContainerActFacts, ForecastMark, RestartEffect } from '../act.ts'
import type { ForecastInput } from './forecast-input.ts'

/** A forecast of an act on a container that is known. */
interface ContainerInput extends ForecastInput {
  readonly target: ContainerActFacts
  readonly restart: RestartEffect
}

function withContainer(input: ForecastInput): ContainerInput | undefined {
  const { target } = input
  const { restart } = input.effect
  return target === undefined || restart === undefined ? undefined : { ...input, target, restart }
}

function stopSentence({ grace }: ForecastInput): string {
  return grace.killSeconds === 0
    ? 'The runtime sends SIGKILL at once: exit code 137.'
    : `The runtime sends SIGTERM, and SIGKILL after ${Math.ceil(grace.killSeconds)} s to what still runs: exit code 137.`
}

/** When and as what it runs again. */
function againWords({ restart: { wait, restarts } }: ContainerInput): string {
  const when =
    wait.earliest === 0
      ? wait.latest === null
        ? 'as soon as its image is pulled or the sync under way has ended'
        : `within ${wait.latest} s of its end`
      : `${wait.earliest} s after its end at the earliest (back-off), with the next sync`
  return `${when}, with restartCount ${restarts}`
}

function policyWords({ target }: ContainerInput): string {
  return target.kind === 'sidecar' ? 'A sidecar' : `With restartPolicy ${target.restartPolicy} it`
}

function endOfPod({ effect: { object } }: ContainerInput): string {
  const ends = object.kind === 'stays' ? object.ends.map(({ phase }) => phase) : []
  return ends.length === 0 ? 'the pod ends' : `the pod ends: ${ends.join(' or, after exit 0, ')}`
}

/** What the kubelet does when it sees that the container has ended. */
function nextSentence(input: ContainerInput): string {
  const { facts, target, restart, effect } = input
  const { exitZero, failed } = restart.after
  const name = policyWords(input)
  if (facts.kubelet === 'stopped')
    return 'No kubelet runs on the node, so nothing starts it again until one does.'
  if (!effect.startsAgain) return 'The pod is being stopped, so the container does not start again.'
  if (target.kind === 'ephemeral') return 'An ephemeral container is never started again.'
  if (exitZero === 'startsNext')
    return `If it exits 0, the kubelet takes the init container for completed and starts the next one. Otherwise ${
      failed === 'podEnds' ? endOfPod(input) : `it starts again ${againWords(input)}`
    }.`
  if (exitZero === 'restarts') return `${name} starts again ${againWords(input)}.`
  const stays = exitZero === 'podEnds' ? endOfPod(input) : 'the other containers run on'
  return failed === 'restarts'
    ? `${name} starts again ${againWords(input)}, unless it exits 0: then it stays Completed, and ${stays}.`
    : `${name} does not start again, and ${stays}.`
}

/** Why the API server shows it late, or not. */
function seenSentence({ facts, effect }: ForecastInput): string {
  if (facts.kubelet === 'stopped') return ''
  const seen = 'The kubelet learns of it only when it lists the containers, once a second'
  return effect.object.kind === 'unchanged' || effect.object.kind === 'terminating'
    ? `${seen}; the API object changes when the node reaches the API server again.`
    : `${seen}, and then writes the status; it records no Killing event.`
}

/** What StopContainer and the kubelet after it do, in whole sentences. Pure. */
export function restartSummary(input: ForecastInput): string {
  const known = withContainer(input)
  const stop = `Stops the container at the container runtime, as crictl does; neither the API server nor the kubelet is asked. ${stopSentence(input)}`
  if (known === undefined) return stop
  const sentences = [stop, seenSentence(input), nextSentence(known)]
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

/** From the click to what follows SIGKILL. Pure. */
export function restartMarks({
  effect: { restart },
  grace,
}: ForecastInput): readonly ForecastMark[] {
  const { killSeconds, isUnderWay } = grace
  const isStarted = restart?.after.failed === 'restarts'
  const backOff = restart?.wait.earliest ?? 0
  const last = !isStarted
    ? 'container stopped'
    : backOff === 0
      ? 'starts again'
      : `starts again after ${backOff} s`
  return [
    ...(killSeconds === 0 || isUnderWay
      ? []
      : [{ atSeconds: 0, label: 'SIGTERM', tone: 'plain' } as const]),
    { atSeconds: killSeconds, label: 'SIGKILL', tone: 'kill' },
    { atSeconds: killSeconds + 1 + (isStarted ? backOff : 0), label: last, tone: 'terminated' },
  ]
}

/** What may surprise, in whole sentences. Pure. */
export function restartWarnings(input: ForecastInput): readonly string[] {
  const known = withContainer(input)
  if (known === undefined) return []
  const { facts, target, restart, grace, effect } = known
  const isStarted = restart.after.exitZero === 'restarts' || restart.after.failed === 'restarts'
  return [
    ...(grace.killSeconds === 0
      ? []
      : [
          'Nodescope does not know whether the process handles SIGTERM. If it does not, SIGKILL ends it, with exit code 137.',
        ]),
    ...(grace.isUnderWay
      ? ['The container is being stopped already; this can only make SIGKILL come sooner.']
      : []),
    ...(target.hasPreStop ? ['Its preStop hook does not run: only the kubelet runs hooks.'] : []),
    ...(facts.kubelet === 'stopped'
      ? ['Without its kubelet, what is shown of the container is from when the kubelet stopped.']
      : []),
    ...(isStarted
      ? [
          'The kubelet takes this for an end like any other: the next one within 10 minutes waits in CrashLoopBackOff, also after exit 0.',
        ]
      : []),
    ...(isStarted &&
    target.kind === 'container' &&
    facts.containers.some(({ kind }) => kind === 'init')
      ? ['Init containers that have completed do not run again.']
      : []),
    ...(effect.startsAgain ? [readinessWarning(target, isStarted)] : []),
  ].filter((sentence) => sentence !== '')
}

function readinessWarning({ probes, kind }: ContainerActFacts, isStarted: boolean): string {
  if (kind === 'ephemeral' || kind === 'init') return ''
  if (!isStarted) return 'The pod is not Ready afterwards.'
  const waits = probes.filter((probe) => probe !== 'liveness')
  return waits.length === 0
    ? 'The pod is not Ready until the container runs again.'
    : `The pod is not Ready until the container runs again and its ${waits.join(' and ')} ${waits.length === 1 ? 'probe has' : 'probes have'} succeeded; all its probes begin again.`
}

/** What the act depends on, as label and value. Pure. */
export function restartFacts(input: ForecastInput): ActForecast['protections'] {
  const known = withContainer(input)
  if (known === undefined) return []
  const { target, restart } = known
  const { seconds, expiresInSeconds } = target.backOff
  return [
    { label: 'container', value: `${target.name}, ${target.state}` },
    {
      label: 'restartPolicy',
      value: target.kind === 'sidecar' ? 'Always, as a sidecar' : target.restartPolicy,
    },
    {
      label: 'back-off',
      value: seconds > 0 && expiresInSeconds > 0 ? `${seconds} s after its end` : 'none now',
    },
    { label: 'restarts so far', value: String(restart.restarts - 1) },
  ]
}

/** Words on the last button. Pure. */
export function restartConfirm({ target, grace }: ForecastInput): string {
  const what = `Stop ${target?.name ?? 'container'}`
  return grace.workerSeconds === 0
    ? `${what} with SIGKILL`
    : `${what}, ${grace.workerSeconds} s grace`
}
