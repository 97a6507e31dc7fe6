import fc from 'fast-check'
import { Authorizer } from '../../../src/main/sandbox/auth/authorizer.ts'
import { whatIsMissing } from '../../../src/main/sandbox/auth/rbac/escalation.ts'
import { policyRule } from '../../../src/main/sandbox/auth/rbac/policy-rule.ts'
import { RuleResolver } from '../../../src/main/sandbox/auth/rbac/rule-resolver.ts'
import { attributesOf } from '../../../src/main/sandbox/auth/request-attributes.ts'
import type { Attributes } from '../../../src/main/sandbox/auth/request-attributes.ts'
import type { ObjectStore } from '../../../src/main/sandbox/object-store.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import type { KubeObject } from '../../../src/shared/kubernetes/objects.ts'
import { describeOracle, functionComparisons } from './oracle-suite.ts'

// RBAC: what a request asks for, what random roles and bindings allow, and what rights may not be given.

const counts: string[] = []

const few = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> =>
  fc.array(arbitrary, { maxLength: 3 })
const verb = fc.constantFrom('get', 'list', 'create', 'bind', '*', '')
const group = fc.constantFrom('', 'apps', 'example.com', '*')
const resource = fc.constantFrom(
  'pods',
  'pods/log',
  'pods/*',
  '*/log',
  '*',
  'deployments',
  'deployments/scale',
  '*/scale',
  'a/b/c',
  '*/b/c',
)
const objectName = fc.constantFrom('one', 'two', '"three"')
const url = fc.constantFrom('/metrics', '/logs', '/logs/*', '/logs/a', '/l**', '*', '/', '')

const rule = fc.record({
  verbs: few(verb),
  apiGroups: few(group),
  resources: few(resource),
  resourceNames: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, few(objectName)),
  nonResourceURLs: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, few(url)),
})

const namespace = fc.constantFrom('default', 'team')
const roleName = fc.constantFrom('a', 'b', 'c')
const subject = fc.oneof(
  fc.record({ kind: fc.constant('User'), name: fc.constantFrom('jane', 'joe') }),
  fc.record({ kind: fc.constant('Group'), name: fc.constantFrom('dev', 'ops', 'jane') }),
  fc.record({
    kind: fc.constant('ServiceAccount'),
    name: fc.constantFrom('default', 'robot'),
    namespace: fc.constantFrom('default', 'team', ''),
  }),
)
const reference = fc.record({
  apiGroup: fc.constant('rbac.authorization.k8s.io'),
  kind: fc.constantFrom('Role', 'ClusterRole'),
  name: roleName,
})
const bindingName = fc.constantFrom('x', 'y', 'z')

function inNamespace(name: fc.Arbitrary<string>): fc.Arbitrary<JsonObject> {
  return fc.record({ name, namespace })
}

