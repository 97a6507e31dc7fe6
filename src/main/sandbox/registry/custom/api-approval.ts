import { objectAt, textAt } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'

export const approvalAnnotation = 'api-approved.kubernetes.io'

/** Whether a definition in a group of Kubernetes itself was approved. */
export interface Approval {
  readonly status: 'True' | 'False'
  readonly reason:
    'MissingAnnotation' | 'UnapprovedAnnotation' | 'ApprovedAnnotation' | 'InvalidAnnotation'
  readonly message: string
}

/** Undefined: its group needs no approval. Source: apiextensions apihelpers GetAPIApprovalState (v1.34). */
export function approvalOf(definition: KubeObject): Approval | undefined {
  const group = textAt(objectAt(definition, 'spec'), 'group')
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return undefined
  const value = definition.metadata.annotations?.[approvalAnnotation] ?? ''
  const needed = `protected groups must have approval annotation "${approvalAnnotation}"`
  const see = 'see https://github.com/kubernetes/enhancements/pull/1111'
  if (value === '')
    return { status: 'False', reason: 'MissingAnnotation', message: `${needed}, ${see}` }
  if (value.startsWith('unapproved')) {
    const message = `not approved: ${JSON.stringify(value)}`
    return { status: 'False', reason: 'UnapprovedAnnotation', message }
  }
  if (/^[a-z][a-z\d+.-]*:\/\/[^\s/]+/i.test(value))
    return { status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${value}` }
  const message = `${needed} with either a URL or a reason starting with "unapproved", ${see}`
  return { status: 'False', reason: 'InvalidAnnotation', message }
}
