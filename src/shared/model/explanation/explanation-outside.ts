import { assertNever } from '../../assert-never.ts'
import type { Act } from '../act.ts'
import type { TraceData, TraceSubject } from '../trace-event.ts'
import type { PodSource } from '../pod-source.ts'
import type { EventTable, Explanation } from './event-words.ts'
import { inSection } from './event-words.ts'
import type { Anchor } from '../../handbook/anchors.ts'
import { graceWords, spanWords, subjectWords } from './explanation-words.ts'

interface ActWords {
  readonly section: Anchor
  readonly words: string
  /** `POD` stands for its name. */
  readonly short: string
}

const acts: Readonly<Record<Act | 'setBehavior', ActWords>> = {
  setBehavior: {
    section: 'pod-manager#add-and-update',
    words: 'change an annotation that a simulated container follows',
    short: 'change the behavior of POD',
  },
  kill: { section: 'termination#killpodnow', words: 'kill the pod', short: 'kill POD' },
  evictByKubelet: {
    section: 'eviction#evicting-one-pod',
    words: 'have the kubelet evict the pod',
    short: 'evict POD by the kubelet',
  },
  evictThroughApi: {
    section: 'api-server#eviction-api',
    words: 'evict the pod through the API',
    short: 'evict POD through the API',
  },
  delete: {
    section: 'api-server#pod-deletion',
    words: 'delete the object through the API',
    short: 'delete POD',
  },
  forceDelete: {
    section: 'api-server#pod-deletion',
    words: 'force-delete the object',
    short: 'force delete POD',
  },
  deleteMirror: {
    section: 'mirror-pods#scenarios',
    words: 'delete the mirror of a static pod',
    short: 'delete the mirror of POD',
  },
  restartContainer: {
    section: 'termination#stopped-at-the-runtime',
    words: 'stop a container at the container runtime',
    short: 'stop a container of POD',
  },
}

/** What was asked for, with the container's name where there is one. */
function actWords(act: keyof typeof acts, container: string | undefined): string {
  const { words } = acts[act]
  return container === undefined
    ? words
    : words.replace('a container', () => `container ${container}`)
}

const sourceSections: Readonly<Record<PodSource, Anchor>> = {
  file: 'sources#file-source',
  http: 'sources#http-source',
  api: 'sources#api-source',
}

function sectionOf(subject: TraceSubject): Anchor {
  if (subject.kind === 'source') return sourceSections[subject.source]
  if (subject.kind === 'pod') return 'sources#api-source'
  if (subject.kind === 'node') return 'node#status-updates'
  if (subject.kind !== 'object') return 'api-server#kubelet-writes'
  if (subject.resource === 'pods') return 'sources#api-source'
  if (subject.resource === 'leases') return 'node#lease'
  return subject.resource === 'nodes' ? 'node#status-updates' : 'api-server#kubelet-writes'
}

const requestVerbs: Readonly<Record<string, string>> = {
  POST: 'created',
  PUT: 'replaced',
  PATCH: 'patched',
  DELETE: 'deleted',
}

/** `pods` -> `pod`, `priorityclasses` -> `priorityclass`. */
function singular(resource: string): string {
  return resource.replace(/(?<=ss)es$|s$/, '')
}

