import { resolve } from 'node:path'
import type { BootstrapTable } from '../../../src/main/sandbox/auth/rbac/bootstrap-policy.ts'
import { isJsonObject, listAt, objectAt, objectsAt, textAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import type { ServerUnderTest } from '../servers.ts'

export const bootstrapTableFile = resolve(
  import.meta.dirname,
  '../../../src/main/sandbox/auth/rbac/bootstrap-policy.json',
)

const mark = 'kubernetes.io/bootstrapping'
const plurals = ['clusterroles', 'roles', 'clusterrolebindings', 'rolebindings'] as const

/** What a new kube-apiserver has created of a resource, by name. */
async function listed(
  server: ServerUnderTest,
  plural: (typeof plurals)[number],
): Promise<readonly JsonObject[]> {
  const path = `/apis/rbac.authorization.k8s.io/v1/${plural}?labelSelector=${mark}%3Drbac-defaults`
  const answer = await server.send({ method: 'GET', path, headers: {} })
  const list: unknown = await answer.body.json()
  return isJsonObject(list) ? objectsAt(list, 'items') : []
}

function ruleText(rule: JsonObject): string {
  const at = (field: string): readonly string[] =>
    listAt(rule, field).map((one) => (one === '' ? 'core' : String(one)))
  return ['verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs']
    .map((field) => at(field).join(','))
    .join('|')
    .replace(/\|+$/, '')
}

function labelTexts(labels: JsonObject): readonly string[] {
  return Object.entries(labels)
    .filter(([key]) => key !== mark)
    .map(([key, value]) => `${key}=${String(value)}`)
}

function titleOf(metadata: JsonObject): string {
  const parts = ['namespace', 'name'].map((field) => textAt(metadata, field))
  return parts.filter((part) => part !== '').join('/')
}

function metadataOf(object: JsonObject): JsonObject {
  return objectAt(object, 'metadata')
}

function roleEntry(role: JsonObject): BootstrapTable['roles'][string] {
  const labels = labelTexts(objectAt(metadataOf(role), 'labels'))
  const selectors = objectsAt(objectAt(role, 'aggregationRule'), 'clusterRoleSelectors')
  const aggregates = selectors.flatMap((selector) => labelTexts(objectAt(selector, 'matchLabels')))
  return {
    rules: objectsAt(role, 'rules').map(ruleText),
    ...(labels.length === 0 ? {} : { labels }),
    ...(aggregates.length === 0 ? {} : { aggregates }),
  }
}

function bindingEntry(binding: JsonObject): BootstrapTable['bindings'][string] {
  const role = objectAt(binding, 'roleRef')
  return {
    role: `${textAt(role, 'kind')} ${textAt(role, 'name')}`,
    subjects: objectsAt(binding, 'subjects').map((one) => `${textAt(one, 'kind')} ${titleOf(one)}`),
  }
}

/** The roles and bindings that a server creates when it starts. */
export async function bootstrapTable(server: ServerUnderTest): Promise<BootstrapTable> {
  const [clusterRoles = [], roles = [], clusterBindings = [], bindings = []] = await Promise.all(
    plurals.map((plural) => listed(server, plural)),
  )
  const entries = <T>(objects: readonly JsonObject[], entry: (object: JsonObject) => T) =>
    Object.fromEntries(objects.map((one) => [titleOf(metadataOf(one)), entry(one)] as const))
  return {
    roles: entries([...clusterRoles, ...roles], roleEntry),
    bindings: entries([...clusterBindings, ...bindings], bindingEntry),
  }
}

/** A role or binding a line. */
export function bootstrapTableText({ roles, bindings }: BootstrapTable): string {
  const lines = (of: object): string =>
    Object.entries(of)
      .map(([title, entry]) => `${JSON.stringify(title)}: ${JSON.stringify(entry)}`)
      .join(',\n')
  return `{"roles": {\n${lines(roles)}\n}, "bindings": {\n${lines(bindings)}\n}}\n`
}
