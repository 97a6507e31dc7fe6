import { requestOf } from './certificates.ts'
import {
  boundPod,
  get,
  patch,
  pod,
  pods,
  post,
  put,
  remove,
  type Ask,
  type Scenario,
} from '../exchange.ts'

type Fields = Readonly<Record<string, unknown>>

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const roles = `${rbac}/namespaces/<ns>/roles`
const bindings = `${rbac}/namespaces/<ns>/rolebindings`
const apiVersion = 'rbac.authorization.k8s.io/v1'
const reviews = '/apis/authorization.k8s.io/v1'
const apps = '/apis/apps/v1/namespaces/<ns>'

const asUser = 'jane'
const forbidden = { asUser, status: 403, holds: { reason: 'Forbidden' } }

function role(name: string, ...rules: readonly Fields[]): unknown {
  return { apiVersion, kind: 'Role', metadata: { name }, rules }
}

function clusterRole(name: string, ...rules: readonly Fields[]): unknown {
  return { apiVersion, kind: 'ClusterRole', metadata: { name }, rules }
}

function rule(verbs: string, apiGroups: string, resources: string, more: Fields = {}): Fields {
  return {
    verbs: verbs.split(','),
    apiGroups: [apiGroups],
    resources: resources.split(','),
    ...more,
  }
}

function binding(name: string, kind: string, of: string, ...subjects: readonly Fields[]): unknown {
  return {
    apiVersion,
    kind: 'RoleBinding',
    metadata: { name },
    roleRef: { kind, name: of },
    subjects,
  }
}

function clusterBinding(name: string, of: string, ...subjects: readonly Fields[]): unknown {
  const roleRef = { kind: 'ClusterRole', name: of }
  return { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects }
}

const jane = { kind: 'User', name: asUser }
const podResource = { resource: 'pods', namespace: '<ns>' }

/** A review by an administrator of what a user may do. */
function mayUser(user: string, resourceAttributes: Fields, groups: readonly string[] = []): Ask {
  const kind = 'SubjectAccessReview'
  const spec = { user, groups, resourceAttributes }
  return post(`${reviews}/subjectaccessreviews`, {
    body: { apiVersion: 'authorization.k8s.io/v1', kind, spec },
  })
}

function mayI(resourceAttributes: Fields): Ask {
  const kind = 'SelfSubjectAccessReview'
  const body = { apiVersion: 'authorization.k8s.io/v1', kind, spec: { resourceAttributes } }
  return post(`${reviews}/selfsubjectaccessreviews`, { body, asUser })
}

/** Waits until a server knows of a role or binding that was just written. */
function until(step: Ask): Ask {
  return { ...step, isEventual: true }
}

const seen = { asUser, status: 200 } as const

/** An answer with a request for a certificate. */
const asked = {
  differs: [{ at: 'body.spec.extra', why: 'the sandbox knows its administrator by a token' }],
} as const

const leases = '/apis/coordination.k8s.io/v1/namespaces/<ns>/leases'
const lease = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'new' },
  spec: {},
}

const certificates = 'certificates.k8s.io'
const requests = `/apis/${certificates}/v1/certificatesigningrequests`

function approval(name: string): unknown {
  return {
    metadata: { name },
    status: { conditions: [{ type: 'Approved', status: 'True', reason: 'Because' }] },
  }
}

