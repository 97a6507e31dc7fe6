import { faultFields } from '../../../shared/model/node/fault.ts'
import type { Fault, FaultField, FaultType } from '../../../shared/model/node/fault.ts'
import { runtimeCallNames } from '../../../shared/model/node/node-faults.ts'

/** The typed text of each field. */
export type FaultDraft = Readonly<Partial<Record<FaultField, string>>>

/** The fields that a type has, in the order of the form. */
export function fieldsOf(type: FaultType): readonly FaultField[] {
  const { needs, may } = faultFields[type]
  return [...needs, ...may]
}

/** What the fields that a type needs begin with. */
export function firstDraft(type: FaultType, nodes: readonly string[]): FaultDraft {
  const first: Readonly<Partial<Record<FaultField, string>>> = {
    latency: '2s',
    code: '500',
    every: '10s',
    node: nodes[0] ?? '',
    skew: '2m',
    state: 'down',
    call: 'StartContainer',
    how: 'fails',
  }
  return Object.fromEntries(faultFields[type].needs.map((field) => [field, first[field] ?? '']))
}

/** The values of a field that has only some; `undefined`: a text is typed. */
export function choicesOf(
  field: FaultField,
  nodes: readonly string[],
): readonly string[] | undefined {
  switch (field) {
    case 'node':
      return nodes
    case 'state':
      return ['down', 'hangs']
    case 'how':
      return ['fails', 'hangs']
    case 'call':
      return runtimeCallNames
    default:
      return undefined
  }
}

function valueOf(field: FaultField, text: string): unknown {
  if (field === 'verbs') return text.split(',').map((verb) => verb.trim())
  // What is no number stays text, so that the server says what is wrong.
  const isNumber = field === 'code' || field === 'share'
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text
}

/** The fault of a draft; empty fields are left out. */
export function faultOf(type: FaultType, draft: FaultDraft): Fault {
  const given = fieldsOf(type).flatMap((field) => {
    const text = draft[field]?.trim() ?? ''
    return text === '' ? [] : [[field, valueOf(field, text)] as const]
  })
  return { type, ...Object.fromEntries(given) }
}
