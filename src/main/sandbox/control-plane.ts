import type { PodDisruptionBudget } from '../../shared/kubernetes/disruption-budget.ts'
import type { Transport } from '../../shared/kubernetes/request.ts'
import { TransportApiClient } from '../cluster/client/api-client.ts'
import { Informer } from '../cluster/informer/informer.ts'
import type { InformerDeps } from '../cluster/informer/informer.ts'
import type { AnyResource } from '../cluster/client/resource-paths.ts'
import type { Clock, Log, Random } from '../kubelet/ports.ts'
import type { SandboxApiServer } from './api-server.ts'
import { Disruption } from './control-plane/disruption.ts'
import { EventExpiry } from './control-plane/event-expiry.ts'
import { GarbageCollector } from './control-plane/garbage-collector.ts'
import { Namespaces } from './control-plane/namespaces.ts'
import { NodeLifecycle } from './control-plane/node-lifecycle.ts'
import { PodGarbage } from './control-plane/pod-garbage.ts'
import { Scheduler } from './control-plane/scheduler.ts'
import { ServiceAccounts } from './control-plane/service-accounts.ts'
import { TaintEviction } from './control-plane/taint-eviction.ts'
import { VolumeProtection } from './control-plane/volume-protection.ts'
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
 * garbage, disruption budgets, expiry of events, volume protection. All of it reaches the server as a client does, on the cluster's clock.
 */
export function startControlPlane(deps: ControlPlaneDeps): ControlPlane {
  const { clock, log } = deps
  const transportOf = (component: string): Transport =>
    inProcessTransport({
      ...deps,
      random: deps.random.fork(component),
      caller: { user: `system:${component}`, groups: ['system:masters'], client: component },
    })
  const transport = transportOf('kube-controller-manager')
  const client = new TransportApiClient({ transport })
  const schedulerClient = new TransportApiClient({ transport: transportOf('kube-scheduler') })
  const informer = <R extends AnyResource, I extends string = never>(
    resource: R,
    indexers: InformerDeps<R, I>['indexers'] = [],
  ): Informer<R, I> => {
    const random = deps.random.fork(`${resource} informer`)
    return new Informer({ transport, resource, clock, random, log, indexers })
  }
  const pods = informer('pods', [['nodeName', ({ spec }) => spec.nodeName]])
  const nodes = informer('nodes')
  const namespaces = informer('namespaces')
  const accounts = informer('serviceaccounts')
  const events = informer('events')
  const leases = informer('leases')
  const budgets = informer('poddisruptionbudgets')
  const claims = informer('v1/persistentvolumeclaims')
  const volumes = informer('v1/persistentvolumes')
  const controllers = [
    new Scheduler({ client: schedulerClient, pods, nodes, clock, log }),
    new ServiceAccounts({ client, namespaces, accounts, clock, log }),
    new Namespaces({ client, namespaces, clock, log }),
    new GarbageCollector({ client, nodes, pods, leases, clock, log }),
    new NodeLifecycle({ client, nodes, leases, pods, clock, log }),
    new TaintEviction({ client, pods, nodes, clock, log }),
    new PodGarbage({ client, pods, nodes, clock, log }),
    new Disruption({ client, pods, budgets, clock, log }),
    new EventExpiry({ client, events, clock, log }),
    new VolumeProtection({ client, pods, claims, volumes, clock, log }),
  ]
  const informers = [nodes, pods, namespaces, accounts, events, leases, budgets, claims, volumes]
  for (const one of informers) one.start()
  return {
    budgets: () => budgets.list(),
    onBudget: (listener) => {
      budgets.addEventHandler({ onAdd: listener, onUpdate: listener, onDelete: listener })
    },
    stop: () => {
      for (const controller of controllers) controller.stop()
      for (const one of informers) one.stop()
    },
  }
}
