import { get, patch, pod, pods, post, put, remove, type Scenario } from '../exchange.ts'

const configMaps = '/api/v1/namespaces/<ns>/configmaps'
const map = `${configMaps}/map`

function parsed(json: string): unknown {
  return JSON.parse(json)
}

function configMap(name: string, more: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...more }, data: { a: 'b' } }
}

function token(json: string): string {
  return Buffer.from(json).toString('base64url')
}

const created = post(configMaps, { body: configMap('map'), save: 'map' })
const invalidVersion = 'strconv.ParseUint: parsing "abc": invalid syntax'

/** Mistakes of clients, and malicious texts. */
export const clientMistakes: readonly Scenario[] = [
  {
    title: 'a resource version that is not a number gives 500, like etcd’s store',
    steps: [
      created,
      patch(
        'merge',
        map,
        { metadata: { resourceVersion: 'abc' } },
        {
          status: 500,
          holds: { message: invalidVersion, code: 500 },
        },
      ),
      patch('strategic', map, { metadata: { resourceVersion: '-1' } }, { status: 500 }),
      patch(
        'merge',
        map,
        { metadata: { resourceVersion: '99999999999999999999999' } },
        {
          status: 500,
          holds: {
            message: 'strconv.ParseUint: parsing "99999999999999999999999": value out of range',
          },
        },
      ),
      put(map, { body: configMap('map', { resourceVersion: 'abc' }), status: 500 }),
      get(map, {
        query: { resourceVersion: 'abc' },
        status: 500,
        holds: { message: `resourceVersion: Invalid value: "abc": ${invalidVersion}` },
      }),
      get(configMaps, { query: { resourceVersion: '1e3' }, status: 400 }),
      get(configMaps, {
        query: { resourceVersion: '99999999999999999999999' },
        status: 400,
        holds: {
          message:
            'invalid resource version: resourceVersion: Invalid value: "99999999999999999999999": strconv.ParseUint: parsing "99999999999999999999999": value out of range',
        },
      }),
    ],
  },
  {
    title: 'a continue token of an unknown version',
    steps: ['1e999', '1.5', '0'].map((version) =>
      get(configMaps, {
        query: {
          limit: '1',
          continue: token(`{"v":"meta.k8s.io/v1","rv":${version},"start":"a"}`),
        },
        status: 400,
        differs: [{ at: 'body.message', why: 'where Go’s decoder stopped, see differences.md' }],
      }),
    ),
  },
  {
    title: 'limits of a list',
    steps: [
      get(configMaps, { query: { limit: '1e3' }, status: 400 }),
      get(configMaps, { query: { limit: '99999999999999999999' }, status: 400 }),
    ],
  },
  {
    title: 'a JSON patch of more operations than a server takes, and one whose copies double',
    steps: [
      created,
      patch('json', map, Array(10_001).fill({ op: 'test', path: '/data/a', value: 'b' }), {
        status: 413,
        holds: {
          message:
            'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
          reason: 'RequestEntityTooLarge',
        },
      }),
      patch(
        'json',
        map,
        [
          { op: 'add', path: '/x', value: ['a'.repeat(1000)] },
          ...Array<object>(24).fill({ op: 'copy', from: '/x', path: '/x/-' }),
        ],
        { status: 422 },
      ),
      patch('json', map, [{ op: 'add', path: '/data/__proto__/polluted', value: 'x' }], {
        status: 422,
      }),
    ],
  },
  {
    title: 'names that JavaScript objects inherit',
    steps: [
      created,
      ...['valueOf', 'constructor', 'hasOwnProperty'].flatMap((name) => [
        get(configMaps, { query: { labelSelector: name }, holds: { items: [] } }),
        get(pods, { query: { fieldSelector: `${name}=x` }, status: 400 }),
        get(configMaps, { query: { fieldSelector: `${name}=x` }, status: 400 }),
        get(`${pods}/web/${name}`, { status: 404 }),
      ]),
      get(configMaps, { query: { labelSelector: '__proto__' }, status: 400 }),
      get(configMaps, { query: { fieldSelector: '__proto__=x' }, status: 400 }),
      remove(configMaps, { query: { labelSelector: 'valueOf' }, holds: { items: [] } }),
      get(map),
      post(configMaps, {
        body: {
          metadata: { name: 'keys' },
          data: parsed('{"__proto__":"a","constructor":"b","valueOf":"c"}'),
        },
      }),
      post(configMaps, {
        body: { metadata: { name: 'label', labels: parsed('{"__proto__":"a"}') } },
        status: 422,
      }),
      post(pods, {
        body: pod('no-class', { spec: { priorityClassName: 'constructor' } }),
        status: 403,
      }),
    ],
  },
  {
    title: 'objects that are too large',
    steps: [
      post(pods, {
        body: pod('large', {
          spec: {
            containers: [
              { name: 'c', image: 'i', env: [{ name: 'A', value: 'x'.repeat(1_600_000) }] },
            ],
          },
        }),
        status: 500,
        holds: { message: 'etcdserver: request is too large', code: 500 },
      }),
      post(pods, {
        body: pod('larger', {
          spec: {
            containers: [
              { name: 'c', image: 'i', env: [{ name: 'A', value: 'x'.repeat(2_500_000) }] },
            ],
          },
        }),
        status: 500,
        differs: [{ at: 'body.message', why: 'its size as JSON, see differences.md' }],
      }),
      post(pods, {
        body: pod('largest', {
          spec: {
            containers: [
              { name: 'c', image: 'i', env: [{ name: 'A', value: 'x'.repeat(3_200_000) }] },
            ],
          },
        }),
        status: 413,
        holds: { message: 'Request entity too large: limit is 3145728' },
      }),
    ],
  },
]
