/** metrics.k8s.io, which metrics-server serves in a real cluster (sigs.k8s.io/metrics-server pkg/api). */
import type { ObjectMeta } from '../../../shared/kubernetes/objects.ts'
import {
  addQuantities,
  formatQuantity,
  parseQuantity,
} from '../../../shared/kubernetes/quantity.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { resource } from '../registry/resource-types.ts'
import { column, nameColumn, tableOf } from '../surface/tables/columns.ts'

export const metricsGroup = 'metrics.k8s.io'

/** Quantities. */
export interface Usage {
  readonly cpu: string
  readonly memory: string
}

interface Measured {
  readonly metadata: Omit<ObjectMeta, 'uid'>
  /** When it was measured. */
  readonly timestamp: string
  readonly window: string
}

export interface NodeMetrics extends Measured {
  readonly usage: Usage
}

export interface PodMetrics extends Measured {
  readonly containers: readonly { readonly name: string; readonly usage: Usage }[]
}

/** As tables take objects. */
type Printed<T> = T & { readonly metadata: ObjectMeta }

const nothing = parseQuantity('0')

function total(containers: PodMetrics['containers'], resource: keyof Usage): string {
  const sum = containers.reduce((before, { usage }) => {
    const used = parseQuantity(usage[resource])
    return before === undefined || used === undefined ? before : addQuantities(before, used)
  }, nothing)
  return sum === undefined ? '' : formatQuantity(sum)
}

const columns = [
  nameColumn,
  column('cpu', 'cpu', 'How much CPU is used.'),
  column('memory', 'memory', 'How much memory is used.'),
  column('Window', 'window', 'The time over which CPU was measured.'),
] as const

const groupVersion = `${metricsGroup}/v1beta1`
const measured = { singular: '', verbs: ['get', 'list'] } as const

export const nodeMetricsType: ResourceType = resource(groupVersion, 'NodeMetrics', 'nodes', {
  ...measured,
  namespaced: false,
  columns: tableOf(columns, ({ usage, window }: Printed<NodeMetrics>) => ({ ...usage, window })),
})

const podMetricsType: ResourceType = resource(groupVersion, 'PodMetrics', 'pods', {
  ...measured,
  columns: tableOf(columns, ({ containers, window }: Printed<PodMetrics>) => ({
    cpu: total(containers, 'cpu'),
    memory: total(containers, 'memory'),
    window,
  })),
})

export const metricsTypes: readonly ResourceType[] = [nodeMetricsType, podMetricsType]
