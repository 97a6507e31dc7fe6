import { assertNever } from '../../shared/assert-never.ts'
import type { Act } from '../../shared/model/act.ts'
import type { TraceData, TraceEvent } from '../../shared/model/trace-event.ts'

/** What moved, in a word or two of the field. */
export function moveText(event: TraceEvent): string {
  switch (event.kind) {
    case 'config.merged':
    case 'loop.config':
    case 'podManager.changed':
      return event.data.op
    case 'uid.linked':
      return 'UID linked'
    case 'uid.unlinked':
      return 'UID unlinked'
    case 'worker.updated':
      return event.data.updateType
    case 'worker.forgotten':
      return 'forgotten'
    case 'status.cached':
    case 'status.patched':
      return `${event.data.phase} v${event.data.version}`
    case 'status.failed':
      return 'PATCH failed'
    case 'pleg.event':
    case 'loop.pleg':
      return event.data.type
    default:
      return callText(event)
  }
}

const exitCalls = {
  condition: 'PATCH nodes/status',
  cordon: 'PATCH node',
  delete: 'DELETE node',
} as const

/** The call that an event stands for, in the words of the API and of CRI. */
export function callText(event: TraceEvent): string {
  switch (event.kind) {
    case 'mirror.created':
      return 'POST'
    case 'mirror.deleted':
    case 'status.podDeleted':
      return 'DELETE'
    case 'mirror.failed':
      return event.data.act === 'create' ? 'POST failed' : 'DELETE failed'
    case 'mirror.skipped':
      return 'skipped'
    case 'lease.renewed':
      return 'PUT lease'
    case 'lease.failed':
      return 'PUT lease failed'
    case 'node.registered':
      return event.data.created ? 'POST node' : 'GET node'
    case 'node.registrationFailed':
      return 'POST node failed'
    case 'node.statusWritten':
      return 'PATCH nodes/status'
    case 'node.statusFailed':
      return 'PATCH nodes/status failed'
    case 'node.left':
      return exitCalls[event.data.act]
    case 'node.leaveFailed':
      return `${exitCalls[event.data.act]} failed`
    case 'sandbox.started':
      return 'RunPodSandbox'
    case 'sandbox.stopped':
      return 'StopPodSandbox'
    case 'image.pulling':
      return 'PullImage'
    case 'container.created':
      return 'CreateContainer'
    case 'container.started':
      return 'StartContainer'
    case 'container.killing':
      return 'StopContainer'
    case 'container.signalled':
      return event.data.signal
    default:
      return event.kind
  }
}

function actText(act: Act, pod: string): string {
  switch (act) {
    case 'kill':
      return `kill ${pod}`
    case 'evictByKubelet':
      return `evict ${pod} by the kubelet`
    case 'evictThroughApi':
      return `evict ${pod} through the API`
    case 'delete':
      return `delete ${pod}`
    case 'forceDelete':
      return `force delete ${pod}`
    case 'deleteMirror':
      return `delete the mirror of ${pod}`
    default:
      return assertNever(act, 'act')
  }
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
function requestText({ client, method, path }: TraceData['request.received']): string {
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

/** What came from outside, as one would say it; see `FlowRoot`. */
export function rootText(event: TraceEvent): string {
  switch (event.kind) {
    case 'request.received':
      return requestText(event.data)
    case 'manifest.changed':
      return `${event.data.path.slice(event.data.path.lastIndexOf('/') + 1)} ${event.data.change}`
    case 'command.received':
      return `you: ${actText(event.data.act, event.subject.kind === 'pod' ? event.subject.name : '')}`
    default:
      return event.kind
  }
}
