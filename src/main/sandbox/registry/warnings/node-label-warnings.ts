import { listAt, objectsAt, ownField, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { labelValueProblems } from '../../../../shared/kubernetes/validation/name-rules.ts'

/** Source: pkg/api/node deprecatedNodeLabels (v1.34). */
const deprecatedLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region':
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone':
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type':
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods':
    'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
}

/** Why a label of nodes is no longer used; undefined: it is. */
function deprecatedLabel(key: string): string | undefined {
  return ownField(deprecatedLabels, key)
}

/** Warnings about a key: `text` makes them of the reason. */
export function labelWarnings(key: string, text: (why: string) => string): readonly string[] {
  const why = deprecatedLabel(key)
  return why === undefined ? [] : [text(why)]
}

/** Source: pkg/api/node GetWarningsForNodeSelectorTerm. */
export function nodeSelectorTermWarnings(
  term: JsonObject,
  field: string,
  options: { readonly checksValues: boolean },
): readonly string[] {
  return objectsAt(term, 'matchExpressions').flatMap((expression, index) => {
    const at = `${field}.matchExpressions[${index}]`
    const key = textAt(expression, 'key')
    const values = options.checksValues ? listAt(expression, 'values').map(String) : []
    return [
      ...labelWarnings(key, (why) => `${at}.key: ${key} is ${why}`),
      ...values.flatMap((value, place) =>
        labelValueProblems(value).map(
          (why) => `${at}.values[${place}]: ${value} is invalid, ${why}`,
        ),
      ),
    ]
  })
}
