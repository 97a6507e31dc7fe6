import { parseDuration } from '../../../shared/go/duration.ts'
import { faultFields } from '../../../shared/model/node/fault.ts'
import type { Fault } from '../../../shared/model/node/fault.ts'
import { runtimeCallNames } from '../../../shared/model/node/node-faults.ts'
import type { CallFault } from '../../../shared/model/node/node-faults.ts'
import { schemaProblem } from '../../../shared/json-schema.ts'
import type { SchemaProblem } from '../../../shared/json-schema.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import schema from './control.schema.json'

function faultProblem(
  fault: Fault,
  nodes: readonly string[],
): (Omit<SchemaProblem, 'message'> & { readonly message: string }) | undefined {
  const { needs, may } = faultFields[fault.type]
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
