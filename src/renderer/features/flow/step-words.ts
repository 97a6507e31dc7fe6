import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import { shortUid, splitName } from '../../words/uid.ts'

/** A static pod without the name of its node, which is that of all of them here. */
function subjectName(event: TraceEvent): string {
  const { subject } = event
  switch (subject.kind) {
    case 'pod':
    case 'object': {
      const { head, middle, tail } = splitName(subject.name, event.node)
      return middle === `-${event.node}` ? head + tail : subject.name
    }
    case 'source':
      return subject.source
    case 'node':
    case 'cluster':
    default:
      return event.node
  }
}

/** An edited static pod is another pod of the same name: only the UIDs tell them apart. */
function configUid(event: TraceEvent & { readonly kind: 'config.merged' }): string {
  if (event.data.mirror) return ', a mirror'
  if (event.data.source === 'api' || event.subject.kind !== 'pod') return ''
  return ` ${shortUid(event.subject.uid)}`
}

/** What an event did on its arrow, in one short sentence. Pure. */
export function stepWords(event: TraceEvent): string {
  const name = subjectName(event)
  switch (event.kind) {
    case 'config.merged':
      return `${event.data.op} ${name}${configUid(event)}`
    case 'loop.config':
      return `sync loop takes ${event.data.op} of ${event.data.source}, ${event.data.pods} ${event.data.pods === 1 ? 'pod' : 'pods'}`
    case 'podManager.changed':
      return `PodManager ${event.data.op === 'set' ? 'holds' : 'drops'} ${event.data.mirror ? 'the mirror' : name}`
    case 'uid.linked':
      return `mirror ${shortUid(event.data.mirrorUid)} maps to ${shortUid(event.data.staticUid)}`
    case 'uid.unlinked':
      return `mirror ${shortUid(event.data.mirrorUid)} is unlinked`
    case 'worker.updated':
      return `UpdatePod ${event.data.updateType} ${name}${event.data.transition === '' ? '' : `: ${event.data.transition}`}`
    case 'worker.forgotten':
      return `SyncKnownPods removes ${name}`
    case 'status.cached':
      return `status v${event.data.version} of ${name}: ${event.data.phase}`
    case 'status.patched':
      return `PATCH status v${event.data.version} of ${name}: ${event.data.phase}`
    case 'status.failed':
      return `status of ${name} not written: ${event.data.message}`
    case 'status.podDeleted':
      return `DELETE ${name}: terminated, object removed`
    case 'mirror.created':
      return `POST the mirror of ${name}`
    case 'mirror.deleted':
      return `DELETE the mirror of ${name}: ${event.data.why}`
    case 'mirror.failed':
      return `${event.data.act} of the mirror failed: ${event.data.message}`
    case 'mirror.skipped':
      return `no mirror now: ${event.data.message}`
    case 'image.pulling':
      return `pulls ${event.data.image}`
    case 'sandbox.started':
      return `pod sandbox of ${name} starts`
    case 'sandbox.stopped':
      return `pod sandbox of ${name} stops`
    case 'container.created':
      return `container ${event.data.container} is created`
    case 'container.started':
      return `container ${event.data.container} starts`
    case 'container.killing':
      return `StopContainer ${event.data.container}, grace ${event.data.gracePeriodSeconds} s`
    case 'container.signalled':
      return `${event.data.signal} to container ${event.data.container}`
    case 'pleg.event':
      return `PLEG sees ${event.data.type} of ${name}`
    case 'loop.pleg':
      return `sync loop takes ${event.data.type} of ${name}`
    case 'lease.renewed':
      return 'lease renewed'
    case 'lease.failed':
      return `lease not renewed: ${event.data.message}`
    default:
      return `${event.kind} ${name}`
  }
}
