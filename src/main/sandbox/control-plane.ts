import type { PodDisruptionBudget } from '../../shared/kubernetes/disruption-budget.ts'
import type { Clock, Log, Random } from '../kubelet/ports.ts'
import type { SandboxApiServer } from './api-server.ts'
import { collectionPath, ControlClient } from './control-plane/control-client.ts'
import { Disruption } from './control-plane/disruption.ts'
import { EventExpiry } from './control-plane/event-expiry.ts'
import { GarbageCollector } from './control-plane/garbage-collector.ts'
import { Namespaces } from './control-plane/namespaces.ts'
import { NodeLifecycle } from './control-plane/node-lifecycle.ts'
import { PodGarbage } from './control-plane/pod-garbage.ts'
import { Scheduler } from './control-plane/scheduler.ts'
import { ServiceAccounts } from './control-plane/service-accounts.ts'
import { TaintEviction } from './control-plane/taint-eviction.ts'
import { WatchCache } from './control-plane/watch-cache.ts'
import { asDisruptionBudget } from './disruption-budget-strategy.ts'
import { inProcessTransport } from './in-process-transport.ts'

export interface ControlPlaneDeps {
  readonly server: Pick<SandboxApiServer, 'handle'>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** What runs beside the API server until it is stopped. */
export interface ControlPlane {
  /** The disruption budgets of the cluster, as the controllers know them. */
  readonly budgets: () => readonly PodDisruptionBudget[]
  /** Calls back after each change of a budget. */
  readonly onBudget: (listener: () => void) => void
  readonly stop: () => void
}

/**
 * Starts what stands beside an API server in every cluster, as far as one needs it to run pods:
 * scheduler, service accounts, namespaces, garbage collection, node life cycle, taint eviction, pod
 * garbage, disruption budgets, expiry of events. All of it reaches the server as a client does, on the cluster's clock.
 */
export function startControlPlane(deps: ControlPlaneDeps): ControlPlane {
  const { clock, log } = deps
  const clientFor = (component: string): ControlClient =>
    new ControlClient({
      transport: inProcessTransport({
        ...deps,
        random: deps.random.fork(component),
        caller: { user: `system:${component}`, groups: ['system:masters'], client: component },
      }),
    })
  const client = clientFor('kube-controller-manager')
  const cache = (resource: string): WatchCache =>
    new WatchCache({ client, clock, log, collection: collectionPath(resource, undefined) })
  const pods = cache('pods')
  const nodes = cache('nodes')
  const namespaces = cache('namespaces')
  const accounts = cache('serviceaccounts')
  const events = cache('events')
  const leases = cache('coordination.k8s.io/v1/leases')
  const budgets = cache('policy/v1/poddisruptionbudgets')
  const dependents = new Map([
    ['pods', pods],
    ['coordination.k8s.io/v1/leases', leases],
  ])
  const parts = [
    new Scheduler({ client: clientFor('kube-scheduler'), pods, nodes, clock, log }),
    new ServiceAccounts({ client, namespaces, accounts, log }),
    new Namespaces({ client, namespaces, clock, log }),
    new GarbageCollector({ client, nodes, dependents, log }),
    new NodeLifecycle({ client, nodes, leases, pods, clock, log }),
    new TaintEviction({ client, pods, nodes, clock, log }),
    new PodGarbage({ client, pods, nodes, clock, log }),
    new Disruption({ client, pods, budgets, clock, log }),
    new EventExpiry({ client, events, clock, log }),
  ]
  const caches = [nodes, pods, namespaces, accounts, events, leases, budgets]
  for (const one of caches) one.start()
  return {
    budgets: () => budgets.list().map(asDisruptionBudget),
    onBudget: (listener) => {
      budgets.listen(listener)
    },
    stop: () => {
      for (const part of parts) part.stop()
      for (const one of caches) one.stop()
    },
  }
}
