import { assertNever } from '../assert-never.ts'
import type { Act } from './act.ts'
import type { Section } from './explanation-sections.ts'
import type { Explanation, Sentences } from './explanation-sentences.ts'
import { said } from './explanation-sentences.ts'
import { ended, graceWords, spanWords, subjectWords } from './explanation-words.ts'
import type { PodSource, TraceData, TraceSubject } from './trace-event.ts'

const actWords: Readonly<Record<Act, readonly [words: string, section: Section]>> = {
  kill: ['kill the pod', '4.11'],
  evictByKubelet: ['have the kubelet evict the pod', '8.7'],
  evictThroughApi: ['evict the pod through the API', '8.11'],
  delete: ['delete the object through the API', '8.11'],
  forceDelete: ['force-delete the object', '8.11'],
  deleteMirror: ['delete the mirror of a static pod', '3.4'],
}

const sourceSections: Readonly<Record<PodSource, Section>> = {
  file: '1.5',
  http: '1.6',
  api: '1.7',
}

function sectionOf(subject: TraceSubject): Section {
  if (subject.kind === 'source') return sourceSections[subject.source]
  if (subject.kind === 'pod') return '1.7'
  if (subject.kind === 'node') return '9.3'
  if (subject.kind !== 'object') return '0.4'
  if (subject.resource === 'pods') return '1.7'
  if (subject.resource === 'leases') return '9.4'
  return subject.resource === 'nodes' ? '9.3' : '0.4'
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function urlChanged(url: string, change: TraceData['manifest.changed']['change']): Explanation {
  switch (change) {
    case 'added':
      return said(
        '1.6',
        `The manifest URL ${url} responds for the first time, and its body is read.`,
      )
    case 'modified':
      return said('1.6', `The manifest URL ${url} responds with changed content, which is read.`)
    case 'removed':
      return said(
        '1.6',
        `The manifest URL ${url} responds with an empty body, so its pods are removed.`,
      )
    default:
      return assertNever(change, 'change of a manifest URL')
  }
}

/** What comes from outside: requests, objects, commands, files. */
export const outsideSentences: Pick<
  Sentences,
  | 'request.received'
  | 'object.written'
  | 'command.received'
  | 'command.refused'
  | 'manifest.changed'
  | 'manifest.rejected'
  | 'manifest.skipped'
  | 'source.failed'
  | 'source.recovered'
> = {
  'request.received': ({ method, path, user, client }) =>
    said('0.4', `${client}, as ${user}, requests ${method} ${path} from the API server.`),
  'object.written': ({ change, resourceVersion, user, subresource }, subject) => {
    const what = subject.kind === 'pod' ? `pod ${subjectWords(subject)}` : subjectWords(subject)
    const section = sectionOf(subject)
    const version = `resourceVersion ${resourceVersion}`
    switch (change) {
      case 'ADDED':
        return said(section, `The API server stores the new ${what} for ${user} (${version}).`)
      case 'MODIFIED': {
        const part = subresource === '' ? '' : `the ${subresource} of `
        return said(section, `The API server changes ${part}${what} for ${user} (${version}).`)
      }
      case 'DELETED':
        return said(section, `The API server removes ${what} for ${user} (${version}).`)
      default:
        return assertNever(change, 'change of an object')
    }
  },
  'command.received': ({ act, gracePeriodSeconds }) => {
    const [words, section] = actWords[act]
    return said(
      section,
      `A user requested on this page to ${words}${graceWords(gracePeriodSeconds)}.`,
    )
  },
  'command.refused': ({ act, message }) =>
    said('8.11', ended(`The requested ${act} was refused: ${message}`)),
  'manifest.changed': ({ path, change }, subject) => {
    if (subject.kind === 'source' && subject.source === 'http') return urlChanged(path, change)
    const name = fileName(path)
    switch (change) {
      case 'added':
        return said('1.5', `The file ${name} is new in the manifest folder, and is read.`)
      case 'modified':
        return said(
          '1.5',
          `The file ${name} in the manifest folder has changed, and is read again.`,
        )
      case 'removed':
        return said(
          '1.5',
          `The file ${name} was removed from the manifest folder, and its pods with it.`,
        )
      default:
        return assertNever(change, 'change of a manifest')
    }
  },
  'manifest.rejected': ({ path, message }) =>
    said('1.4', ended(`The manifest ${fileName(path)} is invalid: ${message}`)),
  'manifest.skipped': ({ message }) => said('1.5', ended(message)),
  'source.failed': ({ message }, subject) => {
    // What becomes of the pods of a folder or a URL depends on how it failed; the message says it.
    const isApi = subject.kind === 'source' && subject.source === 'api'
    const rest = isApi ? '; the kubelet keeps its current pods' : ''
    return said(
      sectionOf(subject),
      ended(`Reading ${subjectWords(subject)} failed${rest}: ${message}`),
    )
  },
  'source.recovered': ({ awayMs }, subject) =>
    said(
      sectionOf(subject),
      `Reading ${subjectWords(subject)} works again, after ${spanWords(awayMs)}.`,
    ),
}
