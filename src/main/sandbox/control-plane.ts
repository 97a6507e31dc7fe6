import type { PodDisruptionBudget } from '../../shared/kubernetes/disruption-budget.ts'
import type { Transport } from '../../shared/kubernetes/request.ts'
import { TransportApiClient } from '../cluster/client/api-client.ts'
import { Informer } from '../cluster/informer/informer.ts'
import type { InformerDeps } from '../cluster/informer/informer.ts'
import { resourcePath } from '../cluster/client/resource-paths.ts'
import type { AnyResource } from '../cluster/client/resource-paths.ts'
import type { Clock, Log, Random } from '../kubelet/ports.ts'
import type { SandboxApiServer } from './api-server.ts'
import type { CertificateAuthority } from './certificates/certificate-authority.ts'
import {
  CertificateController,
  startCertificateCleaner,
} from './control-plane/certificates/certificate-controller.ts'
import type { ControllerContext } from './control-plane/controller.ts'
import { CronJobController } from './control-plane/cron-job/cron-job-controller.ts'
import { DaemonSetController } from './control-plane/daemon-set/daemon-set-controller.ts'
import { DeploymentController } from './control-plane/deployment/deployment-controller.ts'
import { ClusterRoleAggregation } from './control-plane/cluster-role-aggregation.ts'
import { DisruptionController } from './control-plane/disruption.ts'
import { startEventExpiry } from './control-plane/event-expiry.ts'
import { GarbageCollector } from './control-plane/garbage-collector/garbage-collector.ts'
import { CustomMonitors } from './control-plane/garbage-collector/custom-monitors.ts'
import type { Monitored } from './control-plane/garbage-collector/garbage-collector.ts'
import { JobController } from './control-plane/job/job-controller.ts'
import { TtlAfterFinishedController } from './control-plane/job/ttl-after-finished.ts'
import { NamespaceController } from './control-plane/namespaces.ts'
import { NodeLifecycleController } from './control-plane/node-lifecycle/node-lifecycle.ts'
import { startPodGc } from './control-plane/pod-gc.ts'
import {
  replicaSetKind,
  replicationControllerKind,
} from './control-plane/replica-set/replica-kinds.ts'
import { ReplicaSetController } from './control-plane/replica-set/replica-set-controller.ts'
import { RootCaPublisher } from './control-plane/root-ca-publisher.ts'
import { ServiceAccountsController } from './control-plane/service-accounts.ts'
import { StatefulSetController } from './control-plane/stateful-set/stateful-set-controller.ts'
import { TokensController } from './control-plane/tokens.ts'
import type { TokenSigner } from './control-plane/tokens.ts'
import { TaintEvictionController } from './control-plane/taint-eviction.ts'
import { EphemeralVolumeController } from './control-plane/volume-claims/ephemeral-claims.ts'
import { PersistentVolumeController } from './control-plane/volume-claims/persistent-volumes.ts'
import { StorageProvisioner } from './control-plane/volume-claims/storage-provisioner.ts'
import { VolumeProtectionController } from './control-plane/volume-protection.ts'
import { EndpointSliceController } from './control-plane/service-endpoints/endpoint-slices.ts'
import { EndpointsController } from './control-plane/service-endpoints/endpoints.ts'
import { controllerIndexOf } from './control-plane/workloads/controller-ref.ts'
import { inProcessTransport } from './in-process-transport.ts'
import { limitedTransport } from './limited-transport.ts'
import type { RequestLimits } from './limited-transport.ts'
import { groupVersion } from './registry/resource-type.ts'
import { resourceTypes } from './registry/resource-types.ts'
import { Scheduler } from './scheduler/scheduler.ts'

export interface ControlPlaneDeps {
  readonly server: Pick<SandboxApiServer, 'handle' | 'registry'>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Signs requests for certificates. Absent: nothing is signed. */
  readonly authority?: CertificateAuthority | undefined
  /** Signs the tokens of Secrets. Absent: they get none. */
  readonly tokens?: TokenSigner | undefined
  /** Whether ClusterRoles take the rules of others; default false. */
  readonly enforcesRbac?: boolean
}

const notCollected = ['Event', 'CustomResourceDefinition']

/** What has owners or dependents; custom kinds and their definitions are added while there are any. */
const collectedResources = resourceTypes
  .filter(({ kind, verbs }) => verbs.includes('delete') && !notCollected.includes(kind))
  .map((type): AnyResource => `${groupVersion(type)}/${type.plural}`)

/** --kube-api-qps and --kube-api-burst of kube-controller-manager: each controller has a client with limits of its own. */
const controllerLimits: RequestLimits = { qps: 20, burst: 30 }
/** cmd/kube-controller-manager/app/core.go: startModifiedNamespaceController, newGarbageCollectorController. */
const namespaceLimits: RequestLimits = { qps: 400, burst: 3000 }
const garbageCollectorLimits: RequestLimits = { qps: 40, burst: 30 }
/** clientConnection of KubeSchedulerConfiguration. */
const schedulerLimits: RequestLimits = { qps: 50, burst: 100 }

interface Stoppable {
  readonly start: () => void
  readonly stop: () => void
}

/** The running control plane, without the API server. */
export interface ControlPlane {
  /** The disruption budgets of the cluster, as the controllers see them. */
  readonly budgets: () => readonly PodDisruptionBudget[]
  /** Calls back after each change of a budget. */
  readonly onBudget: (listener: () => void) => void
  /** See Scheduler. */
  readonly verdicts: Scheduler['verdicts']
  readonly stop: () => void
}

