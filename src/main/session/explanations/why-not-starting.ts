import type { PodCondition } from '../../../shared/kubernetes/objects.ts'
import type { ContainerView } from '../../../shared/model/pod-detail.ts'
import type { WhyAnswer } from '../../../shared/model/why.ts'
import { fullNameOf, isStaticPod } from '../../kubelet/pod/identity.ts'
import { networkNotReadyMessage } from '../../kubelet/workers/pod-sync.ts'
import { timeOfDay } from '../../../shared/kubernetes/timestamps.ts'
import { clause } from '../../../shared/model/explanation/explanation-words.ts'
import { whyAnswer } from '../../../shared/model/explanation/why-steps.ts'
import type { WhyStep } from '../../../shared/model/explanation/why-steps.ts'
import type { WhyFacts } from './why-facts.ts'

const question = 'Why does it not start?'
const rejectedPrefix = 'Pod was rejected: '

function done(text: string, source: string): WhyStep {
  return { isDone: true, done: text, source }
}

/** For a pod that only the API server has: not scheduled, or bound to a node whose kubelet does not have it. */
export function whyNoNode({ known: { pod, noKubelet } }: WhyFacts): WhyAnswer | null {
  const { nodeName = '' } = pod.spec
  // A kubelet elsewhere has started it.
  if ((pod.status?.phase ?? 'Pending') !== 'Pending') return null
  const isGated = (pod.spec.schedulingGates ?? []).length > 0
  return whyAnswer(question, [
    done('The API server has stored it.', 'metadata.creationTimestamp'),
    {
      isDone: nodeName !== '',
      done: `It is bound to ${nodeName}.`,
      now: `${clause(noKubelet)}.`,
      source: isGated ? 'spec.schedulingGates' : 'conditions[PodScheduled].message',
    },
    {
      now: `${clause(noKubelet)}.`,
      next: 'Then the kubelet of its node takes it, and a worker starts it.',
      source: 'spec.nodeName',
      section: 'sync-loop#handlers',
    },
  ])
}

/** For a pod without a worker: rejected, or not dispatched yet. */
export function whyNoWorker(facts: WhyFacts): WhyAnswer | null {
  const { pod, localStatus } = facts.known
  const message = localStatus?.message ?? pod.status?.message ?? ''
  if (!message.startsWith(rejectedPrefix))
    return whyAnswer(question, [
      done('The kubelet has it from its source.', 'pod manager'),
      {
        now: 'The sync loop has not passed it to a worker yet.',
        source: 'worker',
        section: 'sync-loop#handlers',
      },
    ])
  const again = isStaticPod(pod) ? 'when its manifest changes' : 'as a new pod'
  return whyAnswer(question, [
    done('The kubelet has it from its source.', 'pod manager'),
    {
      now: `It was rejected at admission: ${clause(message.slice(rejectedPrefix.length))}.`,
      source: 'status.message',
      section: 'admission#handlers',
    },
    {
      next: `Failed is final and the kubelet does not retry: it starts again only ${again}.`,
      source: 'status.phase',
      section: 'admission#handlers',
    },
  ])
}

function heldName({ known: { pod }, holder }: WhyFacts): WhyStep {
  const killAt = holder?.killAt ?? null
  const until = killAt === null ? '' : ` and may have containers until ${timeOfDay(killAt)}`
  return {
    isDone: holder === undefined,
    done: `The name ${fullNameOf(pod)} is free.`,
    now: `The name ${fullNameOf(pod)} is used by UID ${holder?.uid ?? ''}, which is in ${holder?.state ?? ''}${until}.`,
    source: 'worker of the uid that holds the name',
    section: 'pod-workers#static-pods-of-one-name',
  }
}

/** For a worker that has not started its first update: another UID holds the full name of the static pod. */
export function whyWaiting(facts: WhyFacts): WhyAnswer | null {
  const at = facts.known.worker?.nextSyncAt ?? null
  const when = at === null ? '' : ` at ${timeOfDay(at)}`
  return whyAnswer(question, [
    done('It has been admitted and has a worker.', 'worker.syncedAt'),
    heldName(facts),
    {
      now: `The name is free: the worker retries${when}.`,
      next: `Then the worker retries${when}; it retries every 10 to 15 s and is not woken up earlier.`,
      source: 'worker.nextSyncAt',
      section: 'pod-workers#starting-a-sync',
    },
    {
      next: 'Then SyncPod runs: status, mirror, sandbox, images, containers.',
      source: 'worker.startedAt',
      section: 'pod-workers#sync-functions',
    },
  ])
}

function lastSyncError({ trace }: WhyFacts): string {
  for (const event of trace)
    if (event.kind === 'worker.syncFinished')
      return event.data.outcome === 'error' ? event.data.message : ''
  return ''
}

function isTrue(conditions: readonly PodCondition[] | undefined, type: string): boolean {
  return conditions?.some((one) => one.type === type && one.status === 'True') ?? false
}

