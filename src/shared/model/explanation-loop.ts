import { assertNever } from '../assert-never.ts'
import type { Explanation, Sentences } from './explanation-sentences.ts'
import { said } from './explanation-sentences.ts'
import { ended, podCount, shortId } from './explanation-words.ts'
import type { ConfigOp, PodSource } from './trace-event.ts'

function merged(source: PodSource, op: ConfigOp, mirror: boolean): Explanation {
  const pod = mirror ? 'the mirror pod' : 'the pod'
  switch (op) {
    case 'ADD':
      return said('5.2', `The ${source} source has a new UID: the merge adds ${pod}.`)
    case 'UPDATE':
      return said(
        '5.2',
        `The ${source} source has a changed spec, labels or annotations for a known UID: the merge updates ${pod}.`,
      )
    case 'REMOVE':
      return said('5.2', `The ${source} source no longer has the UID: the merge removes ${pod}.`)
    case 'RECONCILE':
      return said(
        '5.2',
        `Only the status from the ${source} source changed: the merge reconciles ${pod} without updating the worker.`,
      )
    case 'DELETE':
      return mirror
        ? said(
            '3.4',
            `The mirror pod has a deletionTimestamp: the merge sends DELETE. The containers keep running, and SyncPod recreates the mirror.`,
          )
        : said(
            '5.2',
            `The object has a deletionTimestamp: the merge sends DELETE, and the worker terminates the pod.`,
          )
    default:
      return assertNever(op, 'op of the config')
  }
}

/** The handler of the sync loop that takes an op. A DELETE is an update to it. */
const handlers: Readonly<Record<ConfigOp, string>> = {
  ADD: 'HandlePodAdditions',
  UPDATE: 'HandlePodUpdates',
  DELETE: 'HandlePodUpdates',
  REMOVE: 'HandlePodRemoves',
  RECONCILE: 'HandlePodReconcile',
}

const fieldsShown = 8

function shownFields(fields: readonly string[]): string {
  const more = fields.length - fieldsShown
  return `${fields.slice(0, fieldsShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Config, sync loop, admission and pod manager. */
export const loopSentences: Pick<
  Sentences,
  | 'config.merged'
  | 'config.invalid'
  | 'loop.config'
  | 'loop.sync'
  | 'loop.pleg'
  | 'loop.housekeeping'
  | 'pod.rejected'
  | 'pod.notSimulated'
  | 'podManager.changed'
  | 'uid.linked'
  | 'uid.unlinked'
> = {
  'config.merged': ({ source, op, mirror }) => merged(source, op, mirror),
  'config.invalid': ({ source, message }) =>
    said('5.2', ended(`The merge ignores a pod of the ${source} source: ${message}`)),
  'loop.config': ({ source, op, pods }) =>
    pods === 0
      ? said('5.5', `The ${source} source reports for the first time, without pods.`)
      : said(
          '5.5',
          `The sync loop passes ${op} of ${podCount(pods)} from the ${source} source to ${handlers[op]}.`,
        ),
  'loop.sync': ({ pods }) =>
    said('5.5', `The loop’s 1 s tick finds ${podCount(pods)} due for a sync.`),
  'loop.pleg': ({ type, containerId }) =>
    type === 'ContainerRemoved'
      ? said('5.5', `The sync loop notes that ${shortId(containerId)} was removed.`)
      : said(
          '5.5',
          `The sync loop receives ${type} of ${shortId(containerId)} from PLEG and syncs the pod.`,
        ),
  'loop.housekeeping': ({ skipped, message }) =>
    skipped
      ? said('5.4', ended(`Housekeeping skipped: ${message}`))
      : said('5.8', ended(`Housekeeping, every two seconds: ${message}`)),
  'pod.notSimulated': ({ fields }) =>
    said(
      '7.1',
      `The simulator does not act on ${fields.length === 1 ? 'this field' : 'these fields'}, or not as a real node does: ${shownFields(fields)}.`,
    ),
  'pod.rejected': ({ reason, message }) =>
    said(
      '5.7',
      ended(
        `The kubelet rejects the pod at admission; it is Failed and gets no worker: ${reason}, ${message}`,
      ),
    ),
  'podManager.changed': ({ op, mirror }) => {
    const pod = mirror ? 'the mirror pod' : 'the pod'
    return op === 'set'
      ? said('2.2', `The pod manager stores ${pod} by UID and by full name.`)
      : said('2.3', `The pod manager no longer has ${pod}.`)
  },
  'uid.linked': ({ mirrorUid, staticUid }) =>
    said(
      '2.2',
      `Mirror UID ${shortId(mirrorUid)} now translates to static UID ${shortId(staticUid)}: they share a full name.`,
    ),
  'uid.unlinked': ({ mirrorUid, staticUid }) =>
    said(
      '2.3',
      `Mirror UID ${shortId(mirrorUid)} no longer translates to static UID ${shortId(staticUid)}: the mirror is gone.`,
    ),
}
