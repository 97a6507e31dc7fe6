import type { ContainerStatus, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { isMirrorPod, podNamespace } from '../../../src/main/kubelet/pod/identity.ts'
import type { RecordedRuntime } from '../cri/recorded-runtime.ts'
import type { ClusterUnderTest } from '../integration/cluster-under-test.ts'

/** What a pod came to, by `namespace/name`; that of its containers in the runtime with `runtime ` before it. */
export type EndState = ReadonlyMap<string, string>

/** A difference between the two, in words. */
export interface EndDifference {
  readonly what: string
  readonly ours: string
  readonly real: string
}

export function keyOf(pod: Pod): string {
  return `${podNamespace(pod)}/${pod.metadata.name}`
}

/** The pods that exist, newest version. */
export function livePods({ observer }: ClusterUnderTest): readonly Pod[] {
  const last = new Map<string, Pod | undefined>()
  for (const { type, object } of observer.of('pods', {}))
    last.set(keyOf(object), type === 'DELETED' ? undefined : object)
  return [...last.values()].filter((pod) => pod !== undefined)
}

function isOver({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

/** Its containers end and start again: when, depends on the time. */
function isRestarting(pod: Pod): boolean {
  const statuses = [
    ...(pod.status?.initContainerStatuses ?? []),
    ...(pod.status?.containerStatuses ?? []),
  ]
  const hasFailed = ({ state, lastState }: ContainerStatus): boolean =>
    state?.waiting?.reason === 'CrashLoopBackOff' ||
    (state?.terminated?.exitCode ?? lastState?.terminated?.exitCode ?? 0) !== 0
  const endsAgain = pod.spec.containers.some(({ name }) => name === 'again')
  return !isOver(pod) && (endsAgain || statuses.some(hasFailed))
}

function containerText({ name, image, state, ready }: ContainerStatus): string {
  const { waiting, terminated } = state ?? {}
  const words = [
    name,
    image,
    ready ? 'ready' : 'not ready',
    waiting === undefined
      ? ''
      : // Which of the two it is depends on the time.
        `waits ${(waiting.reason ?? '').replace('ErrImagePull', 'ImagePullBackOff')}`,
    terminated === undefined ? '' : `ended ${terminated.exitCode} ${terminated.reason ?? ''}`,
  ]
  return words.filter((word) => word !== '').join(' ')
}

function podText(pod: Pod): string {
  const { metadata, status = {} } = pod
  const head = [
    isMirrorPod(pod) ? 'mirror' : '',
    status.phase,
    status.reason,
    metadata.deletionTimestamp === undefined ? '' : 'terminating',
    JSON.stringify(metadata.labels ?? {}),
  ]
  const text = head.filter((word) => word !== undefined && word !== '').join(' ')
  if (isRestarting(pod)) return `${text}; its containers restart`
  const conditions = (status.conditions ?? []).map(
    ({ type, status: is, reason }) => `${type} ${is} ${reason ?? ''}`,
  )
  const containers = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]
  return [text, ...conditions.map((one) => one.trim()), ...containers.map(containerText)].join('; ')
}

/** The running containers of each pod that has a sandbox. */
async function runningIn(runtime: RecordedRuntime): Promise<ReadonlyMap<string, string>> {
  const sandboxes = await runtime.listPodSandboxes({ state: 'ready' })
  const containers = await runtime.listContainers({ state: 'running' })
  if (!sandboxes.ok || !containers.ok) throw new Error('the simulated runtime does not answer')
  const running = new Map<string, string>()
  for (const { id, metadata } of sandboxes.value) {
    const own = containers.value.filter(({ podSandboxId }) => podSandboxId === id)
    const names = own.map(({ name }) => name).toSorted()
    const key = `${metadata.namespace}/${metadata.name}`
    running.set(key, `${running.get(key) ?? ''}sandbox with ${names.join(', ')}; `)
  }
  return running
}

/** What a cluster and the runtime of its node came to. */
export async function endStateOf(
  cluster: ClusterUnderTest,
  runtime: RecordedRuntime,
): Promise<EndState> {
  const pods = livePods(cluster)
  const state = new Map(pods.map((pod) => [keyOf(pod), podText(pod)]))
  const restarting = new Set(pods.filter(isRestarting).map(keyOf))
  for (const [key, text] of await runningIn(runtime))
    state.set(`runtime ${key}`, restarting.has(key) ? 'a sandbox' : text)
  return state
}

/** The differences; those of `ignored` pods do not count. */
export function differencesOf(
  ours: EndState,
  real: EndState,
  ignored: ReadonlySet<string>,
): readonly EndDifference[] {
  const keys = [...new Set([...ours.keys(), ...real.keys()])].toSorted()
  return keys
    .filter((key) => ours.get(key) !== real.get(key) && !ignored.has(key.replace(/^runtime /, '')))
    .map((what) => ({
      what,
      ours: ours.get(what) ?? 'nothing',
      real: real.get(what) ?? 'nothing',
    }))
}
