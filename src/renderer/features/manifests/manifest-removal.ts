import type { ManifestFile } from '../../../shared/model/manifests.ts'
import { text } from '../../text/text.ts'

const words = text.manifests.removeDialog

/** What the removal of a file does. Pure. */
export function removalEffect({ state, namespace, podName }: ManifestFile): string {
  if (podName === '' || state === 'skipped') return words.noPod
  const pod = `${namespace}/${podName}`
  switch (state) {
    case 'shadowed':
      return words.shadowed(pod)
    case 'rejected':
      return words.rejected(pod)
    default:
      return words.stops(pod)
  }
}
