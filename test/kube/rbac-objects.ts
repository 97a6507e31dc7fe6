import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { sandboxKubeconfig } from '../../src/main/sandbox/surface/kubeconfig-file.ts'
import { isJsonObject, objectAt, textAt } from '../../src/shared/json.ts'
import type { JsonObject } from '../../src/shared/json.ts'
import type { ControlPlane } from './control-plane.ts'
import type { Administrator } from './integration/administrator.ts'

const collections: Readonly<Record<string, string>> = {
  Namespace: '/api/v1/namespaces',
  ServiceAccount: '/api/v1/namespaces/<ns>/serviceaccounts',
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  Role: '/apis/rbac.authorization.k8s.io/v1/namespaces/<ns>/roles',
  RoleBinding: '/apis/rbac.authorization.k8s.io/v1/namespaces/<ns>/rolebindings',
}

/** The objects of docs/rbac.yaml for a node. */
export async function rbacObjects(node: string): Promise<readonly JsonObject[]> {
  const text = await readFile(join(import.meta.dirname, '../../docs/rbac.yaml'), 'utf8')
  return parseAllDocuments(text.replaceAll('scope-node-1', node))
    .map((document): unknown => document.toJS())
    .filter(isJsonObject)
}

export async function applyRbac(
  admin: Administrator,
  objects: readonly JsonObject[],
): Promise<void> {
  for (const object of objects) {
    const collection = collections[textAt(object, 'kind')] ?? ''
    const namespace = textAt(objectAt(object, 'metadata'), 'namespace')
    await admin.ask('POST', collection.replace('<ns>', namespace), object)
  }
}

/** A token of a service account. */
export async function tokenOf(
  admin: Administrator,
  namespace: string,
  account: string,
): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`
  const answer = await admin.ask('POST', path, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {},
  })
  return textAt(objectAt(answer, 'status'), 'token')
}

/** The file of a kubeconfig of a service account of docs/rbac.yaml. */
export async function kubeconfigOf(
  plane: ControlPlane,
  admin: Administrator,
  account: string,
): Promise<string> {
  const token = await tokenOf(admin, 'nodescope', account)
  const file = join(plane.folder, `${account}.kubeconfig`)
  const { url, caPem } = plane
  await writeFile(file, sandboxKubeconfig({ url, caPem, token, clusterName: 'rbac' }), {
    mode: 0o600,
  })
  return file
}

/** A service account of the namespace default with rights in the whole cluster. */
export async function makeAccount(
  admin: Administrator,
  account: {
    readonly name: string
    readonly resources: readonly string[]
    readonly verbs: readonly string[]
  },
): Promise<void> {
  const { name, resources, verbs } = account
  const metadata = { name }
  await admin.ask('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata })
  const rules = resources.length === 0 ? [] : [{ apiGroups: [''], resources, verbs }]
  await admin.ask('POST', collections['ClusterRole'] ?? '', { metadata, rules })
  await admin.ask('POST', collections['ClusterRoleBinding'] ?? '', {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
  })
}
