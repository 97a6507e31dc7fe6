import type { InspectView } from '../../../shared/model/inspect/inspect-view.ts'
import { unreadNode } from '../../../shared/model/inspect/unread-node.ts'

export function neverInspected(node: string): string {
  return `The recording has no inspection of ${node}: it was not inspected while this was recorded, or an older version recorded it.`
}

export function notInspectedNow(node: string): string {
  return `${node} was not inspected at this moment of the recording.`
}

/** A recorded inspection at a time: ages have grown since, and no certificate can be accepted. */
export function pastInspection(view: InspectView, now: number): InspectView {
  const { kubelet, apiAwaySince } = view
  const { certificate } = kubelet
  return {
    ...view,
    at: now,
    apiReadAt: apiAwaySince === null ? now : view.apiReadAt,
    kubelet: {
      ...kubelet,
      certificate: certificate && { ...certificate, isPast: true },
    },
  }
}

export function noInspection(node: string, now: number, nothing: string): InspectView {
  return { ...unreadNode, node, nothing, at: now, apiReadAt: now }
}