/**
 * Starts the scheduler and the controllers that a cluster needs to run pods: service accounts and their tokens, the CA's ConfigMaps, namespaces, garbage collection,
 * node life cycle, taint eviction, pod garbage collection, disruption budgets, expiry of events, volume protection. They are
 * clients of the server and run on the cluster's clock.
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
  const monitored = new Map<string, Monitored & { readonly informer: Stoppable }>()
  const informer = <R extends AnyResource, I extends string = never>(
    resource: R,
    indexers: InformerDeps<R, I>['indexers'] = [],
  ): Informer<R, I> => {
    const random = deps.random.fork(`${resource} informer`)
    const made = new Informer({ transport, resource, clock, random, log, indexers })
    monitored.set(resourcePath({ resource }), { resource, informer: made })
    return made
  }
  const informers = {
    nodes: informer('nodes'),
    pods: informer('pods', [
      ['nodeName', ({ spec }) => spec.nodeName],
      ['controller', controllerIndexOf],
    ]),
    namespaces: informer('namespaces'),
    accounts: informer('serviceaccounts'),
    secrets: informer('secrets'),
    configMaps: informer('configmaps'),
    events: informer('events'),
    leases: informer('leases'),
    budgets: informer('poddisruptionbudgets'),
    claims: informer('v1/persistentvolumeclaims'),
    volumes: informer('v1/persistentvolumes'),
    deployments: informer('apps/v1/deployments'),
    replicaSets: informer('apps/v1/replicasets', [['controller', controllerIndexOf]]),
    statefulSets: informer('apps/v1/statefulsets'),
    daemonSets: informer('apps/v1/daemonsets'),
    revisions: informer('apps/v1/controllerrevisions', [['controller', controllerIndexOf]]),
    jobs: informer('batch/v1/jobs'),
    cronJobs: informer('batch/v1/cronjobs'),
    endpoints: informer('v1/endpoints'),
    endpointSlices: informer('discovery.k8s.io/v1/endpointslices', [
      [
        'service',
        ({ metadata }) =>
          `${metadata.namespace ?? ''}/${metadata.labels?.['kubernetes.io/service-name'] ?? ''}`,
      ],
    ]),
    replicationControllers: informer('v1/replicationcontrollers', [
      ['controller', controllerIndexOf],
    ]),
    services: informer('services', [['namespace', ({ metadata }) => metadata.namespace]]),
    storageClasses: informer('storage.k8s.io/v1/storageclasses'),
    certificateRequests: informer('certificates.k8s.io/v1/certificatesigningrequests'),
  }
  const clusterRoles =
    deps.enforcesRbac === true ? informer('rbac.authorization.k8s.io/v1/clusterroles') : undefined
  for (const resource of collectedResources) {
    if (!monitored.has(resourcePath({ resource }))) informer(resource)
  }
  const { budgets } = informers
  const owners = {
    'v1/replicationcontrollers': informers.replicationControllers,
    'apps/v1/replicasets': informers.replicaSets,
    'apps/v1/statefulsets': informers.statefulSets,
  }
  const context = { ...informers, client: new TransportApiClient({ transport }), clock, log }
  const limited = (limits = controllerLimits, from = transport): ControllerContext => {
    const transport = limitedTransport(from, { clock, ...limits })
    return { ...context, client: new TransportApiClient({ transport }) }
  }
  const scheduler = new Scheduler(limited(schedulerLimits, transportOf('kube-scheduler')), {
    random: deps.random.fork('scheduler'),
    ownerOf: (resource, namespace, name) => owners[resource].get(namespace, name),
  })
  const { registry } = deps.server
  const collector = new GarbageCollector(
    limited(garbageCollectorLimits),
    [...monitored.values()].filter(({ resource }) => resource !== 'events'),
    registry,
  )
  const started = [
    scheduler,
    new ServiceAccountsController(limited()),
    ...(deps.tokens === undefined ? [] : [new TokensController(limited(), deps.tokens)]),
    new RootCaPublisher(limited()),
    new NamespaceController(limited(namespaceLimits), registry),
    collector,
    new NodeLifecycleController(limited()),
    new TaintEvictionController(limited()),
    { stop: startPodGc(limited()) },
    new DisruptionController(limited()),
    // etcd deletes events whose lease has ended.
    { stop: startEventExpiry(context) },
    new VolumeProtectionController(limited()),
    new PersistentVolumeController(limited()),
    new EphemeralVolumeController(limited()),
    new StorageProvisioner(limited()),
    new ReplicaSetController(limited(), replicaSetKind, informers.replicaSets),
    new ReplicaSetController(
      limited(),
      replicationControllerKind,
      informers.replicationControllers,
    ),
    new DeploymentController(limited()),
    new DaemonSetController(limited()),
    new StatefulSetController(limited()),
    new JobController(limited()),
    new CronJobController(limited()),
    new TtlAfterFinishedController(limited()),
    new EndpointSliceController(limited()),
    new EndpointsController(limited()),
    new CertificateController(limited(), deps.authority),
    { stop: startCertificateCleaner(limited()) },
    ...(clusterRoles === undefined ? [] : [new ClusterRoleAggregation(limited(), clusterRoles)]),
  ]
  for (const one of monitored.values()) one.informer.start()
  const customMonitors = new CustomMonitors({
    registry,
    clock,
    collector,
    informer: (resource) => {
      const random = deps.random.fork(`${resource} informer`)
      return new Informer({ transport, resource, clock, random, log })
    },
  })
  return {
    budgets: () => budgets.list(),
    onBudget: (listener) => {
      budgets.addEventHandler({ onAdd: listener, onUpdate: listener, onDelete: listener })
    },
    verdicts: (namespace, name) => scheduler.verdicts(namespace, name),
    stop: () => {
      for (const one of started) one.stop()
      customMonitors.stop()
      for (const one of monitored.values()) one.informer.stop()
    },
  }
}