/** Roles and bindings that are enforced. */
export const rbacExchanges: readonly Scenario[] = [
  {
    title: 'who approves or signs a request needs the right to its signer, too',
    enforcesRbac: true,
    steps: [
      post(requests, {
        body: {
          apiVersion: `${certificates}/v1`,
          kind: 'CertificateSigningRequest',
          metadata: { name: '<ns>-asked' },
          spec: {
            request: requestOf('jane'),
            signerName: 'example.com/mine',
            usages: ['client auth'],
          },
        },
        differs: [{ at: 'body.spec.extra', why: 'the sandbox knows its administrator by a token' }],
      }),
      post(`${rbac}/clusterroles`, {
        body: clusterRole(
          '<ns>-updates',
          rule(
            'get,patch',
            certificates,
            'certificatesigningrequests,certificatesigningrequests/approval,certificatesigningrequests/status',
          ),
        ),
      }),
      post(`${rbac}/clusterrolebindings`, {
        body: clusterBinding('<ns>-updates', '<ns>-updates', jane),
      }),
      until(get(`${requests}/<ns>-asked`, { ...seen, ...asked })),
      patch('merge', `${requests}/<ns>-asked/approval`, approval('<ns>-asked'), forbidden),
      patch(
        'merge',
        `${requests}/<ns>-asked/status`,
        { status: { certificate: 'bm9uZQ==' } },
        { asUser, status: 422 },
      ),
      patch(
        'merge',
        `${requests}/<ns>-asked/status`,
        { status: { conditions: [{ type: 'Failed', status: 'True', reason: 'Because' }] } },
        forbidden,
      ),
      patch('merge', `${requests}/<ns>-asked/status`, {}, { ...seen, ...asked }),
      post(`${rbac}/clusterroles`, {
        body: clusterRole(
          '<ns>-approves',
          rule('approve', certificates, 'signers', { resourceNames: ['example.com/*'] }),
        ),
      }),
      post(`${rbac}/clusterrolebindings`, {
        body: clusterBinding('<ns>-approves', '<ns>-approves', jane),
      }),
      until(
        patch('merge', `${requests}/<ns>-asked/approval`, approval('<ns>-asked'), {
          ...seen,
          ...asked,
        }),
      ),
      remove(`${requests}/<ns>-asked`),
    ],
  },
  {
    title: 'a user without rights is refused',
    enforcesRbac: true,
    steps: [
      get(pods, forbidden),
      get(pods, { ...forbidden, query: { watch: 'true' } }),
      post(pods, { ...forbidden, body: {}, type: 'text/plain' }),
      put(`${pods}/web`, { ...forbidden, body: [], type: 'image/png' }),
      ...['watch', 'proxy'].flatMap((verb) => [
        get(`/api/v1/${verb}/namespaces/<ns>/pods`, forbidden),
        get(`/api/v1/${verb}/namespaces/<ns>/pods/web/log`, forbidden),
        post(`/api/v1/${verb}/pods`, { ...forbidden, body: {} }),
        get(`/apis/apps/v1/${verb}/namespaces/<ns>`, forbidden),
      ]),
      get(pods, { ...forbidden, query: { fieldSelector: 'metadata.name=web' } }),
      get(`${pods}/web`, forbidden),
      get(`${pods}/web/log`, forbidden),
      get(`${pods}/web/status`, forbidden),
      get('/api/v1/pods', forbidden),
      post(pods, { ...forbidden, body: pod('web') }),
      post(pods, { ...forbidden, body: { kind: 'Nonsense' } }),
      post(`${pods}/web/eviction`, { ...forbidden, body: {} }),
      put(`${pods}/web`, { ...forbidden, body: pod('web') }),
      patch('merge', `${pods}/web`, {}, forbidden),
      remove(`${pods}/web`, forbidden),
      remove(pods, forbidden),
      get(`${apps}/deployments/web`, forbidden),
      get(`${apps}/deployments/web/scale`, forbidden),
      get('/api/v1/nodes/n1', forbidden),
      get('/api/v1/nodes/n1/proxy/pods', forbidden),
      get('/api/v1/namespaces', forbidden),
      get('/api/v1/namespaces/<ns>', forbidden),
      put('/api/v1/namespaces/<ns>/finalize', { ...forbidden, body: {} }),
      get('/api/v1/gizmos', forbidden),
      get('/apis/example.com/v1/namespaces/<ns>/gizmos/a<b', forbidden),
      get('/apis/example.com/v1/gizmos%2fa', forbidden),
      get('/metrics', forbidden),
      get('/', forbidden),
      post('/api', forbidden),
      get('/healthz', { ...seen, asUser: 'system:anonymous' }),
      get('/api', { ...forbidden, asUser: 'system:anonymous' }),
      get(`${pods}/web`, { ...forbidden, asGroups: ['system:unauthenticated'] }),
      get(`${rbac}/clusterroles/cluster-admin`),
      get(`${rbac}/clusterroles/system:basic-user`),
      get(`${rbac}/clusterrolebindings/system:discovery`),
      get(`${rbac}/namespaces/kube-system/roles/system:controller:token-cleaner`),
    ],
  },
  {
    title: 'a role allows what its rules name, in the namespace of the binding',
    enforcesRbac: true,
    steps: [
      post(pods, { body: boundPod('web') }),
      post(roles, {
        body: role(
          'reader',
          rule('get,list,watch', '', 'pods,pods/status'),
          rule('get', '', 'configmaps', { resourceNames: ['one'] }),
          rule('create', '', '*/eviction'),
          rule('*', 'apps', 'deployments'),
        ),
      }),
      post(bindings, { body: binding('readers', 'Role', 'reader', jane) }),
      until(get(`${pods}/web`, { ...seen, holds: { metadata: { name: 'web' } } })),
      get(pods, seen),
      get(`${pods}/web/status`, seen),
      get(`${pods}/web/log`, { ...forbidden }),
      get('/api/v1/pods', forbidden),
      get('/api/v1/namespaces/default/pods', forbidden),
      get('/api/v1/namespaces/<ns>/configmaps/one', { asUser, status: 404 }),
      get('/api/v1/namespaces/<ns>/configmaps/two', forbidden),
      get('/api/v1/namespaces/<ns>/configmaps', forbidden),
      post(`${pods}/none/eviction`, {
        asUser,
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'none' } },
        status: 404,
      }),
      remove(`${pods}/web`, forbidden),
      get(`${apps}/deployments/web`, { asUser, status: 404 }),
      get(`${apps}/deployments/web/scale`, forbidden),
      get(`${apps}/statefulsets/web`, forbidden),
      mayI({ ...podResource, verb: 'list' }),
      mayI({ ...podResource, verb: 'delete' }),
      mayI({ ...podResource, verb: 'create', subresource: 'eviction' }),
      mayI({ ...podResource, verb: 'create', subresource: 'binding' }),
      mayUser(asUser, { ...podResource, verb: 'get', name: 'web' }),
      mayUser('joe', { ...podResource, verb: 'get' }),
      mayUser('joe', { ...podResource, verb: 'get' }, ['system:masters']),
      post(`${reviews}/namespaces/<ns>/localsubjectaccessreviews`, {
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'LocalSubjectAccessReview',
          spec: { user: asUser, resourceAttributes: { ...podResource, verb: 'watch' } },
        },
      }),
      post(`${reviews}/selfsubjectrulesreviews`, {
        asUser,
        asGroups: ['system:unauthenticated'],
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectRulesReview',
          spec: { namespace: '<ns>' },
        },
        status: 403,
      }),
      remove(`${bindings}/readers`),
      until(get(pods, forbidden)),
    ],
  },
  {
    title: 'bindings name users, groups and service accounts, and may name roles that are missing',
    enforcesRbac: true,
    steps: [
      post(roles, { body: role('reader', rule('list', '', 'pods')) }),
      post(bindings, {
        body: binding(
          'many',
          'Role',
          'reader',
          { kind: 'Group', name: 'dev' },
          { kind: 'ServiceAccount', name: 'default', namespace: '<ns>' },
        ),
      }),
      post(bindings, { body: binding('lost', 'Role', 'none', { kind: 'User', name: 'joe' }) }),
      post(`${rbac}/clusterroles`, {
        body: clusterRole('<ns>:paths', {
          verbs: ['get'],
          nonResourceURLs: ['/metrics', '/debug/*'],
        }),
      }),
      post(`${rbac}/clusterrolebindings`, {
        body: clusterBinding('<ns>:paths', '<ns>:paths', { kind: 'Group', name: 'dev-<ns>' }),
      }),
      until(get(pods, { ...seen, asGroups: ['dev'] })),
      get(pods, { ...seen, asUser: 'system:serviceaccount:<ns>:default' }),
      get(pods, { ...forbidden, asUser: 'system:serviceaccount:default:default' }),
      get(pods, forbidden),
      get(pods, { ...forbidden, asUser: 'joe' }),
      mayUser('joe', { ...podResource, verb: 'list' }),
      mayUser('x', { ...podResource, verb: 'list' }, ['dev']),
      mayUser('system:serviceaccount:<ns>:default', { ...podResource, verb: 'list' }),
      ...['/metrics', '/debug/pprof', '/debug', '/logs'].map((path) =>
        post(`${reviews}/subjectaccessreviews`, {
          body: {
            apiVersion: 'authorization.k8s.io/v1',
            kind: 'SubjectAccessReview',
            spec: { groups: ['dev-<ns>'], nonResourceAttributes: { path, verb: 'get' } },
          },
          isEventual: true,
          holds: { status: { allowed: path === '/metrics' || path === '/debug/pprof' } },
        }),
      ),
      remove(`${rbac}/clusterrolebindings/<ns>:paths`),
      remove(`${rbac}/clusterroles/<ns>:paths`),
    ],
  },
  {
    title: 'a user gives no rights that the user does not have',
    enforcesRbac: true,
    steps: [
      post(roles, {
        body: role(
          'writer',
          rule('create,update,patch,get', 'rbac.authorization.k8s.io', 'roles,rolebindings'),
          rule('get', '', 'pods,pods/log'),
          rule('get', '', 'configmaps', { resourceNames: ['one', 'two'] }),
        ),
      }),
      post(bindings, { body: binding('writers', 'Role', 'writer', jane) }),
      until(post(roles, { asUser, body: role('mine', rule('get', '', 'pods,pods/log')) })),
      post(roles, {
        asUser,
        body: role('named', rule('get', '', 'configmaps', { resourceNames: ['two'] })),
      }),
      post(roles, { ...forbidden, body: role('more', rule('get,list,delete', '', 'pods')) }),
      post(roles, {
        ...forbidden,
        body: role(
          'much',
          rule('get,list', '', 'secrets,pods'),
          rule('get', 'apps', 'deployments', { resourceNames: ['a', 'b'] }),
          rule('list', '', 'secrets,configmaps'),
          rule('*', '*', '*'),
        ),
      }),
      post(roles, { ...forbidden, body: role('bad name/', rule('*', '*', '*')) }),
      put(`${roles}/mine`, { ...forbidden, body: role('mine', rule('*', '', 'pods')) }),
      patch('merge', `${roles}/mine`, { metadata: { labels: { a: 'b' } } }, { asUser }),
      patch(
        'merge',
        `${roles}/writer`,
        { metadata: { finalizers: ['example.com/x'] } },
        { asUser },
      ),
      patch('merge', `${roles}/writer`, { metadata: { finalizers: null } }, { asUser }),
      put(`${roles}/new`, { asUser, body: role('new', rule('get', '', 'pods')), status: 201 }),
      post(bindings, {
        asUser,
        body: binding('own', 'Role', 'mine', { kind: 'User', name: 'joe' }),
      }),
      post(bindings, { ...forbidden, body: binding('all', 'ClusterRole', 'cluster-admin', jane) }),
      post(bindings, { asUser, status: 404, body: binding('lost', 'Role', 'none', jane) }),
      post(bindings, { asUser, status: 404, body: binding('lost', 'ClusterRole', 'none', jane) }),
      post(bindings, { body: binding('lost', 'Role', 'none', jane) }),
      post(roles, { ...forbidden, body: role('more', rule('list', '', 'pods')) }),
      remove(`${bindings}/lost`),
      post(roles, {
        body: role(
          'binder',
          rule('bind', 'rbac.authorization.k8s.io', 'clusterroles', { resourceNames: ['view'] }),
          rule('escalate', 'rbac.authorization.k8s.io', 'roles', { resourceNames: ['mine'] }),
        ),
      }),
      post(bindings, { body: binding('binders', 'Role', 'binder', jane) }),
      until(put(`${roles}/mine`, { asUser, body: role('mine', rule('*', '', 'pods')) })),
      post(bindings, { asUser, body: binding('viewers', 'ClusterRole', 'view', jane) }),
      post(bindings, {
        ...forbidden,
        body: binding('admins', 'ClusterRole', 'cluster-admin', jane),
      }),
      patch('merge', `${bindings}/viewers`, { subjects: [] }, { asUser }),
    ],
  },
  {
    title: 'cluster roles and what they take from others',
    enforcesRbac: true,
    steps: [
      post(`${rbac}/clusterroles`, {
        body: clusterRole(
          '<ns>:writer',
          rule(
            'create,update,patch',
            'rbac.authorization.k8s.io',
            'clusterroles,clusterrolebindings',
          ),
          { verbs: ['get'], nonResourceURLs: ['/logs/*'] },
        ),
      }),
      post(`${rbac}/clusterrolebindings`, {
        body: clusterBinding('<ns>:writers', '<ns>:writer', { kind: 'User', name: 'jane-<ns>' }),
      }),
      until(
        post(`${rbac}/clusterroles`, {
          asUser: 'jane-<ns>',
          body: clusterRole('<ns>:logs', { verbs: ['get'], nonResourceURLs: ['/logs/kube'] }),
        }),
      ),
      post(`${rbac}/clusterroles`, {
        ...forbidden,
        asUser: 'jane-<ns>',
        body: clusterRole('<ns>:all', { verbs: ['get', 'put'], nonResourceURLs: ['*', '/logs'] }),
      }),
      post(`${rbac}/clusterroles`, {
        ...forbidden,
        asUser: 'jane-<ns>',
        body: {
          ...Object(clusterRole('<ns>:sum')),
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
        },
      }),
      post(`${rbac}/clusterrolebindings`, {
        ...forbidden,
        asUser: 'jane-<ns>',
        body: clusterBinding('<ns>:more', 'system:kube-dns', jane),
      }),
      put(`${rbac}/clusterrolebindings/<ns>:more`, {
        asUser: 'jane-<ns>',
        status: 201,
        body: clusterBinding('<ns>:more', '<ns>:logs', jane),
      }),
      ...['more', 'writers'].map((name) => remove(`${rbac}/clusterrolebindings/<ns>:${name}`)),
      ...['logs', 'writer'].map((name) => remove(`${rbac}/clusterroles/<ns>:${name}`)),
    ],
  },
  {
    title: 'a PUT that creates needs the right to create',
    enforcesRbac: true,
    steps: [
      post(roles, {
        body: role('updater', rule('get,update,patch', 'coordination.k8s.io', 'leases')),
      }),
      post(bindings, { body: binding('updaters', 'Role', 'updater', jane) }),
      until(get(`${leases}/new`, { asUser, status: 404 })),
      put(`${leases}/new`, { ...forbidden, body: lease }),
      {
        ...patch('merge', `${leases}/new`, lease, forbidden),
        type: 'application/apply-patch+yaml',
        query: { fieldManager: 'test' },
      },
    ],
  },
]
