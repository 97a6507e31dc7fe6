import { isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { parseYaml } from '../../parsing/bounded-yaml.ts'
import { shapeProblem } from './kubeconfig-shape.ts'

/** Why a kubeconfig cannot be used; `message` is one sentence that names the file. */
export interface KubeconfigError {
  readonly kind: 'missing' | 'unreadable' | 'broken' | 'no-context' | 'incomplete' | 'unsupported'
  readonly message: string
}

/** A context with its entries. `cluster` and `user` are as written, not validated. */
export interface ChosenContext {
  readonly contextName: string
  readonly clusterName: string
  readonly userName: string
  /** Of the context; `default` if it names none. */
  readonly namespace: string
  readonly cluster: JsonObject
  readonly user: JsonObject
}

function fails(kind: KubeconfigError['kind'], message: string): Result<never, KubeconfigError> {
  return err({ kind, message })
}

/**
 * The text of a kubeconfig. Like a manifest: Kubernetes reads YAML 1.1, its first document, the last of equal keys.
 * `isPart`: one of several files, which need not have contexts.
 */
export function parseKubeconfig(
  text: string,
  file: string,
  { isPart = false }: { readonly isPart?: boolean } = {},
): Result<JsonObject, KubeconfigError> {
  const reading = parseYaml(text)
  if (!reading.ok && reading.error.kind !== 'empty') {
    const { message, line, column } = reading.error
    const place = line === null ? '' : ` (line ${line}, column ${column ?? 1})`
    const reason = message.replace(/[.\s]+$/, '')
    return fails('broken', `The kubeconfig ${file} is not valid YAML: ${reason}${place}.`)
  }
  const value = reading.ok ? reading.value.value : isPart ? {} : undefined
  if (isJsonObject(value) && (isPart || (value['contexts'] ?? null) !== null)) {
    const problem = shapeProblem(value)
    if (problem === undefined) return ok(value)
    return fails('broken', `The kubeconfig ${file} is not valid: ${problem}.`)
  }
  return fails('broken', `${file} is not a kubeconfig: it has no list of contexts.`)
}

/** The entry of that name in a list of `{name, [field]: …}`. */
function entryNamed(
  config: JsonObject,
  list: string,
  name: string,
  field: string,
): JsonObject | undefined {
  const entry = objectsAt(config, list).find((one) => textAt(one, 'name') === name)
  return entry === undefined ? undefined : objectAt(entry, field)
}

function quoted(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map((name) => `"${name}"`).join(', ')
}

/** Finds context, cluster and user in a kubeconfig. `wanted` undefined: its current-context. */
export function chooseContext(
  config: JsonObject,
  place: { readonly file: string; readonly wanted: string | undefined },
): Result<ChosenContext, KubeconfigError> {
  const { file } = place
  const names = objectsAt(config, 'contexts').map((entry) => textAt(entry, 'name'))
  const contextName = place.wanted ?? textAt(config, 'current-context')
  if (contextName === '') {
    const message = `The kubeconfig ${file} sets no current-context; choose one of its contexts with --context: ${quoted(names)}.`
    return fails('no-context', message)
  }
  const context = entryNamed(config, 'contexts', contextName, 'context')
  if (context === undefined) {
    const message = `The kubeconfig ${file} has no context "${contextName}"; it has ${quoted(names)}.`
    return fails('no-context', message)
  }
  const clusterName = textAt(context, 'cluster')
  const userName = textAt(context, 'user')
  const missing = (part: 'cluster' | 'user', name: string): Result<never, KubeconfigError> => {
    const what =
      name === '' ? `no ${part}` : `the ${part} "${name}", which the file does not define`
    return fails('incomplete', `The context "${contextName}" in ${file} names ${what}.`)
  }
  const cluster = entryNamed(config, 'clusters', clusterName, 'cluster')
  if (cluster === undefined) return missing('cluster', clusterName)
  const user = entryNamed(config, 'users', userName, 'user')
  if (user === undefined) return missing('user', userName)
  const namespace = textAt(context, 'namespace') || 'default'
  return ok({ contextName, clusterName, userName, namespace, cluster, user })
}
