import { assertNever } from '../../assert-never.ts'
import type { EventTable } from './event-words.ts'
import { inSection } from './event-words.ts'
import { shortId } from './explanation-words.ts'

function phaseWords(phase: string, reason: string): string {
  return reason === '' ? `phase ${phase}` : `phase ${phase}, reason ${reason}`
}

/** Mirror client and status manager: what the API server gets to see. */
export const mirrorEvents = {
  'mirror.created': {
    section: 'mirror-pods#creation',
    word: 'POST',
    step: (_, name) => `POST the mirror of ${name}`,
    sentence: ({ mirrorUid, why }) =>
      why === 'missing'
        ? `The static pod had no mirror, so the kubelet creates one with UID ${shortId(mirrorUid)}.`
        : inSection(
            'mirror-pods#reconciliation',
            `The kubelet recreates the deleted mirror with UID ${shortId(mirrorUid)}.`,
          ),
  },
  'mirror.deleted': {
    section: 'mirror-pods#reconciliation',
    word: 'DELETE',
    step: ({ why }, name) => `DELETE the mirror of ${name}: ${why}`,
    sentence: ({ mirrorUid, why }) => {
      const mirror = mirrorUid === '' ? 'the mirror' : `mirror ${shortId(mirrorUid)}`
      switch (why) {
        case 'stale':
          return `The kubelet deletes ${mirror}: its hash belongs to another version of the manifest.`
        case 'deleting':
          return `The kubelet deletes ${mirror} at once: it has a deletionTimestamp.`
        case 'orphan':
          return inSection(
            'mirror-pods#orphaned-mirrors',
            `The kubelet deletes ${mirror}: no static pod has its full name.`,
          )
        default:
          return assertNever(why, 'reason of a deletion')
      }
    },
  },
  'mirror.failed': {
    section: 'mirror-pods#creation',
    word: ({ act }) => (act === 'create' ? 'POST failed' : 'DELETE failed'),
    step: ({ act, message }) => `${act} of the mirror failed: ${message}`,
    sentence: ({ act, message }) =>
      act === 'create'
        ? `The mirror could not be created; the next sync retries: ${message}`
        : inSection(
            'mirror-pods#deletion',
            `The mirror could not be deleted; the next sync retries: ${message}`,
          ),
  },
  'mirror.skipped': {
    section: 'mirror-pods#reconciliation',
    word: 'skipped',
    step: ({ message }) => `no mirror now: ${message}`,
    sentence: ({ message }) => `The mirror is ${message}`,
  },
  'status.cached': {
    section: 'status#cache-updates',
    word: ({ phase, version }) => `${phase} v${version}`,
    step: ({ phase, version }, name) => `status v${version} of ${name}: ${phase}`,
    sentence: ({ version, phase, reason }) =>
      `The status manager caches version ${version} of the status (${phaseWords(phase, reason)}), to be sent to the API server.`,
  },
  'status.rejected': {
    section: 'status#cache-updates',
    sentence: ({ message }) => `The status manager rejects an invalid status: ${message}`,
  },
  'status.patched': {
    section: 'status#sending-a-status',
    word: ({ phase, version }) => `${phase} v${version}`,
    step: ({ phase, version }, name) => `PATCH status v${version} of ${name}: ${phase}`,
    sentence: ({ version, phase, reason }) =>
      `The kubelet writes version ${version} of the status to the API server (${phaseWords(phase, reason)}).`,
  },
  'status.withheld': {
    section: 'status#merge',
    sentence: ({ phase, message }) =>
      `The phase ${phase} is withheld from the API server: ${message}`,
  },
  'status.dropped': {
    section: 'status#sending-a-status',
    sentence: ({ message }) => `The status is dropped: ${message}`,
  },
  'status.failed': {
    section: 'status#sending-a-status',
    word: 'PATCH failed',
    step: ({ message }, name) => `status of ${name} not written: ${message}`,
    sentence: ({ message }) =>
      `The status could not be written; the next round retries: ${message}`,
  },
  'status.podDeleted': {
    section: 'status#sending-a-status',
    word: 'DELETE',
    step: (_, name) => `DELETE ${name}: terminated, object removed`,
    sentence: ({ uid }) =>
      `The worker has finished and the phase is final, so the kubelet deletes the object with grace period 0 and UID ${shortId(uid)} as precondition.`,
  },
} satisfies Partial<EventTable>
