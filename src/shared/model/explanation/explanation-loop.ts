import { assertNever } from '../../assert-never.ts'
import type { ConfigOp, TraceData, TraceSubject } from '../trace-event.ts'
import type { EventTable, Explanation } from './event-words.ts'
import { inSection } from './event-words.ts'
import { podCount, shortId, subjectWords } from './explanation-words.ts'

function merged({ source, op, mirror }: TraceData['config.merged']): string | Explanation {
  const pod = mirror ? 'the mirror pod' : 'the pod'
  switch (op) {
    case 'ADD':
      return `The ${source} source has a new UID: the merge adds ${pod}.`
    case 'UPDATE':
      return `The ${source} source has a changed spec, labels or annotations for a known UID: the merge updates ${pod}.`
    case 'REMOVE':
      return `The ${source} source no longer has the UID: the merge removes ${pod}.`
    case 'RECONCILE':
      return `Only the status from the ${source} source changed: the merge reconciles ${pod} without updating the worker.`
    case 'DELETE':
      return mirror
        ? inSection(
            'mirror-pods#scenarios',
            `The mirror pod has a deletionTimestamp: the merge sends DELETE. The containers keep running, and SyncPod recreates the mirror.`,
          )
        : `The object has a deletionTimestamp: the merge sends DELETE, and the worker terminates the pod.`
    default:
      return assertNever(op, 'op of the config')
  }
}

const resizeSentences = {
  allocated: 'The node has room for the resize: the kubelet gives the pod what its spec asks for',
  Deferred: 'The resize of the pod has to wait; the kubelet tries it again',
  Infeasible: 'The resize of the pod is not possible on this node',
  completed: 'All running containers have the resources that the pod was given',
} as const

/** An edited static pod is another pod of the same name: only the UIDs tell them apart. */
function mergedUid({ source, mirror }: TraceData['config.merged'], subject: TraceSubject): string {
  if (mirror) return ', a mirror'
  return source === 'api' || subject.kind !== 'pod' ? '' : ` ${shortId(subject.uid)}`
}

/** The handler of the sync loop that takes an op. A DELETE is an update to it. */
const handlers: Readonly<Record<ConfigOp, string>> = {
  ADD: 'HandlePodAdditions',
  UPDATE: 'HandlePodUpdates',
  DELETE: 'HandlePodUpdates',
  REMOVE: 'HandlePodRemoves',
  RECONCILE: 'HandlePodReconcile',
}

function counted(pods: number): string {
  return pods === 1 ? '1 pod' : `${pods} pods`
}

/** Names in one line before the rest is only counted. */
const namesShown = 2

function listed(names: readonly string[], pods: number): string {
  const shown = names.slice(0, namesShown).join(', ')
  const rest = pods - Math.min(names.length, namesShown)
  if (shown === '') return counted(pods)
  return rest > 0 ? `${shown} and ${rest} more` : shown
}

const fieldsShown = 8

