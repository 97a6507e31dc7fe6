import { get, patch, post, put, remove, type Scenario } from '../exchange.ts'

const authorization = '/apis/authorization.k8s.io/v1'
const authentication = '/apis/authentication.k8s.io/v1'
const rbac = '/apis/rbac.authorization.k8s.io/v1'
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
const invalid = { status: 422, holds: { reason: 'Invalid' } }

type Fields = Readonly<Record<string, unknown>>

function review(kind: string, spec: Fields, metadata?: Fields): unknown {
  const group =
    kind.includes('Access') || kind.includes('Rules') ? 'authorization' : 'authentication'
  return { apiVersion: `${group}.k8s.io/v1`, kind, ...(metadata ? { metadata } : {}), spec }
}

const pods = { resource: 'pods', verb: 'list', namespace: '<ns>' }
const self = `${authorization}/selfsubjectaccessreviews`
const subject = `${authorization}/subjectaccessreviews`
const local = `${authorization}/namespaces/<ns>/localsubjectaccessreviews`

function ofSelf(spec: Fields, asNode?: string) {
  return {
    body: review('SelfSubjectAccessReview', spec),
    ...(asNode === undefined ? {} : { asNode }),
  }
}

function ofNode(attributes: Fields, allowed: boolean) {
  return post(self, {
    ...ofSelf({ resourceAttributes: attributes }, 'n1'),
    holds: { status: { allowed } },
  })
}

