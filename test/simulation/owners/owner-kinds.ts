import type { JsonObject } from '../../../src/shared/json.ts'
import type { RandomPicker } from '../../random-picker.ts'
import type { Followed } from './owner-history.ts'
import {
  cronJob,
  daemonSet,
  deployment,
  job,
  replicaSet,
  replicationController,
  statefulSet,
} from './owner-templates.ts'

/** A kind of owners that the simulation creates. */
export interface OwnerKind {
  readonly weight: number
  readonly resource: Followed
  /** How many there are at most in a namespace. */
  readonly most: number
  /** Starts the names, so that two kinds never select the same pods. */
  readonly prefix: string
  readonly make: (
    name: string,
    pick: RandomPicker,
  ) => { readonly behavior: string; readonly object: JsonObject }
}

export const ownerKinds: readonly OwnerKind[] = [
  { weight: 6, resource: 'apps/v1/deployments', most: 3, prefix: 'web', make: deployment },
  { weight: 2, resource: 'apps/v1/replicasets', most: 1, prefix: 'set', make: replicaSet },
  {
    weight: 1,
    resource: 'v1/replicationcontrollers',
    most: 1,
    prefix: 'rc',
    make: replicationController,
  },
  { weight: 4, resource: 'apps/v1/statefulsets', most: 2, prefix: 'db', make: statefulSet },
  { weight: 2, resource: 'apps/v1/daemonsets', most: 1, prefix: 'agent', make: daemonSet },
  { weight: 6, resource: 'batch/v1/jobs', most: 4, prefix: 'job', make: job },
  { weight: 4, resource: 'batch/v1/cronjobs', most: 2, prefix: 'tick', make: cronJob },
]

/** Whether owners of this resource keep pods of a template that can be edited. */
export function hasTemplate(resource: Followed): boolean {
  return resource !== 'batch/v1/jobs' && resource !== 'batch/v1/cronjobs'
}

/** Whether owners of this resource can be scaled. */
export function isScalable(resource: Followed): boolean {
  return hasTemplate(resource) && resource !== 'apps/v1/daemonsets'
}