function shownFields(fields: readonly string[]): string {
  const more = fields.length - fieldsShown
  return `${fields.slice(0, fieldsShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function housekeepingLine({ skipped, message }: TraceData['loop.housekeeping']): string {
  if (skipped) return `housekeeping skipped: ${message}`
  return message === '' ? 'housekeeping' : `housekeeping: ${message}`
}

/** Config, sync loop, admission and pod manager. */
export const loopEvents = {
  'config.merged': {
    section: 'sources#merge',
    word: ({ op }) => op,
    step: (data, name, subject) => `${data.op} ${name}${mergedUid(data, subject)}`,
    sentence: merged,
  },
  'config.invalid': {
    section: 'sources#merge',
    sentence: ({ source, message }) =>
      `The merge ignores a pod of the ${source} source: ${message}`,
  },
  'loop.config': {
    section: 'sync-loop#inputs',
    word: ({ op }) => op,
    step: ({ op, source, pods }) => `sync loop takes ${op} of ${source}, ${counted(pods)}`,
    line: ({ op, source, names, pods }) => ({
      input: 'config',
      text: `${op} ${source} ${listed(names, pods)}`,
    }),
    sentence: ({ source, op, pods }) =>
      pods === 0
        ? `The ${source} source reports for the first time, without pods.`
        : `The sync loop passes ${op} of ${podCount(pods)} from the ${source} source to ${handlers[op]}.`,
  },
  'loop.sync': {
    section: 'sync-loop#inputs',
    line: ({ pods }) => ({ input: 'sync', text: `sync tick, ${pods} due` }),
    sentence: ({ pods }) => `The loop’s 1 s tick finds ${podCount(pods)} due for a sync.`,
  },
  'loop.pleg': {
    section: 'sync-loop#inputs',
    word: ({ type }) => type,
    step: ({ type }, name) => `sync loop takes ${type} of ${name}`,
    line: ({ type }, subject) => ({
      input: 'pleg',
      text: `PLEG ${type}${subject.kind === 'pod' ? ` ${subjectWords(subject)}` : ''}`,
    }),
    sentence: ({ type, containerId }) =>
      type === 'ContainerRemoved'
        ? `The sync loop notes that ${shortId(containerId)} was removed.`
        : `The sync loop receives ${type} of ${shortId(containerId)} from PLEG and syncs the pod.`,
  },
  'loop.probe': {
    section: 'sync-loop#inputs',
    word: ({ probe }) => probe,
    step: ({ probe, result }, name) => `sync loop takes ${probe} ${result} of ${name}`,
    line: ({ probe, result }, subject) => ({
      input: 'probe',
      text: `${probe} ${result}${subject.kind === 'pod' ? ` ${subjectWords(subject)}` : ''}`,
    }),
    sentence: ({ probe, result, containerId }) =>
      probe === 'liveness'
        ? `The sync loop receives a failed liveness probe of ${shortId(containerId)} and syncs the pod.`
        : `The sync loop receives ${result} of the ${probe} probe of ${shortId(containerId)}, writes it into the status and syncs the pod.`,
  },
  'loop.housekeeping': {
    section: 'sync-loop#housekeeping',
    line: (data) => ({ input: 'housekeeping', text: housekeepingLine(data) }),
    sentence: ({ skipped, message }) =>
      skipped
        ? inSection('sources#sources-ready', `Housekeeping skipped: ${message}`)
        : `Housekeeping, every two seconds: ${message}`,
  },
  'pod.notSimulated': {
    section: 'containers#runtime-sync',
    sentence: ({ fields }) =>
      `The simulator does not act on ${fields.length === 1 ? 'this field' : 'these fields'}, or not as a real node does: ${shownFields(fields)}.`,
  },
  'pod.rejected': {
    section: 'admission#handlers',
    sentence: ({ reason, message }) =>
      `The kubelet rejects the pod at admission; it is Failed and gets no worker: ${reason}, ${message}`,
  },
  'pod.resize': {
    section: 'containers#in-place-resize',
    sentence: ({ outcome, message }) =>
      `${resizeSentences[outcome]}${message === '' ? '' : `: ${message}`}`,
  },
  'podManager.changed': {
    section: 'pod-manager#add-and-update',
    word: ({ op }) => op,
    step: ({ op, mirror }, name) =>
      `PodManager ${op === 'set' ? 'holds' : 'drops'} ${mirror ? 'the mirror' : name}`,
    sentence: ({ op, mirror }) => {
      const pod = mirror ? 'the mirror pod' : 'the pod'
      return op === 'set'
        ? `The pod manager stores ${pod} by UID and by full name.`
        : inSection('pod-manager#remove', `The pod manager no longer has ${pod}.`)
    },
  },
  'uid.linked': {
    section: 'pod-manager#add-and-update',
    word: 'UID linked',
    step: ({ mirrorUid, staticUid }) =>
      `mirror ${shortId(mirrorUid)} maps to ${shortId(staticUid)}`,
    sentence: ({ mirrorUid, staticUid }) =>
      `Mirror UID ${shortId(mirrorUid)} now translates to static UID ${shortId(staticUid)}: they share a full name.`,
  },
  'uid.unlinked': {
    section: 'pod-manager#remove',
    word: 'UID unlinked',
    step: ({ mirrorUid }) => `mirror ${shortId(mirrorUid)} is unlinked`,
    sentence: ({ mirrorUid, staticUid }) =>
      `Mirror UID ${shortId(mirrorUid)} no longer translates to static UID ${shortId(staticUid)}: the mirror is gone.`,
  },
} satisfies Partial<EventTable>
