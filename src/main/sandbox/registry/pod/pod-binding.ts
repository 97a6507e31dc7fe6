import { objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import {
  enumProblems,
  fieldProblemsText,
  problemIf,
  requiredField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { KubeObject, KubeStatus } from '../../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../../shared/result.ts'
import { badRequest, conflict, serverError, uidConflict } from '../../api-status.ts'
import type { ApiResult } from '../../api-status.ts'
import { withPodCondition } from '../conditions.ts'
import type { ResourceType } from '../resource-type.ts'

function bindingRefusal(binding: JsonObject, podName: string): KubeStatus | undefined {
  const name = textAt(objectAt(binding, 'metadata'), 'name')
  if (name !== podName) return badRequest('name in URL does not match name in Binding object')
  const target = objectAt(binding, 'target')
  const kind = textAt(target, 'kind')
  const problems = [
    ...(kind === '' ? [] : enumProblems('target.kind', kind, ['Node', '<empty>'])),
    ...problemIf(textAt(target, 'name') === '', requiredField('target.name')),
  ]
  // Upstream answers with the errors as they are.
  return problems.length === 0 ? undefined : serverError(fieldProblemsText(problems))
}

function podRefusal(type: ResourceType, pod: KubeObject, uid: string): KubeStatus | undefined {
  const { metadata } = pod
  if (uid !== '' && uid !== metadata.uid) {
    const place = { namespace: metadata.namespace ?? '', name: metadata.name }
    return uidConflict(type, place, { given: uid, stored: metadata.uid })
  }
  const spec = objectAt(pod, 'spec')
  const nodeName = textAt(spec, 'nodeName')
  const refused = (why: string): KubeStatus =>
    conflict(type, metadata.name, `pod ${metadata.name} ${why}`, 'pods/binding')
  if (metadata.deletionTimestamp !== undefined) {
    return refused('is being deleted, cannot be assigned to a host')
  }
  if (nodeName !== '') return refused(`is already assigned to node "${nodeName}"`)
  if (objectsAt(spec, 'schedulingGates').length === 0) return undefined
  return refused('has non-empty .spec.schedulingGates')
}

/**
 * The pod as a decoded Binding assigns it to a node, with its PodScheduled condition.
 * Source: pkg/registry/core/pod/storage setPodHostAndAnnotations (v1.34).
 */
export function boundPod(
  type: ResourceType,
  pod: KubeObject,
  binding: JsonObject,
  now: number,
): ApiResult<KubeObject> {
  const refusal =
    bindingRefusal(binding, pod.metadata.name) ??
    podRefusal(type, pod, textAt(objectAt(binding, 'metadata'), 'uid'))
  if (refusal !== undefined) return err(refusal)
  const nodeName = textAt(objectAt(binding, 'target'), 'name')
  const bound = { ...pod, spec: { ...objectAt(pod, 'spec'), nodeName } }
  return ok(withPodCondition(bound, { type: 'PodScheduled', status: 'True' }, now))
}
