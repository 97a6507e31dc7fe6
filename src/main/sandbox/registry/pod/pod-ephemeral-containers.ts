/** The subresource `ephemeralcontainers` of pods. Source: pkg/registry/core/pod/strategy.go podEphemeralContainersStrategy, validation.go ValidatePodEphemeralContainersUpdate (v1.34). */
import { objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { forbiddenField } from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { podSpecProblems } from '../../../../shared/kubernetes/validation/pod-validation.ts'
import { configMirrorAnnotation } from '../../../kubelet/pod/identity.ts'
import type { UpdateRules } from '../../endpoints/object-writer.ts'
import { specDifference } from '../spec-difference.ts'
import { withFieldOf, withMetadataOf } from '../strategy.ts'
import { withoutRestartPolicies } from './pod-strategy.ts'
import { sameSpec, withGeneration } from './pod-update-validation.ts'

function ephemeralContainersOf(value: KubeObject): readonly JsonObject[] {
  return objectsAt(objectAt(value, 'spec'), 'ephemeralContainers')
}

/** Only the ephemeral containers change; the rest of the pod stays as it is. */
function prepareForUpdate(next: KubeObject, old: KubeObject): KubeObject {
  const { ephemeralContainers: _before, ...rest } = objectAt(old, 'spec')
  const added = ephemeralContainersOf(next)
  const spec = added.length === 0 ? rest : { ...rest, ephemeralContainers: added }
  const kept = withMetadataOf(withFieldOf(next, 'status', old), old)
  return withGeneration({ ...kept, spec: withoutRestartPolicies(spec) }, old)
}

/** Those that the pod has are neither changed nor removed; a patch may change their order. */
function changeProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const field = 'spec.ephemeralContainers'
  const added = new Map(ephemeralContainersOf(next).map((one) => [textAt(one, 'name'), one]))
  return ephemeralContainersOf(old).flatMap((before) => {
    const name = textAt(before, 'name')
    const existing = `existing ephemeral containers ${JSON.stringify(name)} may not be`
    const after = added.get(name)
    if (after === undefined) return [forbiddenField(field, `${existing} removed\n`)]
    if (sameSpec(after, before)) return []
    const difference = specDifference(after, before, sameSpec)
    return [forbiddenField(field, `${existing} changed\n${difference}`)]
  })
}

function updateProblems(next: KubeObject, old: KubeObject): FieldProblems {
  if (old.metadata.annotations?.[configMirrorAnnotation] !== undefined)
    return [forbiddenField('[]', 'static pods do not support ephemeral containers')]
  return [...podSpecProblems(objectAt(next, 'spec')), ...changeProblems(next, old)]
}

export const podEphemeralContainersRules: UpdateRules = {
  prepare: prepareForUpdate,
  problems: updateProblems,
}
