import type { ApiError } from '../../kubelet/ports.ts'

/** A right that the kubelet's own server needs. */
export interface NeededRight {
  readonly group: string
  readonly resource: string
  readonly verb: string
  /** Of one object. */
  readonly name?: string
  readonly namespace?: string
}

/** The end of a sentence: why a call failed; with the RBAC rule if a right is missing. */
export function missingRight(right: NeededRight, { kind, message }: ApiError): string {
  const reason = message.replace(/[.\s]+$/, '')
  if (kind !== 'forbidden') return `${reason}.`
  const { group, resource, verb, name, namespace } = right
  const only = name === undefined ? '' : `, resourceNames: [${name}]`
  const rule = `{apiGroups: ['${group}'], resources: [${resource}]${only}, verbs: [${verb}]}`
  const where = namespace === undefined ? '' : ` in the namespace ${namespace}`
  return `${reason}. It needs the RBAC rule ${rule}${where}: apply nodescope-kubelet-server of docs/rbac.yaml.`
}
