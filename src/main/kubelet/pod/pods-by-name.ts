import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { buildPodFullName, parsePodFullName, podNamespace } from './identity.ts'
import type { PodFullName } from './identity.ts'

/** What one namespace and name stand for: a regular or static pod, a mirror, or both. */
export interface NamedPods {
  readonly namespace: string
  readonly name: string
  pod: Pod | undefined
  mirrorPod: Pod | undefined
}

interface Entry extends NamedPods {
  /** Set by the first look-up by full name. */
  fullName: PodFullName | undefined
}

/**
 * Pods and mirrors by full name. Looking up by namespace and name is several times cheaper than putting the
 * full name together for each query, so full names are made only for look-ups by full name.
 */
export class PodsByName {
  readonly #namespaces = new Map<string, Map<string, Entry>>()
  /** Entries that were looked up by full name. */
  readonly #asked = new Map<PodFullName, Entry>()

  clear(): void {
    this.#namespaces.clear()
    this.#asked.clear()
  }

  get(namespace: string, name: string): Readonly<NamedPods> | undefined {
    return this.#namespaces.get(namespace)?.get(name)
  }

  of(pod: Pod): Readonly<NamedPods> | undefined {
    return this.get(podNamespace(pod), pod.metadata.name)
  }

  byFullName(fullName: PodFullName): Readonly<NamedPods> | undefined {
    const known = this.#asked.get(fullName)
    if (known !== undefined) return known
    const parsed = parsePodFullName(fullName)
    if (!parsed.ok) return undefined
    const { namespace, name } = parsed.value
    const entry = this.#namespaces.get(namespace)?.get(name)
    if (entry === undefined) return undefined
    entry.fullName = fullName
    this.#asked.set(fullName, entry)
    return entry
  }

  /** The pod's entry, to be written to. Made where there is none. */
  take(pod: Pod): NamedPods {
    const namespace = podNamespace(pod)
    const { name } = pod.metadata
    let names = this.#namespaces.get(namespace)
    if (names === undefined) {
      names = new Map()
      this.#namespaces.set(namespace, names)
    }
    const known = names.get(name)
    if (known !== undefined) return known
    const entry: Entry = {
      namespace,
      name,
      pod: undefined,
      mirrorPod: undefined,
      fullName: undefined,
    }
    names.set(name, entry)
    return entry
  }

  /** Removes one of the two, if it exists. */
  remove(pod: Pod, which: 'pod' | 'mirrorPod'): void {
    const namespace = podNamespace(pod)
    const names = this.#namespaces.get(namespace)
    const entry = names?.get(pod.metadata.name)
    if (names === undefined || entry === undefined) return
    entry[which] = undefined
    if (entry.pod !== undefined || entry.mirrorPod !== undefined) return
    names.delete(entry.name)
    if (names.size === 0) this.#namespaces.delete(namespace)
    if (entry.fullName !== undefined) this.#asked.delete(entry.fullName)
  }

  /** Full names of mirrors without a pod of their name. */
  orphanedMirrors(): readonly PodFullName[] {
    const orphans: PodFullName[] = []
    for (const [namespace, names] of this.#namespaces)
      for (const { name, pod, mirrorPod } of names.values())
        if (mirrorPod !== undefined && pod === undefined)
          orphans.push(buildPodFullName(name, namespace))
    return orphans
  }
}
