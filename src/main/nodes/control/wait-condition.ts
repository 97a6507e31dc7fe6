import { isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { parseDuration } from '../../../shared/go/duration.ts'
import { jsonPathValues } from '../../../shared/kubernetes/json-path.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { SandboxApiServer } from '../../sandbox/api-server.ts'
import type { Caller } from '../../sandbox/auth/caller.ts'
import type { ResourceType } from '../../sandbox/registry/resource-type.ts'
import { groupVersion } from '../../sandbox/registry/resource-type.ts'

/** As the schema `condition` has it: what kubectl wait takes. */
export interface WaitCondition {
  /** TYPE/NAME. */
  readonly resource: string
  readonly namespace?: string
  readonly for: string
  readonly timeout?: string
}

/** A condition that can be asked again and again. */
export interface Waiting {
  readonly holds: () => Promise<boolean>
  readonly timeoutMs: number
  /** `condition=Ready of pod/web`. */
  readonly words: string
}

/** On the sandbox's clock. */
const defaultTimeoutMs = 10 * 60_000

const asker: Caller = { user: 'nodescope', groups: ['system:masters'], client: 'nodescope' }

/** The type with a name as kubectl takes it: `pod`, `pods`, `po`, `deployments.apps`. Undefined: none of them has it. */
export function resourceNamed<
  T extends Pick<ResourceType, 'plural' | 'singular' | 'shortNames' | 'group'>,
>(name: string, types: readonly T[]): T | undefined {
  return types.find(
    ({ plural, singular, shortNames, group }) =>
      [plural, singular, ...shortNames].includes(name) || name === `${plural}.${group}`,
  )
}

/** The path of an object in the API. */
export function objectPath(type: ResourceType, namespace: string, name: string): string {
  const root = type.group === '' ? '/api' : '/apis'
  const scope = type.namespaced ? `/namespaces/${namespace}` : ''
  return `${root}/${groupVersion(type)}${scope}/${type.plural}${name === '' ? '' : `/${name}`}`
}

function conditionHolds(object: JsonObject, name: string, value: string): boolean {
  const conditions = objectsAt(objectAt(object, 'status'), 'conditions')
  const found = conditions.find((one) => textAt(one, 'type').toLowerCase() === name.toLowerCase())
  return found !== undefined && textAt(found, 'status').toLowerCase() === value.toLowerCase()
}

function test(wanted: string): ((object: JsonObject | undefined) => boolean) | undefined {
  if (wanted === 'create') return (object) => object !== undefined
  if (wanted === 'delete') return (object) => object === undefined
  const [, name = '', value = 'True'] = /^condition=(\w+)(?:=(\w+))?$/.exec(wanted) ?? []
  if (name !== '') return (object) => object !== undefined && conditionHolds(object, name, value)
  const [, path = '', , text] = /^jsonpath=(\{[^}]+\})(=(.*))?$/.exec(wanted) ?? []
  if (jsonPathValues(path, {}) === undefined) return undefined
  return (object) => {
    const values = jsonPathValues(path, object) ?? []
    return text === undefined ? values.length > 0 : values.some((one) => String(one) === text)
  }
}

/** A condition on an object of the server. Error: the field, and a sentence. */
export function waitingFor(
  condition: WaitCondition,
  server: Pick<SandboxApiServer, 'handle' | 'registry'>,
): Result<Waiting, { readonly field: string; readonly message: string }> {
  const [kind = '', name = ''] = condition.resource.split('/')
  const type = resourceNamed(kind, server.registry.stored)
  if (type === undefined)
    return err({
      field: 'resource',
      message: `resource needs a type that the sandbox has, not ${kind}.`,
    })
  const holds = test(condition.for)
  if (holds === undefined)
    return err({
      field: 'for',
      message: `for has a JSONPath that is not understood: ${condition.for}.`,
    })
  const path = objectPath(type, condition.namespace ?? 'default', name)
  const { timeout = '' } = condition
  return ok({
    words: `${condition.for} of ${condition.resource}`,
    timeoutMs: timeout === '' ? defaultTimeoutMs : (parseDuration(timeout) ?? defaultTimeoutMs),
    holds: async () => {
      const answer = await server.handle({ method: 'GET', path }, asker)
      const body = answer.kind === 'object' && answer.status === 200 ? answer.body : undefined
      return holds(isJsonObject(body) ? body : undefined)
    },
  })
}
