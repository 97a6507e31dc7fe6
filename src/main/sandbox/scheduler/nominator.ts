import type { PodInfo } from './pod-info.ts'

/** Pods that wait for their victims on a node, which their status names. Source: pkg/scheduler/backend/queue/nominator.go. */
export class Nominator {
  readonly #byNode = new Map<string, Map<string, PodInfo>>()
  readonly #nodeOf = new Map<string, string>()

  readonly on = (nodeName: string): readonly PodInfo[] => [
    ...(this.#byNode.get(nodeName)?.values() ?? []),
  ]

  /** `nodeName`: undefined for the node of its status; empty for none. */
  nominate(pod: PodInfo, nodeName: string | undefined): void {
    this.delete(pod.uid)
    const chosen = nodeName ?? pod.pod.status?.nominatedNodeName ?? ''
    if (chosen === '') return
    this.#nodeOf.set(pod.uid, chosen)
    const pods = this.#byNode.get(chosen) ?? new Map<string, PodInfo>()
    this.#byNode.set(chosen, pods.set(pod.uid, pod))
  }

  /** A nomination that the status does not have yet stays. */
  update(before: PodInfo, after: PodInfo): void {
    const isUnwritten = [before, after].every(
      ({ pod }) => (pod.status?.nominatedNodeName ?? '') === '',
    )
    this.nominate(after, isUnwritten ? this.#nodeOf.get(before.uid) : undefined)
  }

  delete(uid: string): void {
    const nodeName = this.#nodeOf.get(uid)
    if (nodeName === undefined) return
    this.#nodeOf.delete(uid)
    const pods = this.#byNode.get(nodeName)
    pods?.delete(uid)
    if (pods?.size === 0) this.#byNode.delete(nodeName)
  }
}
