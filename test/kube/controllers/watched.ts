import { objectAt, textAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'

/** What a sequence of acts is about, by the path below its namespace's API roots. */
export const watched = [
  '/apis/apps/v1/namespaces/NS/deployments',
  '/apis/apps/v1/namespaces/NS/replicasets',
  '/apis/apps/v1/namespaces/NS/statefulsets',
  '/apis/apps/v1/namespaces/NS/daemonsets',
  '/apis/apps/v1/namespaces/NS/controllerrevisions',
  '/apis/batch/v1/namespaces/NS/jobs',
  '/apis/batch/v1/namespaces/NS/cronjobs',
  '/api/v1/namespaces/NS/replicationcontrollers',
  '/api/v1/namespaces/NS/pods',
  '/api/v1/namespaces/NS/services',
  '/api/v1/namespaces/NS/endpoints',
  '/apis/discovery.k8s.io/v1/namespaces/NS/endpointslices',
  '/api/v1/namespaces/NS/persistentvolumeclaims',
  '/apis/policy/v1/namespaces/NS/poddisruptionbudgets',
  '/api/v1/namespaces/NS/configmaps',
] as const

/** Whether a sequence has made or bound the volume: it is named after the namespace, or refers to one of its claims. */
export function isVolumeOf(namespace: string, volume: JsonObject): boolean {
  const name = textAt(objectAt(volume, 'metadata'), 'name')
  const claim = objectAt(objectAt(volume, 'spec'), 'claimRef')
  return name.startsWith(`${namespace}-`) || claim['namespace'] === namespace
}
