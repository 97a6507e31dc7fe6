import { assertNever } from '../../shared/assert-never.ts'
import type { StatusAside } from '../../shared/model/pod-row.ts'

/** What stands beside a STATUS word that does not say all. */
export function asideText({ from, word }: StatusAside): string {
  switch (from) {
    case 'kubelet':
      return `kubelet: ${word}`
    case 'api':
      return `API: ${word}`
    case 'reason':
      return word
    default:
      return assertNever(from, 'part of the status')
  }
}

/** The same as a sentence. */
export function asideSentence({ from, word }: StatusAside): string {
  switch (from) {
    case 'kubelet':
      return `STATUS is the API object’s; the kubelet’s own status is ${word}.`
    case 'api':
      return word === 'gone'
        ? 'The API object is gone; the kubelet still has the pod.'
        : `The mirror in the API is still the old pod’s, with STATUS ${word}.`
    case 'reason':
      return `status.reason is ${word}; kubectl shows the reason of a container instead.`
    default:
      return assertNever(from, 'part of the status')
  }
}