/** Reviews of access and identity, and the objects of RBAC, which the sandbox stores. */
export const reviewExchanges: readonly Scenario[] = [
  {
    title: 'an administrator asks about access',
    steps: [
      post(self, {
        ...ofSelf({ resourceAttributes: pods }),
        holds: { status: { allowed: true } },
      }),
      post(self, { ...ofSelf({ nonResourceAttributes: { path: '/metrics', verb: 'get' } }) }),
      post(subject, {
        body: review('SubjectAccessReview', {
          user: 'x',
          groups: ['system:masters'],
          resourceAttributes: pods,
        }),
      }),
      post(local, {
        body: review('LocalSubjectAccessReview', {
          groups: ['system:masters'],
          resourceAttributes: pods,
        }),
      }),
      post(`${authorization}/selfsubjectrulesreviews`, {
        body: review('SelfSubjectRulesReview', { namespace: 'default' }),
        holds: { status: { incomplete: false } },
        differs: [
          { at: 'body.status.resourceRules', why: 'the sandbox does not enforce RBAC' },
          { at: 'body.status.nonResourceRules', why: 'the sandbox does not enforce RBAC' },
        ],
      }),
      post(`${authentication}/selfsubjectreviews`, {
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
        differs: [
          { at: 'body.status.userInfo', why: 'names of administrators, extra of certificates' },
        ],
      }),
    ],
  },
  {
    title: 'a node asks about access',
    steps: [
      ofNode({ resource: 'nodes', verb: 'get', name: 'n1' }, true),
      ofNode({ resource: 'nodes', verb: 'get', name: 'n2' }, false),
      ofNode({ resource: 'nodes', verb: 'list' }, false),
      ofNode({ resource: 'secrets', verb: 'get', namespace: '<ns>', name: 'x' }, false),
      ofNode(
        { resource: 'pods', subresource: 'eviction', verb: 'create', namespace: '<ns>' },
        true,
      ),
      ofNode({ resource: 'deployments', group: 'apps', verb: 'create', namespace: '<ns>' }, false),
      ofNode({ resource: 'gizmos', group: 'example.com', verb: 'polish' }, false),
      post(self, {
        ...ofSelf({ nonResourceAttributes: { path: '/version', verb: 'get' } }, 'n1'),
        holds: { status: { allowed: true } },
        differs: [{ at: 'body.status.reason', why: 'the sandbox does not enforce RBAC' }],
      }),
      post(self, ofSelf({ nonResourceAttributes: { path: '/metrics', verb: 'get' } }, 'n1')),
      post(`${authentication}/selfsubjectreviews`, {
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
        asNode: 'n1',
        holds: { status: { userInfo: { username: 'system:node:n1' } } },
      }),
    ],
  },
  {
    title: 'a review that asks nothing is refused',
    steps: [
      post(self, { ...ofSelf({}), ...invalid }),
      post(self, {
        ...ofSelf({ resourceAttributes: pods, nonResourceAttributes: { path: '/', verb: 'get' } }),
        ...invalid,
      }),
      post(subject, {
        body: review('SubjectAccessReview', { resourceAttributes: pods }),
        ...invalid,
      }),
      post(local, {
        body: review('LocalSubjectAccessReview', {
          user: 'x',
          resourceAttributes: { ...pods, namespace: 'other' },
        }),
        ...invalid,
      }),
      post(`${authorization}/selfsubjectrulesreviews`, {
        body: review('SelfSubjectRulesReview', {}),
        status: 400,
      }),
      post(`${authentication}/tokenreviews`, { body: review('TokenReview', {}), status: 400 }),
      get(self, { status: 405 }),
      get(`${self}/x`, { status: 404 }),
      post(`${authorization}/localsubjectaccessreviews`, { body: {}, status: 404 }),
      post(self, { body: review('SubjectAccessReview', {}), status: 400 }),
    ],
  },
  {
    title: 'a review with selectors',
    steps: [
      ...[
        { fieldSelector: {} },
        { labelSelector: {} },
        { fieldSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'Exists' }] } },
        { labelSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'Exists' }] } },
        { fieldSelector: { requirements: [{}, { key: 'a', operator: 'In' }] } },
        { fieldSelector: { requirements: [{ key: 'a', operator: 'Exists', values: ['b'] }] } },
        {
          labelSelector: {
            requirements: [
              {},
              { key: 'a b', operator: 'NotIn' },
              { key: 'a', operator: 'DoesNotExist', values: ['b'] },
              { key: 'a', operator: 'In', values: ['b c'] },
            ],
          },
        },
        { fieldSelector: {}, labelSelector: {} },
      ].map((selectors) =>
        post(self, { ...ofSelf({ resourceAttributes: { ...pods, ...selectors } }), ...invalid }),
      ),
      post(subject, {
        body: review('SubjectAccessReview', {
          user: 'x',
          resourceAttributes: { ...pods, fieldSelector: {} },
        }),
        ...invalid,
      }),
      post(local, {
        body: review('LocalSubjectAccessReview', {
          user: 'x',
          resourceAttributes: { ...pods, namespace: 'other', labelSelector: {} },
        }),
        ...invalid,
      }),
      ...[
        { fieldSelector: { rawSelector: 'spec.nodeName' } },
        { fieldSelector: { rawSelector: 'spec.nodeName=a=b' } },
        { fieldSelector: { rawSelector: String.raw`spec.nodeName=a\b` } },
        { labelSelector: { rawSelector: 'a b' } },
        { labelSelector: { rawSelector: 'a=b,c in (d)' } },
        { fieldSelector: { requirements: [{ key: 'a', operator: 'Near' }] } },
        { fieldSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b', 'c'] }] } },
        {
          fieldSelector: {
            requirements: [
              { key: 'a', operator: 'In', values: ['b'] },
              { key: 'a', operator: 'Exists' },
            ],
          },
          labelSelector: {
            requirements: [
              { key: 'a', operator: 'Near' },
              { key: 'a', operator: 'Exists' },
            ],
          },
        },
        { labelSelector: { requirements: [{ key: 'a', operator: 'Near', values: ['b'] }] } },
      ].map((selectors) => post(self, ofSelf({ resourceAttributes: { ...pods, ...selectors } }))),
    ],
  },
  {
    title: 'a node asks about pods of its own',
    steps: [
      ...[
        [{ rawSelector: 'spec.nodeName=n1' }, true],
        [{ rawSelector: 'spec.nodeName==n1,status.phase=Running' }, true],
        [{ rawSelector: 'spec.nodeName=n2,spec.nodeName=n1' }, true],
        [{ rawSelector: 'spec.nodeName!=n1' }, false],
        [{ rawSelector: 'spec.nodeName=n1,x' }, false],
        [{ requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['n1'] }] }, true],
        [{ requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['n1', 'n2'] }] }, false],
        [{ requirements: [{ key: 'spec.nodeName', operator: 'NotIn', values: ['n1'] }] }, false],
      ].map(([fieldSelector, allowed]) =>
        ofNode({ resource: 'pods', verb: 'list', fieldSelector }, allowed === true),
      ),
      ofNode(
        {
          resource: 'nodes',
          verb: 'list',
          fieldSelector: { rawSelector: 'metadata.name=n1' },
        },
        false,
      ),
    ],
  },
  {
    title: 'an unknown token is nobody’s',
    steps: [
      post(`${authentication}/tokenreviews`, {
        body: review('TokenReview', { token: 'unknown' }),
        holds: { status: { error: 'invalid bearer token' } },
      }),
    ],
  },
  {
    title: 'roles are stored and validated',
    steps: [
      post(`${rbac}/namespaces/<ns>/roles`, {
        body: role('Role', [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]),
      }),
      put(`${rbac}/namespaces/<ns>/roles/web`, { body: role('Role', undefined) }),
      put(`${rbac}/namespaces/<ns>/roles/new`, {
        body: role('Role', [], 'new'),
        status: 201,
      }),
      get(`${rbac}/namespaces/<ns>/roles`, { accept: table }),
      patch('merge', `${rbac}/namespaces/<ns>/roles/web`, { rules: [{}] }, invalid),
      ...[
        [{ verbs: ['get'] }],
        [{ verbs: ['get'], nonResourceURLs: ['/x'], resources: ['pods'] }],
      ].map((rules) =>
        post(`${rbac}/namespaces/<ns>/roles`, { body: role('Role', rules, 'bad'), ...invalid }),
      ),
      post(`${rbac}/namespaces/<ns>/roles`, { body: role('Role', [], 'a%b/c'), ...invalid }),
      post(`${rbac}/clusterroles`, {
        body: role('ClusterRole', [{ verbs: ['get'], nonResourceURLs: ['/x'] }], '<ns>:web'),
      }),
      ...[
        [],
        [{ matchLabels: { a: 'b' } }, { matchExpressions: [{ key: 'a', operator: 'Near' }] }],
        [{ matchLabels: { 'a/b/c': '-' } }],
      ].map((clusterRoleSelectors) =>
        post(`${rbac}/clusterroles`, {
          body: {
            ...Object(role('ClusterRole', [], '<ns>:bad')),
            aggregationRule: { clusterRoleSelectors },
          },
          ...invalid,
        }),
      ),
      remove(`${rbac}/clusterroles/<ns>:web`),
      remove(`${rbac}/namespaces/<ns>/roles/web`),
    ],
  },
  {
    title: 'bindings are stored and validated',
    steps: [
      post(`${rbac}/namespaces/<ns>/rolebindings`, {
        body: binding('RoleBinding', { kind: 'Role', name: 'web' }, [
          { kind: 'User', name: 'alice' },
          { kind: 'Group', name: 'admins' },
          { kind: 'ServiceAccount', name: 'default', namespace: '<ns>' },
        ]),
      }),
      get(`${rbac}/namespaces/<ns>/rolebindings`, { accept: table }),
      patch('merge', `${rbac}/namespaces/<ns>/rolebindings/web`, { subjects: null }),
      patch(
        'merge',
        `${rbac}/namespaces/<ns>/rolebindings/web`,
        { roleRef: { name: 'other' } },
        invalid,
      ),
      ...[
        binding('RoleBinding', { kind: 'Pod', name: '' }, [], 'bad'),
        binding('RoleBinding', { kind: 'Role', name: 'a/b', apiGroup: 'x' }, [], 'bad'),
        binding(
          'RoleBinding',
          { kind: 'Role', name: 'a' },
          [
            { kind: 'Robot', name: '' },
            { kind: 'User', name: 'x', apiGroup: 'y' },
            { kind: 'ServiceAccount', name: 'No_Name', apiGroup: 'y' },
          ],
          'bad',
        ),
      ].map((body) => post(`${rbac}/namespaces/<ns>/rolebindings`, { body, ...invalid })),
      post(`${rbac}/clusterrolebindings`, {
        body: binding(
          'ClusterRoleBinding',
          { kind: 'Role', name: 'x' },
          [{ kind: 'ServiceAccount', name: 'x' }],
          '<ns>',
        ),
        ...invalid,
      }),
      post(`${rbac}/clusterrolebindings`, {
        body: binding('ClusterRoleBinding', { kind: 'ClusterRole', name: 'x' }, [], '<ns>'),
      }),
      remove(`${rbac}/clusterrolebindings/<ns>`),
    ],
  },
]

function role(kind: string, rules: unknown, name = 'web'): unknown {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name }, rules }
}

function binding(
  kind: string,
  roleRef: Fields,
  subjects: readonly Fields[],
  name = 'web',
): unknown {
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  return { apiVersion, kind, metadata: { name }, roleRef, subjects }
}
