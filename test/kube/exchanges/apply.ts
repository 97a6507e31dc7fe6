import { get, patch, post, remove, type Ask, type Scenario } from '../exchange.ts'

const deployments = '/apis/apps/v1/namespaces/<ns>/deployments'
const web = `${deployments}/web`
const maps = '/api/v1/namespaces/<ns>/configmaps'
const services = '/api/v1/namespaces/<ns>/services'

type Fields = Readonly<Record<string, unknown>>

const conflict = { status: 409, holds: { reason: 'Conflict' } }

function apply(
  path: string,
  body: unknown,
  query: Readonly<Record<string, string>> = {},
  options: Partial<Ask> = {},
): Ask {
  return {
    kind: 'ask',
    method: 'PATCH',
    path,
    body,
    type: 'application/apply-patch+yaml',
    status: 200,
    query: { fieldManager: 'alice', ...query },
    ...options,
  }
}

const created = { status: 201 }

function container(name: string, more: Fields = {}): Fields {
  return { name, image: `registry.example/${name}:1`, ...more }
}

function deployment(containers: readonly Fields[], spec: Fields = {}, metadata: Fields = {}) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', ...metadata },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers } },
      ...spec,
    },
  }
}

function map(data: Fields, metadata: Fields = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', ...metadata }, data }
}

function scale(replicas: number) {
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'web' },
    spec: { replicas },
  }
}

const ofOneManager = {
  at: 'body.metadata.managedFields',
  why: 'before-first-apply has the fields of a map without the map itself',
}

