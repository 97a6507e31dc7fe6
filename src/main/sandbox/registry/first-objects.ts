import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { apiServerCaller } from '../auth/caller.ts'
import type { ObjectWriter } from '../endpoints/object-writer.ts'
import type { ObjectStore } from '../object-store.ts'
import { systemPriorityClasses } from './class-strategies.ts'
import { typeOfKind } from './resource-types.ts'
import { apiServerIp } from './service/service-allocation.ts'

const namespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'] as const

/** The API server as seen from pods. It is not reachable: the sandbox has no network. */
const apiServerService: KubeObject = {
  metadata: {
    name: 'kubernetes',
    namespace: 'default',
    uid: '',
    labels: { component: 'apiserver', provider: 'kubernetes' },
  },
  spec: {
    clusterIP: apiServerIp,
    ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
  },
}

/** An object and its kind. */
export type FirstObject = readonly [kind: string, object: KubeObject]

// The writer sets the UIDs.
const objects: readonly FirstObject[] = [
  ...namespaces.flatMap((name) => [
    ['Namespace', { metadata: { name, uid: '' } }] as const,
    ['ServiceAccount', { metadata: { name: 'default', namespace: name, uid: '' } }] as const,
  ]),
  ['Service', apiServerService],
  ...systemPriorityClasses.map((one) => ['PriorityClass', one] as const),
]

/** Whether every server creates an object of this kind and name when it starts. */
export function isFirstObject(
  kind: string,
  { namespace = '', name, labels }: KubeObject['metadata'],
): boolean {
  // The roles and bindings of a server that enforces RBAC.
  if (labels?.['kubernetes.io/bootstrapping'] === 'rbac-defaults') return true
  return objects.some(
    ([own, { metadata }]) =>
      own === kind && metadata.name === name && (metadata.namespace ?? '') === namespace,
  )
}

/** A write of the server itself. */
export const ownWrite = {
  caller: apiServerCaller,
  causes: [],
  dryRun: false,
  subresource: '',
} as const

/** Creates the objects that every server creates when it starts, and `more`, where they are missing. */
export function createFirstObjects(
  writer: ObjectWriter,
  store: Pick<ObjectStore, 'of'>,
  more: readonly FirstObject[],
): void {
  for (const [kind, object] of [...objects, ...more]) {
    const type = typeOfKind(kind)
    const { namespace = '', name } = object.metadata
    if (store.of(type).get({ namespace, name }) !== undefined) continue
    const created = writer.create(type, type.strategy.withDefaults(object), ownWrite)
    if (!created.ok) throw new Error(created.error.message)
  }
}