/** `kubectl created a pod in default`, `kubectl deleted pod default/web`; with the path where there is no such word. */
function requestWord({ client, method, path }: TraceData['request.received']): string {
  const [bare = ''] = path.split('?')
  const object = bare.replace(/^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\//, '')
  const parts = /^(?:namespaces\/([^/]+)\/)?([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(object)
  const [, namespace, resource = '', name, subresource] = parts ?? []
  const verb = requestVerbs[method]
  const one = `${singular(resource)} ${namespace === undefined ? '' : `${namespace}/`}${name ?? ''}`
  if (subresource === 'eviction') return `${client} asked to evict ${one}`
  if (subresource === 'binding') return `${client} bound ${one}`
  if (parts === null || verb === undefined || subresource !== undefined)
    return `${client} ${method} ${object.replace(/^namespaces\/[^/]+\/(?=.)/, '')}`
  if (name !== undefined) return `${client} ${verb} ${one}`
  const all = method === 'POST' ? `a ${singular(resource)}` : resource
  return `${client} ${verb} ${all}${namespace === undefined ? '' : ` in ${namespace}`}`
}

function written(
  { change, resourceVersion, user, subresource }: TraceData['object.written'],
  subject: TraceSubject,
): Explanation {
  const what = subject.kind === 'pod' ? `pod ${subjectWords(subject)}` : subjectWords(subject)
  const section = sectionOf(subject)
  // Who wrote is not known of a cluster that is only looked at.
  const by = `${user === '' ? '' : `for ${user} `}(resourceVersion ${resourceVersion})`
  switch (change) {
    case 'ADDED':
      return inSection(section, `The API server stores the new ${what} ${by}.`)
    case 'MODIFIED': {
      const part = subresource === '' ? '' : `the ${subresource} of `
      return inSection(section, `The API server changes ${part}${what} ${by}.`)
    }
    case 'DELETED':
      return inSection(section, `The API server removes ${what} ${by}.`)
    default:
      return assertNever(change, 'change of an object')
  }
}

function kindOf(subject: TraceSubject): string {
  return subject.kind === 'object' ? singular(subject.resource) : ''
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

type ManifestChange = TraceData['manifest.changed']['change']

const urlChanges: Readonly<Record<ManifestChange, string>> = {
  added: 'responds for the first time, and its body is read',
  modified: 'responds with changed content, which is read',
  removed: 'responds with an empty body, so its pods are removed',
}

const fileChanges: Readonly<Record<ManifestChange, string>> = {
  added: 'is new in the manifest folder, and is read',
  modified: 'in the manifest folder has changed, and is read again',
  removed: 'was removed from the manifest folder, and its pods with it',
}

/** What comes from outside: requests, objects, commands, files. */
export const outsideEvents = {
  'request.received': {
    section: 'api-server#kubelet-writes',
    word: requestWord,
    sentence: ({ method, path, user, client }) =>
      `${client}, as ${user}, requests ${method} ${path} from the API server.`,
  },
  'object.written': { section: 'api-server#kubelet-writes', sentence: written },
  'object.received': {
    section: 'containers#environment',
    word: ({ change }) => change,
    step: ({ change }, name, subject) => `watch sends ${change} of ${kindOf(subject)} ${name}`,
    sentence: ({ change, resourceVersion }, subject) =>
      change === 'DELETED'
        ? `The kubelet’s watch of ${subjectWords(subject)} finds that there is none.`
        : `The kubelet’s watch receives ${subjectWords(subject)} (resourceVersion ${resourceVersion}); volumes get it at their next mount or sync, environment variables only when a container starts.`,
  },
  'command.received': {
    section: 'termination#ways-to-stop-a-pod',
    word: ({ act }, subject) =>
      `you: ${acts[act].short.replace('POD', () => (subject.kind === 'pod' ? subject.name : ''))}`,
    sentence: ({ act, gracePeriodSeconds, container }) =>
      inSection(
        acts[act].section,
        `A user requested on this page to ${actWords(act, container)}${graceWords(gracePeriodSeconds)}.`,
      ),
  },
  'command.refused': {
    section: 'termination#ways-to-stop-a-pod',
    sentence: ({ act, message }) => `The requested ${act} was refused: ${message}`,
  },
  'manifest.changed': {
    section: 'sources#file-source',
    word: ({ path, change }) => `${fileName(path)} ${change}`,
    sentence: ({ path, change }, subject) =>
      subject.kind === 'source' && subject.source === 'http'
        ? inSection('sources#http-source', `The manifest URL ${path} ${urlChanges[change]}.`)
        : `The file ${fileName(path)} ${fileChanges[change]}.`,
  },
  'manifest.rejected': {
    section: 'identity#static-pods',
    sentence: ({ path, message }) => `The manifest ${fileName(path)} is invalid: ${message}`,
  },
  'manifest.skipped': { section: 'sources#file-source', sentence: ({ message }) => message },
  'source.failed': {
    section: 'sources#file-source',
    sentence: ({ message }, subject) => {
      // The message says what happens to the pods of a folder or a URL.
      const isApi = subject.kind === 'source' && subject.source === 'api'
      const rest = isApi ? '; the kubelet keeps its current pods' : ''
      return inSection(
        sectionOf(subject),
        `Reading ${subjectWords(subject)} failed${rest}: ${message}`,
      )
    },
  },
  'source.recovered': {
    section: 'sources#file-source',
    sentence: ({ awayMs }, subject) =>
      inSection(
        sectionOf(subject),
        `Reading ${subjectWords(subject)} works again, after ${spanWords(awayMs)}.`,
      ),
  },
} satisfies Partial<EventTable>
