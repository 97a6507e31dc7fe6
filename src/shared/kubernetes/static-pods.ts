import type { PodSource } from '../model/pod-source.ts'
import type { Pod } from './objects.ts'

/** Where the pod came from: `file`, `http` or `api`. Set by PodConfig on every pod inside the kubelet. */
export const configSourceAnnotation = 'kubernetes.io/config.source'
/** A static pod's uid, on the static pod and on its mirror. */
export const configHashAnnotation = 'kubernetes.io/config.hash'
/** Only on mirrors: the `config.hash` of the static pod that the mirror was made from. */
export const configMirrorAnnotation = 'kubernetes.io/config.mirror'

/** The source that the kubelet has the pod from; `api` where nothing says otherwise. */
export function podSource(pod: Pod): PodSource {
  const source = pod.metadata.annotations?.[configSourceAnnotation]
  return source === 'file' || source === 'http' ? source : 'api'
}

/** The pod's `config.hash`; empty when it has none. */
export function podHash(pod: Pod): string {
  return pod.metadata.annotations?.[configHashAnnotation] ?? ''
}

/** Owned by this kubelet rather than by the API server. */
export function isStaticPod(pod: Pod): boolean {
  const source = pod.metadata.annotations?.[configSourceAnnotation]
  return source !== undefined && source !== 'api'
}

/** A copy in the API of some static pod: it has the mirror annotation, with whatever value. */
export function isMirrorPod(pod: Pod): boolean {
  return pod.metadata.annotations?.[configMirrorAnnotation] !== undefined
}

/** Succeeded or Failed: no container of it will run again. */
export function isTerminalPhase(phase: string | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed'
}
