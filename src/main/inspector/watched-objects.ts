import type { Transport } from '../../shared/kubernetes/request.ts'
import { Informer } from '../cluster/informer/informer.ts'
import type { ReflectorStatus } from '../cluster/informer/reflector.ts'
import type { Clock, Log, Random } from '../kubelet/ports.ts'
import type { NodeObjects } from './node-objects.ts'

export interface WatchedObjectsDeps {
  readonly nodeName: string
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly onChange: () => void
}

const leaseNamespace = 'kube-node-lease'

/** Watches of the objects about one node; events only of its pods' kind, from kubelets. */
export interface WatchedObjects extends NodeObjects {
  readonly start: () => void
  readonly stop: () => void
}

/** Watches one node, its lease, its pods and the events of kubelets. */
export function watchedObjects(deps: WatchedObjectsDeps): WatchedObjects {
  const { nodeName, transport, clock, random, log, onChange } = deps
  let awaySince: number | null = null
  const onStatus = (status: ReflectorStatus): void => {
    awaySince = status.kind === 'away' ? status.since : null
    onChange()
  }
  const informer = <R extends 'pods' | 'nodes' | 'leases' | 'events'>(
    resource: R,
    more: { readonly fieldSelector: string; readonly namespace?: string },
  ): Informer<R> => {
    const made = new Informer<R>({
      transport,
      clock,
      log,
      random: random.fork(`inspect ${resource} ${nodeName}`),
      resource,
      ...more,
      ...(resource === 'pods' ? { onStatus } : {}),
    })
    made.addEventHandler({ onAdd: onChange, onUpdate: onChange, onDelete: onChange })
    return made
  }
  const byName = { fieldSelector: `metadata.name=${nodeName}` }
  const pods = informer('pods', { fieldSelector: `spec.nodeName=${nodeName}` })
  const nodes = informer('nodes', byName)
  const leases = informer('leases', { ...byName, namespace: leaseNamespace })
  const events = informer('events', { fieldSelector: 'involvedObject.kind=Pod,source=kubelet' })
  const all = [pods, nodes, leases, events]
  return {
    pods: () => ({ value: pods.list(), at: awaySince ?? clock.now() }),
    node: () => nodes.get('', nodeName),
    lease: () => ({ value: leases.get(leaseNamespace, nodeName), at: awaySince ?? clock.now() }),
    events: () => events.list(),
    apiAwaySince: () => awaySince,
    start: () => {
      for (const each of all) each.start()
    },
    stop: () => {
      for (const each of all) each.stop()
    },
  }
}