/** Server-side apply: merges, owners of fields, conflicts. */
export const applyExchanges: readonly Scenario[] = [
  {
    title: 'apply creates an object, changes it, and removes what it no longer has',
    comparesManagers: true,
    steps: [
      apply(`${maps}/m`, map({ a: '1', b: '2' }, { labels: { l: 'x' } }), {}, created),
      apply(`${maps}/m`, map({ a: '1', b: '2' }, { labels: { l: 'x' } })),
      apply(`${maps}/m`, map({ a: '2', c: '3' })),
      patch('merge', `${maps}/m`, { data: { d: '4' } }, { query: { fieldManager: 'bob' } }),
      apply(`${maps}/m`, map({ a: '2' })),
      get(`${maps}/m`),
      apply(`${maps}/m`, map({ a: '2', d: '5' }), {}, conflict),
      apply(`${maps}/m`, map({ a: '2', d: '4' })),
      apply(`${maps}/m`, map({ a: '2', d: '5' }), { force: 'true' }),
      apply(`${maps}/m`, map({ a: '7' }), { fieldManager: 'carol' }, conflict),
      apply(`${maps}/m`, map({ a: '2', e: '1' }), { fieldManager: 'carol' }),
      apply(`${maps}/m`, map({}), { fieldManager: 'carol' }),
      apply(`${maps}/m`, map({ a: '9' }), { dryRun: 'All' }),
      get(`${maps}/m`),
      remove(`${maps}/m`),
    ],
  },
  {
    title: 'apply merges lists by their keys',
    comparesManagers: true,
    steps: [
      apply(
        web,
        deployment([
          container('a', { ports: [{ containerPort: 80 }], env: [{ name: 'X', value: '1' }] }),
          container('b'),
        ]),
        {},
        created,
      ),
      apply(
        web,
        deployment([container('c')], { replicas: 3 }),
        { fieldManager: 'bob' },
        { status: 200 },
      ),
      get(web),
      apply(web, deployment([container('b'), container('a', { args: ['x'] })])),
      apply(web, deployment([container('a')])),
      get(web),
      apply(web, deployment([container('a')], { replicas: 5 }), {}, conflict),
      apply(
        web,
        deployment([container('a'), container('c', { image: 'x' })], {
          replicas: 5,
        }),
        { fieldManager: 'dave' },
        conflict,
      ),
      apply(web, deployment([container('a')], { replicas: 5 }), { force: 'true' }),
      patch(
        'strategic',
        web,
        { spec: { template: { spec: { containers: [{ name: 'a', image: 'y' }] } } } },
        { query: { fieldManager: 'kubectl-set' } },
      ),
      apply(web, deployment([container('a')]), {}, conflict),
      patch(
        'merge',
        `${web}/status`,
        { status: { replicas: 2 } },
        {
          query: { fieldManager: 'controller' },
        },
      ),
      apply(web, deployment([container('a', { image: 'y' })])),
      get(web),
    ],
  },
  {
    title: 'apply to services and their ports',
    comparesManagers: true,
    steps: [
      apply(
        `${services}/s`,
        {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 's', finalizers: ['example.com/a'] },
          spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
        },
        {},
        created,
      ),
      apply(
        `${services}/s`,
        {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 's', finalizers: ['example.com/b'] },
          spec: { ports: [{ name: 'x', port: 81, protocol: 'UDP' }] },
        },
        { fieldManager: 'bob' },
        { status: 422 },
      ),
      patch('merge', `${services}/s`, { metadata: { finalizers: null } }),
    ],
  },
  {
    title: 'an object that was created otherwise is applied to',
    steps: [
      post(maps, { body: map({ a: '1' }), query: { fieldManager: 'before-first-apply' } }),
      apply(`${maps}/m`, map({ a: '1', b: '1' })),
      apply(`${maps}/m`, map({ a: '2' }), {}, conflict),
      apply(`${maps}/m`, map({ a: '2' }), { force: 'true' }),
      apply(`${maps}/m`, map({})),
      get(`${maps}/m`),
    ],
  },
  {
    title: 'apply to the scale of a deployment',
    comparesManagers: true,
    steps: [
      apply(web, deployment([container('a')], { replicas: 2 }), {}, created),
      apply(`${web}/scale`, scale(3), { fieldManager: 'bob' }, conflict),
      apply(`${web}/scale`, scale(2), { fieldManager: 'bob' }),
      get(web),
      apply(`${web}/scale`, scale(3), { fieldManager: 'bob' }, conflict),
      apply(`${web}/scale`, scale(3), { fieldManager: 'bob', force: 'true' }),
      get(web),
      apply(`${web}/scale`, scale(4), { fieldManager: 'bob', dryRun: 'All' }),
      patch(
        'merge',
        `${web}/scale`,
        { spec: { replicas: 5 } },
        { query: { fieldManager: 'kubectl' } },
      ),
      get(web),
      apply(`${web}/scale`, scale(6), { fieldManager: 'bob' }, conflict),
      apply(web, deployment([container('a')], { replicas: 6 }), {}, conflict),
      patch('merge', web, { spec: { replicas: 7 } }, { query: { fieldManager: 'edit' } }),
      patch(
        'merge',
        `${web}/scale`,
        { spec: { replicas: 8 } },
        { query: { fieldManager: 'edit' } },
      ),
      get(web),
      apply(`${web}/scale`, { ...scale(1), kind: 'Deployment' }, {}, { status: 400 }),
      apply(`${deployments}/nobody/scale`, scale(1), {}, { status: 404 }),
    ],
  },
  {
    title: 'elements with the same key are refused',
    steps: [
      apply(web, deployment([container('a'), container('a')]), {}, { status: 500 }),
      apply(
        web,
        deployment([container('a', { env: [{ name: 'X' }, { name: 'Y' }, { name: 'X' }] })]),
        {},
        { status: 500 },
      ),
      apply(
        web,
        deployment([
          container('a', {
            ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }],
          }),
        ]),
        {},
        { status: 500 },
      ),
      apply(web, deployment([{ image: 'x' }]), {}, { status: 422 }),
      apply(
        `${maps}/m`,
        map({}, { finalizers: ['example.com/a', 'example.com/a'] }),
        {},
        { status: 500 },
      ),
      apply(`${maps}/m`, map({}, { finalizers: ['example.com/a', null] }), {}, { status: 500 }),
    ],
  },
  {
    title: 'a client resets and writes managed fields',
    comparesManagers: true,
    steps: [
      apply(`${maps}/m`, map({ a: '1' }), {}, created),
      patch('merge', `${maps}/m`, { data: { b: '2' } }, { query: { fieldManager: 'bob' } }),
      patch('merge', `${maps}/m`, { metadata: { managedFields: [{}] } }),
      patch('merge', `${maps}/m`, { data: { c: '3' } }, { query: { fieldManager: 'bob' } }),
      apply(`${maps}/m`, map({ a: '1' }), {}, { differs: [ofOneManager] }),
      patch('merge', `${maps}/m`, {
        metadata: {
          managedFields: [
            {
              manager: 'carol',
              operation: 'Update',
              apiVersion: 'v1',
              time: '2026-01-02T03:04:05Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:data': { 'f:a': {} } },
            },
          ],
        },
      }),
      apply(`${maps}/m`, map({ a: '2' }), {}, conflict),
      patch('merge', `${maps}/m`, { metadata: { managedFields: [] } }),
      get(`${maps}/m`),
    ],
  },
  {
    title: 'an invalid apply is refused',
    steps: [
      apply(`${maps}/m`, map({}), { fieldManager: '' }, { status: 422 }),
      apply(`${maps}/m`, { ...map({}), gizmo: 1 }, {}, { status: 500 }),
      apply(`${maps}/m`, { ...map({}), kind: 'Secret' }, {}, { status: 400 }),
      apply(`${maps}/x`, map({}), {}, { status: 400 }),
      apply(`${maps}/m`, map({}, { name: 'No_Name' }), {}, { status: 400 }),
      apply(`${maps}/m`, map({}, { managedFields: [{ manager: 'x' }] }), {}, { status: 400 }),
      patch('merge', `${maps}/m`, {}, { query: { force: 'true' }, status: 422 }),
    ],
  },
]
