import { assertNever } from '../assert-never.ts'
import type { Sentences } from './explanation-sentences.ts'
import { said } from './explanation-sentences.ts'
import { ended, shortId } from './explanation-words.ts'

function phaseWords(phase: string, reason: string): string {
  return reason === '' ? `phase ${phase}` : `phase ${phase}, reason ${reason}`
}

/** Mirror client and status manager: what the API server gets to see. */
export const mirrorSentences: Pick<
  Sentences,
  | 'mirror.created'
  | 'mirror.deleted'
  | 'mirror.failed'
  | 'mirror.skipped'
  | 'status.cached'
  | 'status.rejected'
  | 'status.patched'
  | 'status.withheld'
  | 'status.dropped'
  | 'status.failed'
  | 'status.podDeleted'
> = {
  'mirror.created': ({ mirrorUid, why }) =>
    why === 'missing'
      ? said(
          '3.1',
          `The static pod had no mirror, so the kubelet creates one with UID ${shortId(mirrorUid)}.`,
        )
      : said('3.3', `The kubelet recreates the deleted mirror with UID ${shortId(mirrorUid)}.`),
  'mirror.deleted': ({ mirrorUid, why }) => {
    const mirror = mirrorUid === '' ? 'the mirror' : `mirror ${shortId(mirrorUid)}`
    switch (why) {
      case 'stale':
        return said(
          '3.3',
          `The kubelet deletes ${mirror}: its hash belongs to another version of the manifest.`,
        )
      case 'deleting':
        return said('3.3', `The kubelet deletes ${mirror} at once: it has a deletionTimestamp.`)
      case 'orphan':
        return said('3.5', `The kubelet deletes ${mirror}: no static pod has its full name.`)
      default:
        return assertNever(why, 'reason of a deletion')
    }
  },
  'mirror.failed': ({ act, message }) =>
    act === 'create'
      ? said('3.1', ended(`The mirror could not be created; the next sync retries: ${message}`))
      : said('3.2', ended(`The mirror could not be deleted; the next sync retries: ${message}`)),
  'mirror.skipped': ({ message }) => said('3.3', ended(`The mirror is ${message}`)),
  'status.cached': ({ version, phase, reason }) =>
    said(
      '6.2',
      `The status manager caches version ${version} of the status (${phaseWords(phase, reason)}), to be sent to the API server.`,
    ),
  'status.rejected': ({ message }) =>
    said('6.2', ended(`The status manager rejects an invalid status: ${message}`)),
  'status.patched': ({ version, phase, reason }) =>
    said(
      '6.5',
      `The kubelet writes version ${version} of the status to the API server (${phaseWords(phase, reason)}).`,
    ),
  'status.withheld': ({ phase, message }) =>
    said('6.6', ended(`The phase ${phase} is withheld from the API server: ${message}`)),
  'status.dropped': ({ message }) => said('6.5', ended(`The status is dropped: ${message}`)),
  'status.failed': ({ message }) =>
    said('6.5', ended(`The status could not be written; the next round retries: ${message}`)),
  'status.podDeleted': ({ uid }) =>
    said(
      '6.5',
      `The worker has finished and the phase is final, so the kubelet deletes the object with grace period 0 and UID ${shortId(uid)} as precondition.`,
    ),
}
