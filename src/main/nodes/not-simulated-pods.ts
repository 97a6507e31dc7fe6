import { isJsonObject } from '../../shared/json.ts'
import type { Container, Pod } from '../../shared/kubernetes/objects.ts'
import { notSimulated, notSimulatedText } from '../../shared/not-simulated/not-simulated.ts'
import type { NotSimulated } from '../../shared/not-simulated/not-simulated.ts'
import { isMirrorPod, isStaticPod } from '../kubelet/pod/identity.ts'
import { unreadableCommand } from '../runtimes/simulated/unreadable-command.ts'

/** `hasSandbox`: the pod is in the sandbox, so that its control plane schedules it unless it is static. */
function found(pod: Pod, hasSandbox: boolean): readonly NotSimulated[] {
  const isSandboxed = hasSandbox && !isStaticPod(pod) && !isMirrorPod(pod)
  return notSimulated(pod, { unreadableCommand: knownCommand, isSandboxed })
}

/** By all that it is read from: the volumes of one template's pods have different names. */
const commandsByText = new Map<string, string | undefined>()

function knownCommand(container: Container): string | undefined {
  const { image, command, args, env, volumeMounts = [] } = container
  const mountPaths = volumeMounts.map((mount) => isJsonObject(mount) && mount['mountPath'])
  const key = JSON.stringify([image, command, args, env, mountPaths])
  if (commandsByText.has(key)) return commandsByText.get(key)
  const why = unreadableCommand(container)
  if (key.length <= maxTextLength) remember(commandsByText, key, why)
  return why
}

interface KnownSpec {
  readonly owners: Pod['metadata']['ownerReferences']
  readonly annotations: Pod['metadata']['annotations']
  readonly hasSandbox: boolean
  readonly found: readonly NotSimulated[]
}

/** By spec and owners as text: thousands of pods often come from one template. */
const resultsByText = new Map<string, readonly NotSimulated[]>()
/** By what was found: thousands of pods have the same. */
const equalResults = new Map<string, readonly NotSimulated[]>()
const maxResults = 100
/** Longest text that is cached, since the pods may be gone: a spec can have 1.5 MB. */
const maxTextLength = 20_000

function foundByText(pod: Pod, hasSandbox: boolean): readonly NotSimulated[] {
  const { nodeName: _, ...spec } = pod.spec
  const key = JSON.stringify([
    hasSandbox,
    isStaticPod(pod),
    isMirrorPod(pod),
    pod.metadata.ownerReferences,
    pod.metadata.annotations,
    spec,
  ])
  if (key.length > maxTextLength) return found(pod, hasSandbox)
  const entries = resultsByText.get(key) ?? sharedResult(found(pod, hasSandbox))
  remember(resultsByText, key, entries)
  return entries
}

function sharedResult(entries: readonly NotSimulated[]): readonly NotSimulated[] {
  const key = JSON.stringify(entries)
  const shared = equalResults.get(key) ?? entries
  remember(equalResults, key, shared)
  return shared
}

function remember<Result>(results: Map<string, Result>, key: string, result: Result): void {
  if (results.size >= maxResults) results.clear()
  results.set(key, result)
}

/** By the spec, which remains the same object while only the status of a pod changes. */
const knownSpecs = new WeakMap<Pod['spec'], KnownSpec>()

/** What the simulator does not do for a pod. Cached, since rows are rebuilt whenever a pod changes. */
export function notSimulatedOf(pod: Pod, hasSandbox: boolean): readonly NotSimulated[] {
  const owners = pod.metadata.ownerReferences
  const { annotations } = pod.metadata
  const known = knownSpecs.get(pod.spec)
  if (
    known?.hasSandbox === hasSandbox &&
    known.owners === owners &&
    known.annotations === annotations
  )
    return known.found
  const now = { owners, annotations, hasSandbox, found: foundByText(pod, hasSandbox) }
  knownSpecs.set(pod.spec, now)
  return now.found
}

/** Rules of what the simulated runtime leaves out, and a real one does from the kubelet's config. */
const doneByRuntime: ReadonlySet<string> = new Set([
  'simulated-annotation',
  'command',
  'image-command',
  'handler-command',
  'limits',
  'working-dir',
  'stdin',
  'container-security-context',
  'host-namespaces',
  'shared-processes',
  'hostname',
  'dns',
  'pod-security-context',
])

/** The same as `notSimulatedOf`, where containers really run: what the kubelet leaves out. */
export function notDoneByKubelet(pod: Pod): readonly NotSimulated[] {
  return notSimulatedOf(pod, false).filter(({ id }) => !doneByRuntime.has(id))
}

/** Warnings for the client that writes a pod in the sandbox; none for a mirror, since the kubelet reads no warnings. */
export function sandboxPodWarnings(pod: Pod): readonly string[] {
  return isMirrorPod(pod) ? [] : found(pod, true).map(notSimulatedText)
}
