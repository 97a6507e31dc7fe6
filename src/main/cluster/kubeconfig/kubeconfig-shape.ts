import { isJsonObject, ownField, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'

/** What client-go reads in a field; other fields are ignored. */
type Shape =
  | 'string'
  | 'boolean'
  | 'base64'
  | { readonly listOf: Shape }
  | { readonly mapOf: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> }

const strings = { listOf: 'string' } as const

const exec: Shape = {
  fields: {
    command: 'string',
    args: strings,
    env: { listOf: { fields: { name: 'string', value: 'string' } } },
    apiVersion: 'string',
    installHint: 'string',
    provideClusterInfo: 'boolean',
    interactiveMode: 'string',
  },
}

/** client-go tools/clientcmd/api/v1/types.go. */
const lists: Readonly<Record<string, readonly [field: string, shape: Shape]>> = {
  contexts: ['context', { fields: { cluster: 'string', user: 'string', namespace: 'string' } }],
  clusters: [
    'cluster',
    {
      fields: {
        server: 'string',
        'tls-server-name': 'string',
        'insecure-skip-tls-verify': 'boolean',
        'certificate-authority': 'string',
        'certificate-authority-data': 'base64',
        'proxy-url': 'string',
        'disable-compression': 'boolean',
      },
    },
  ],
  users: [
    'user',
    {
      fields: {
        'client-certificate': 'string',
        'client-certificate-data': 'base64',
        'client-key': 'string',
        'client-key-data': 'base64',
        token: 'string',
        tokenFile: 'string',
        as: 'string',
        'as-uid': 'string',
        'as-groups': strings,
        'as-user-extra': { mapOf: strings },
        username: 'string',
        password: 'string',
        'auth-provider': { fields: { name: 'string', config: { mapOf: 'string' } } },
        exec,
      },
    },
  ],
}

/** As Go reads it: line ends are ignored. */
function isBase64(text: string): boolean {
  const characters = text.replaceAll(/[\r\n]/g, '')
  return characters.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(characters)
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return isJsonObject(value) ? 'a map' : `a ${typeof value}`
}

/** A phrase about the first field that has another type; undefined: none has. Values are not quoted: they may be secrets. */
function problemOf(value: unknown, shape: Shape, path: string): string | undefined {
  // Go leaves out what is null.
  if (value === undefined || value === null) return undefined
  const needs = (what: string) =>
    `${path} must be ${what}, not ${kindOf(value)}${what === 'a string' && isScalar(value) ? ': put it in quotes' : ''}`
  if (shape === 'boolean') return typeof value === 'boolean' ? undefined : needs('true or false')
  if (shape === 'string') return typeof value === 'string' ? undefined : needs('a string')
  if (shape === 'base64') {
    if (typeof value !== 'string') return needs('a string')
    return isBase64(value) ? undefined : `${path} is not valid base64`
  }
  if ('listOf' in shape) {
    if (!Array.isArray(value)) return needs('a list')
    return firstOf(value.map((one, index) => problemOf(one, shape.listOf, `${path}[${index}]`)))
  }
  if (!isJsonObject(value)) return needs('a map')
  const fields = Object.entries(value).map(([name, one]) => {
    const inner = 'mapOf' in shape ? shape.mapOf : ownField(shape.fields, name)
    return inner === undefined ? undefined : problemOf(one, inner, `${path}.${name}`)
  })
  return firstOf(fields)
}

function isScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean'
}

function firstOf(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined)
}

function listProblem(config: JsonObject, list: string): string | undefined {
  const [field, shape] = lists[list] ?? ['', 'string']
  const entry: Shape = { listOf: { fields: { name: 'string', [field]: shape } } }
  const wrong = problemOf(config[list], entry, list)
  if (wrong !== undefined) return wrong
  const entries = Array.isArray(config[list]) ? config[list] : []
  const names = entries.map((one: unknown) => (isJsonObject(one) ? textAt(one, 'name') : ''))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? undefined : `${list} has two entries with the name "${twice}"`
}

/**
 * Why kubectl refuses a kubeconfig that is valid YAML, in one phrase: another version or kind, a field of another type, a name
 * that is twice in a list. Undefined if it reads it. Pure.
 */
export function shapeProblem(config: JsonObject): string | undefined {
  const { apiVersion, kind } = config
  const isOther = (value: unknown, own: string): boolean =>
    typeof value === 'string' && value !== '' && value !== own
  if (isOther(apiVersion, 'v1') || isOther(kind, 'Config'))
    return `it is ${textAt(config, 'kind') || 'Config'} of ${textAt(config, 'apiVersion') || 'v1'}, not Config of v1`
  const head = { apiVersion: 'string', kind: 'string', 'current-context': 'string' } as const
  return firstOf([
    ...Object.entries(head).map(([name, shape]) => problemOf(config[name], shape, name)),
    ...Object.keys(lists).map((list) => listProblem(config, list)),
  ])
}
