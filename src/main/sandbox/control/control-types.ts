/** nodescope.dev: what a script drives of a sandbox beyond Kubernetes. */
import type { ObjectMeta } from '../../../shared/kubernetes/objects.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { resource } from '../registry/resource-types.ts'
import { column, nameColumn, tableOf } from '../surface/tables/columns.ts'

export const controlGroup = 'nodescope.dev'

/** The name of the only object of each kind. */
export const controlName = 'sandbox'

interface Clock {
  readonly metadata: ObjectMeta
  readonly spec: { readonly paused: boolean; readonly speed: number }
  readonly status: { readonly now: string }
}

interface FaultPlan {
  readonly metadata: ObjectMeta
  readonly spec: { readonly faults: readonly { readonly type: string }[] }
}

const controlled = {
  namespaced: false,
  verbs: ['get', 'list', 'patch', 'update', 'watch'],
} as const
const groupVersion = `${controlGroup}/v1alpha1`

const clockType: ResourceType = resource(groupVersion, 'Clock', 'clocks', {
  ...controlled,
  columns: tableOf(
    [
      nameColumn,
      column('Now', 'now', 'The time on the clock of the sandbox.'),
      column('Paused', 'paused', 'Whether time stands.'),
      column('Speed', 'speed', 'Virtual seconds in a real one.'),
    ],
    ({ spec, status }: Clock) => ({
      now: status.now,
      paused: String(spec.paused),
      speed: String(spec.speed),
    }),
  ),
})

const faultsType: ResourceType = resource(groupVersion, 'FaultPlan', 'faultplans', {
  ...controlled,
  shortNames: ['faults'],
  columns: tableOf(
    [nameColumn, column('Faults', 'faults', 'The types of the faults.')],
    ({ spec }: FaultPlan) => ({ faults: spec.faults.map(({ type }) => type).join(',') }),
  ),
})

export const controlTypes: readonly ResourceType[] = [clockType, faultsType]
