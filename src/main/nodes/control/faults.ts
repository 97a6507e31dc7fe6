import { parseDuration } from '../../../shared/go/duration.ts'
import { runtimeCallNames } from '../../../shared/model/node/node-faults.ts'
import type { CallFault } from '../../../shared/model/node/node-faults.ts'
import { schemaProblem } from '../../../shared/json-schema.ts'
import type { SchemaProblem } from '../../../shared/json-schema.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import schema from './control.schema.json'

/** What is made to fail, as the schema `fault` has it. Which fields a type has: `fieldsOf`. */
export interface Fault {
  readonly type: keyof typeof fieldsOf
  readonly verbs?: readonly string[]
  readonly path?: string
  readonly user?: string
  readonly latency?: string
  readonly code?: number
  readonly message?: string
  readonly share?: number
  readonly every?: string
  readonly node?: string
  readonly skew?: string
  readonly state?: 'down' | 'hangs'
  readonly call?: string
  readonly how?: 'fails' | 'hangs'
  readonly pod?: string
}

const selectors = ['verbs', 'path', 'user', 'share'] as const

/** The fields of each type besides `type`: those that it needs, and those that it may have. */
const fieldsOf = {
  /** Matching requests wait so long. */
  Latency: { needs: ['latency'], may: selectors },
  /** Matching requests are answered with this code. */
  Error: { needs: ['code'], may: [...selectors, 'message'] },
  /** The watches of the kubelets are closed again and again. */
  WatchDrops: { needs: ['every'], may: ['node'] },
  /** Matching watches are answered with 410, so that the client lists again. */
  Gone: { needs: [], may: selectors },
  /** No node reaches the API server. */
  Outage: { needs: [], may: [] },
  /** One node does not reach the API server. */
  CutOff: { needs: ['node'], may: [] },
  /** The clock of a machine is wrong. */
  ClockSkew: { needs: ['node', 'skew'], may: [] },
  /** The container runtime does not answer. */
  Runtime: { needs: ['node', 'state'], may: [] },
  /** One call of the container runtime fails. */
  RuntimeCall: { needs: ['node', 'call', 'how'], may: ['pod'] },
  /** Other data fills the disk. */
  FullDisk: { needs: ['node'], may: [] },
  /** Volumes take minutes to be set up. */
  SlowMounts: { needs: ['node'], may: [] },
} as const satisfies Readonly<
  Record<string, { readonly needs: readonly string[]; readonly may: readonly string[] }>
>

function faultProblem(
  fault: Fault,
  nodes: readonly string[],
): (Omit<SchemaProblem, 'message'> & { readonly message: string }) | undefined {
  const { needs, may } = fieldsOf[fault.type]
  const known: readonly string[] = ['type', ...needs, ...may]
  for (const field of needs)
    if (fault[field] === undefined) return { field, message: `is missing: ${fault.type} needs it` }
  for (const field of Object.keys(fault))
    if (!known.includes(field))
      return {
        field,
        message: `has no effect: ${fault.type} has ${known.slice(1).join(', ') || 'no other field'}`,
      }
  if (fault.node !== undefined && !nodes.includes(fault.node))
    return { field: 'node', message: `needs one of ${nodes.join(', ')}, not ${fault.node}` }
  if (fault.call !== undefined && !runtimeCallNames.some((name) => name === fault.call))
    return {
      field: 'call',
      message: `needs one of ${runtimeCallNames.join(', ')}, not ${fault.call}`,
    }
  if (fault.every !== undefined && (parseDuration(fault.every) ?? 0) < 1000)
    return { field: 'every', message: 'needs at least 1s' }
  return undefined
}

/** Checks the faults of a plan. `field`: where the list stands. */
export function readFaults(
  value: unknown,
  field: string,
  nodes: readonly string[],
): Result<readonly Fault[], SchemaProblem> {
  const shape = schemaProblem(schema, value, schema.$defs.faultPlan.properties.faults, field)
  if (shape !== undefined) return err(shape)
  // The schema says so.
  const faults = value as readonly Fault[]
  for (const [index, fault] of faults.entries()) {
    const problem = faultProblem(fault, nodes)
    if (problem === undefined) continue
    const path = `${field}[${index}].${problem.field}`
    return err({ field: path, message: `${path} ${problem.message}.` })
  }
  return ok(faults)
}

/** The fault as the node's switches have it. `readFaults` has checked the name of the call. */
export function callFaultOf({ call, how = 'fails', pod }: Fault): CallFault {
  const [namespace = '', name = ''] = pod?.split('/') ?? []
  const found = runtimeCallNames.find((one) => one === call)
  if (found === undefined) throw new Error(`no runtime call ${call}`)
  return { call: found, how, pod: pod === undefined ? null : { namespace, name } }
}
