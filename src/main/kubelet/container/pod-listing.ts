import type { PodSandbox, RuntimeContainer } from '../ports.ts'
import { podNameLabel, podNamespaceLabel, podUidOf } from '../kuberuntime/container-labels.ts'
import type { RuntimePod } from './runtime.ts'

function areSame<T>(one: readonly T[], other: readonly T[]): boolean {
  if (one === other) return true
  return one.length === other.length && one.every((item, index) => item === other[index])
}

/** What is in one list only, or elsewhere in it: all but what both begin and end with. */
function changesOf<T>(before: readonly T[], now: readonly T[]): readonly T[] {
  const shorter = Math.min(before.length, now.length)
  let start = 0
  while (start < shorter && before[start] === now[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === now.at(-1 - end)) end++
  return [...before.slice(start, before.length - end), ...now.slice(start, now.length - end)]
}

/**
 * What one kind of listing of the runtime holds, by pod. A runtime that lists the very objects of the last
 * time gets the same answer object, so that a relist finds at once that nothing changed.
 */
export class PodListing {
  /** Pods of which it says the same are its objects. */
  readonly #wider: PodListing | undefined
  #sandboxes: readonly PodSandbox[] = []
  #containers: readonly RuntimeContainer[] = []
  #pods: readonly RuntimePod[] = []
  /** What the wider one listed when the pods were last compared with its. */
  #widerPods: readonly RuntimePod[] = []

  /** `wider`: a listing of the same runtime that contains this one. */
  constructor(wider?: PodListing) {
    this.#wider = wider
  }

  /** The newest pod first. Containers that the kubelet did not make are left out. */
  podsOf(
    sandboxes: readonly PodSandbox[],
    containers: readonly RuntimeContainer[],
  ): readonly RuntimePod[] {
    const isSame = areSame(this.#sandboxes, sandboxes) && areSame(this.#containers, containers)
    if (isSame && this.#widerPods === (this.#wider?.listed ?? this.#widerPods)) return this.#pods
    const pods = isSame
      ? this.#pods
      : (this.#withChanged(sandboxes, containers) ?? podsFrom(sandboxes, containers))
    this.#sandboxes = sandboxes
    this.#containers = containers
    this.#pods = this.#wider?.withOwn(pods) ?? pods
    this.#widerPods = this.#wider?.listed ?? []
    return this.#pods
  }

  /** The last answer with the pods of which something changed; undefined: a pod came or went, or most have changed. */
  #withChanged(
    sandboxes: readonly PodSandbox[],
    containers: readonly RuntimeContainer[],
  ): readonly RuntimePod[] | undefined {
    const uids = new Set<string>()
    for (const { metadata } of changesOf(this.#sandboxes, sandboxes)) uids.add(metadata.uid)
    for (const container of changesOf(this.#containers, containers)) uids.add(podUidOf(container))
    uids.delete('')
    if (2 * uids.size > this.#pods.length) return undefined
    const changed = new Map<string, RuntimePod>()
    for (const pod of podsFrom(
      sandboxes.filter(({ metadata }) => uids.has(metadata.uid)),
      containers.filter((container) => uids.has(podUidOf(container))),
    ))
      changed.set(pod.uid, pod)
    let replaced = 0
    const pods = this.#pods.map((pod) => {
      const now = changed.get(pod.uid)
      if (now?.createdAt !== pod.createdAt) return pod
      replaced++
      return now
    })
    return replaced === uids.size ? pods : undefined
  }

  /** The last answer. */
  get listed(): readonly RuntimePod[] {
    return this.#pods
  }

  /** The same pods; those of which the last answer said the very same are the objects of that answer. */
  withOwn(pods: readonly RuntimePod[]): readonly RuntimePod[] {
    const own = new Map<string, RuntimePod>()
    for (const pod of this.#pods) own.set(pod.uid, pod)
    return pods.map((pod) => {
      const known = own.get(pod.uid)
      return known !== undefined && isSamePod(known, pod) ? known : pod
    })
  }
}

function isSamePod(one: RuntimePod, other: RuntimePod): boolean {
  return (
    one.createdAt === other.createdAt &&
    areSame(one.sandboxes, other.sandboxes) &&
    areSame(one.containers, other.containers)
  )
}

function podsFrom(
  sandboxes: readonly PodSandbox[],
  containers: readonly RuntimeContainer[],
): readonly RuntimePod[] {
  const pods = new PodGrouping()
  for (const sandbox of sandboxes) pods.addSandbox(sandbox)
  for (const container of containers) pods.addContainer(container)
  return pods.newestFirst()
}

/** A new list: an array that grows by itself reserves room for 17. */
function withOne<T>(list: readonly T[], item: T): readonly T[] {
  return list.length === 0 ? [item] : list.concat([item])
}

interface MutablePod {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  createdAt: number
  containers: readonly RuntimeContainer[]
  sandboxes: readonly PodSandbox[]
}

/** Collects what the runtime lists by pod. */
class PodGrouping {
  readonly #pods = new Map<string, MutablePod>()

  addSandbox(sandbox: PodSandbox): void {
    const { uid, name, namespace } = sandbox.metadata
    const pod = this.#podOf(uid, name, namespace, sandbox.createdAt)
    pod.sandboxes = withOne(pod.sandboxes, sandbox)
  }

  addContainer(container: RuntimeContainer): void {
    const { labels, createdAt } = container
    const uid = podUidOf(container)
    // Not a container of the kubelet.
    if (uid === '') return
    const name = labels[podNameLabel] ?? ''
    const namespace = labels[podNamespaceLabel] ?? ''
    const pod = this.#podOf(uid, name, namespace, createdAt)
    pod.containers = withOne(pod.containers, container)
  }

  newestFirst(): readonly RuntimePod[] {
    return [...this.#pods.values()].toSorted((a, b) => b.createdAt - a.createdAt)
  }

  #podOf(uid: string, name: string, namespace: string, createdAt: number): MutablePod {
    let pod = this.#pods.get(uid)
    if (pod === undefined) {
      pod = { uid, name, namespace, createdAt, containers: [], sandboxes: [] }
      this.#pods.set(uid, pod)
    }
    pod.createdAt = Math.min(pod.createdAt, createdAt)
    return pod
  }
}
