import { goQuote } from '../../../../shared/go/text.ts'
import { objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../../shared/result.ts'
import type { Result } from '../../../../shared/result.ts'
import type { ObjectStore } from '../../object-store.ts'
import { typeOfKind } from '../../registry/resource-types.ts'
import type { Caller } from '../caller.ts'
import { policyRule } from './policy-rule.ts'
import type { PolicyRule } from './policy-rule.ts'

/** A rule that applies to a user, and what says so. */
interface SourcedRule {
  readonly rule: PolicyRule
  readonly source: string
}

/** The rules that apply to a user, and why some are not known. */
interface ResolvedRules {
  readonly rules: readonly SourcedRule[]
  readonly errors: readonly string[]
}

type RoleRules = Result<readonly PolicyRule[], { readonly kind: string; readonly name: string }>

/** Source: pkg/registry/rbac/validation appliesToUser. */
function appliesTo(subject: JsonObject, namespace: string, { user, groups }: Caller): boolean {
  const name = textAt(subject, 'name')
  switch (textAt(subject, 'kind')) {
    case 'User':
      return name === user
    case 'Group':
      return groups.includes(name)
    case 'ServiceAccount': {
      const own = textAt(subject, 'namespace') || namespace
      return own !== '' && user === `system:serviceaccount:${own}:${name}`
    }
    default:
      return false
  }
}

function subjectText(subject: JsonObject, namespace: string): string {
  const [kind, name] = [textAt(subject, 'kind'), textAt(subject, 'name')]
  const own = textAt(subject, 'namespace') || namespace
  return `${kind} ${goQuote(kind === 'ServiceAccount' ? `${name}/${own}` : name)}`
}

function sourceText({ kind = '', metadata, ...rest }: KubeObject, subject: JsonObject): string {
  const { name, namespace } = metadata
  const role = objectAt(rest, 'roleRef')
  const title = namespace === undefined ? name : `${name}/${namespace}`
  const to = subjectText(subject, namespace ?? '')
  return `${kind} ${goQuote(title)} of ${textAt(role, 'kind')} ${goQuote(textAt(role, 'name'))} to ${to}`
}

/** What the stored roles and bindings allow. Source: pkg/registry/rbac/validation/rule.go (v1.34). */
export class RuleResolver {
  readonly #store: Pick<ObjectStore, 'of'>

  constructor(store: Pick<ObjectStore, 'of'>) {
    this.#store = store
  }

  /**
   * The rules that apply to a user in a namespace; without one, those of the whole cluster. `as`: the resource that an error calls a
   * missing role; default: its kind.
   */
  rulesFor(caller: Caller, namespace: string, as?: string): ResolvedRules {
    const rules: SourcedRule[] = []
    const errors: string[] = []
    const ofNamespace =
      namespace === ''
        ? []
        : this.#list('RoleBinding').filter(({ metadata }) => metadata.namespace === namespace)
    for (const binding of [...this.#list('ClusterRoleBinding'), ...ofNamespace]) {
      const own = binding.metadata.namespace ?? ''
      const subject = objectsAt({ ...binding }, 'subjects').find((one) =>
        appliesTo(one, own, caller),
      )
      if (subject === undefined) continue
      const resolved = this.rulesOf(objectAt({ ...binding }, 'roleRef'), own)
      const source = sourceText(binding, subject)
      if (resolved.ok) rules.push(...resolved.value.map((rule) => ({ rule, source })))
      else {
        const resource = as ?? resolved.error.kind.toLowerCase()
        errors.push(
          `${resource}.rbac.authorization.k8s.io ${goQuote(resolved.error.name)} not found`,
        )
      }
    }
    return { rules, errors: [...new Set(errors)] }
  }

  /** The rules of a role that a binding of this namespace refers to. The error names the role that is missing. */
  rulesOf(reference: JsonObject, namespace: string): RoleRules {
    const [kind, name] = [textAt(reference, 'kind'), textAt(reference, 'name')]
    const key = { namespace: kind === 'Role' ? namespace : '', name }
    const role = this.#store.of(typeOfKind(kind === 'Role' ? 'Role' : 'ClusterRole')).get(key)
    return role === undefined
      ? err({ kind, name })
      : ok(objectsAt({ ...role }, 'rules').map(policyRule))
  }

  #list(kind: string): readonly KubeObject[] {
    return [...this.#store.of(typeOfKind(kind)).list()]
  }
}