/** Only while the pod waits for the network. */
function networkMissing(facts: WhyFacts): readonly WhyStep[] {
  const error = lastSyncError(facts)
  if (!error.includes(networkNotReadyMessage)) return []
  return [
    {
      now: `The node has no network for it: ${clause(error)}. The worker retries after 1 to 1.5 s.`,
      source: 'worker.syncFinished',
      section: 'pod-workers#sync-functions',
    },
  ]
}

/** The failure of a volume that is not mounted since, by the trace. */
function failedVolume({ trace }: WhyFacts): { volume: string; message: string } | undefined {
  const mounted = new Set<string>()
  for (const { kind, data } of trace) {
    if (kind === 'volume.mounted') mounted.add(data.volume)
    if (kind === 'volume.failed' && !mounted.has(data.volume)) return data
  }
  return undefined
}

/** Only while a volume cannot be set up: the sandbox waits for all of them. */
function volumeMissing(facts: WhyFacts): readonly WhyStep[] {
  const failed = hasStarted(facts) ? undefined : failedVolume(facts)
  if (failed === undefined) return []
  return [
    {
      now: `Volume ${failed.volume} cannot be set up: ${clause(failed.message)}. Nothing starts before; the kubelet keeps trying, less and less often.`,
      source: 'volume.failed',
      section: 'containers#volumes',
    },
  ]
}

/** From the trace, since the status has it only after the sync, which waits for the images. */
function hasSandbox({ trace }: WhyFacts): boolean {
  for (const { kind } of trace) {
    if (kind === 'sandbox.started') return true
    if (kind === 'sandbox.stopped') return false
  }
  return false
}

function hasStarted(facts: WhyFacts): boolean {
  return (
    isTrue(facts.known.localStatus?.conditions, 'PodReadyToStartContainers') ||
    hasSandbox(facts) ||
    facts.containers.some(({ containerId }) => containerId !== '')
  )
}

function sandbox(facts: WhyFacts): WhyStep {
  const error = lastSyncError(facts)
  const because = error === '' ? '' : ` The last attempt failed: ${clause(error)}.`
  return {
    isDone: hasStarted(facts),
    done: 'The sandbox is created.',
    now: `The runtime creates the sandbox.${because}`,
    next: 'Then the runtime creates the sandbox.',
    source: 'conditions[PodReadyToStartContainers]',
    section: 'containers#runtime-sync',
  }
}

function waitsWords(container: ContainerView, facts: WhyFacts): string {
  const { nextSyncAt = null } = facts.known.worker ?? {}
  const again = nextSyncAt === null ? '' : ` The worker retries at ${timeOfDay(nextSyncAt)}.`
  const { name, image, reason, message, state } = container
  if (state === 'running') return `${name} runs.`
  if (state === 'terminated') return `${name} exited ${container.exitCode ?? 0}.`
  if (isPulling(name, facts)) return `${name} waits for its image: ${image} is being pulled.`
  if (reason === '' || reason === 'ContainerCreating' || reason === 'PodInitializing')
    return `${name} is being created.`
  return `${name} waits with ${reason}${message === '' ? '' : `: ${clause(message)}`}.${again}`
}

function isPulling(name: string, { trace }: WhyFacts): boolean {
  for (const { kind, data } of trace)
    if (kind === 'image.pulling' || kind === 'image.pulled' || kind === 'image.failed')
      if (data.container === name) return kind === 'image.pulling'
  return false
}

function initContainers(facts: WhyFacts): readonly WhyStep[] {
  const all = facts.containers.filter(({ kind }) => kind !== 'container')
  const isOver = ({ kind, state, exitCode }: ContainerView): boolean =>
    kind === 'sidecar' ? state === 'running' : state === 'terminated' && exitCode === 0
  const done = all.filter(isOver).length
  const current = all.find((container) => !isOver(container))
  if (all.length === 0) return []
  const count = `${all.length} init ${all.length === 1 ? 'container' : 'containers'}`
  return [
    {
      isDone: current === undefined,
      done: `${count} done.`,
      now:
        current === undefined
          ? ''
          : `Init container ${done + 1} of ${all.length}: ${waitsWords(current, facts)}`,
      next: `Then ${count}, one after the other.`,
      source: `initContainerStatuses[${current?.name ?? ''}]`,
      section: 'containers#init-containers',
    },
  ]
}

function regularContainers(facts: WhyFacts): WhyStep {
  const current = facts.containers.find(
    ({ kind, state }) => kind === 'container' && state === 'waiting',
  )
  return {
    now:
      current === undefined
        ? 'All containers have started; the next SyncPod updates the status.'
        : `Container ${waitsWords(current, facts)}`,
    next: 'Then its containers start, each after its image is pulled.',
    source: `containerStatuses[${current?.name ?? ''}].state`,
    section:
      current?.reason.includes('Image') === true ? 'images#pull-policy' : 'containers#runtime-sync',
  }
}

/** For a Pending pod whose worker runs SyncPod, in the order of SyncPod. */
export function whyPending(facts: WhyFacts): WhyAnswer | null {
  return whyAnswer(question, [
    done('It has been admitted, and its worker has started.', 'worker.startedAt'),
    ...networkMissing(facts),
    ...volumeMissing(facts),
    sandbox(facts),
    ...initContainers(facts),
    regularContainers(facts),
  ])
}