/** Of each name one. */
function objects(
  metadata: fc.Arbitrary<JsonObject>,
  parts: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<readonly JsonObject[]> {
  return fc.uniqueArray(fc.record({ metadata, ...parts }), {
    maxLength: 4,
    selector: (one) => JSON.stringify(one.metadata),
  })
}

const ofRole = { rules: few(rule) }
const ofBinding = { subjects: few(subject), roleRef: reference }
const ofCluster = {
  ...ofBinding,
  roleRef: reference.map((one) => ({ ...one, kind: 'ClusterRole' })),
}

const policy = fc.record({
  roles: objects(inNamespace(roleName), ofRole),
  roleBindings: objects(inNamespace(bindingName), ofBinding),
  clusterRoles: objects(fc.record({ name: roleName }), ofRole),
  clusterRoleBindings: objects(fc.record({ name: bindingName }), ofCluster),
  user: fc.constantFrom(
    'jane',
    'system:serviceaccount:team:robot',
    'system:serviceaccount::default',
  ),
  groups: few(fc.constantFrom('dev', 'ops')),
})

type Policy = typeof policy extends fc.Arbitrary<infer T> ? T : never

function storeOf(of: Policy): ObjectStore {
  const lists: Readonly<Record<string, readonly JsonObject[]>> = {
    Role: of.roles,
    RoleBinding: of.roleBindings,
    ClusterRole: of.clusterRoles,
    ClusterRoleBinding: of.clusterRoleBindings,
  }
  const collection = ({ kind }: { readonly kind: string }) => {
    const all = (lists[kind] ?? []).map((one) => ({ kind, ...one }) as unknown as KubeObject)
    return {
      list: () => all,
      get: (key: { readonly namespace: string; readonly name: string }) =>
        all.find(
          ({ metadata }) =>
            metadata.name === key.name && (metadata.namespace ?? '') === key.namespace,
        ),
    }
  }
  return { of: collection } as unknown as ObjectStore
}

function callerOf({ user, groups }: Policy) {
  return { user, groups, client: '' }
}

const attributes: fc.Arbitrary<Attributes> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('resource' as const),
      verb: fc.constantFrom('get', 'list', 'create', 'bind', ''),
      group: fc.constantFrom('', 'apps', 'other'),
      resource: fc.constantFrom('pods', 'deployments', 'a', ''),
      subresource: fc.constantFrom('', '', 'log', 'scale', 'b', 'b/c'),
      namespace: fc.constantFrom('', 'default', 'team'),
      name: fc.constantFrom('', 'one', 'two', '"three"'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('path' as const),
      verb: fc.constantFrom('get', 'put'),
      path: fc.constantFrom('/metrics', '/logs', '/logs/a/b', '/lost', '/', ''),
    }),
  },
)

const part = fc.constantFrom(
  'namespaces',
  'default',
  'pods',
  'web',
  'status',
  'finalize',
  'log',
  'v1',
  'apps',
  'a%20b',
  'watch',
  'proxy',
  '',
)
const path = fc
  .tuple(
    fc.constantFrom('api/v1', 'apis/apps/v1', 'api', 'apis', 'healthz', ''),
    fc.array(part, { maxLength: 7 }),
  )
  .map(([root, parts]) => `/${[root, ...parts].join('/')}`)
  // A verb without a resource is an error of the server there (docs/differences.md).
  .filter((one) => !/^\/(api|apis\/[^/]*)\/[^/]*\/(watch|proxy)\/*$/.test(one))
const query = fc.record(
  {
    watch: fc.constantFrom('true', '1', 'false', '0'),
    fieldSelector: fc.constantFrom(
      'metadata.name=web',
      'spec.nodeName=n1,metadata.name==x',
      'a!=b',
      String.raw`a=b\,c,d==e\=f`,
      'a',
      'a=b=c',
    ),
  },
  { requiredKeys: [] },
)

await describeOracle(
  { name: 'RBAC', subject: 'rbac', title: 'RBAC', summary: () => counts.join(', ') },
  (oracle) => {
    const compares = functionComparisons(oracle, counts)

    compares('requests', {
      ask: 'attributes',
      values: fc.record({
        method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
        path,
        query,
      }),
      asked: ({ method, path: of, query: with_ }) => {
        const search = new URLSearchParams(with_).toString()
        return { method, url: search === '' ? of : `${of}?${search}` }
      },
      ours: (request) => {
        const found = attributesOf(request)
        return found.kind === 'path' ? found : { ...found, fieldTerms: found.fieldTerms ?? [] }
      },
      count: 10_000,
    })

    compares('decisions', {
      ask: 'decision',
      values: fc.record({ of: policy, wanted: attributes }),
      asked: ({ of, wanted }) => ({ ...of, ...wanted }),
      ours: ({ of, wanted }) =>
        new Authorizer(storeOf(of), { enforcesRbac: true }).decide(callerOf(of), wanted),
      count: 10_000,
    })

    compares('rights that may not be given', {
      ask: 'escalation',
      values: fc.record({ of: policy, namespace: fc.constantFrom('', 'team'), rules: few(rule) }),
      asked: ({ of, ...rest }) => ({ ...of, ...rest }),
      ours: ({ of, namespace: where, rules }) =>
        whatIsMissing(
          new RuleResolver(storeOf(of)),
          callerOf(of),
          where,
          rules.map((one) => policyRule({ ...one })),
        ) ?? '',
      count: 10_000,
    })
  },
)
