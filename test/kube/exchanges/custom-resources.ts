import { events, get, patch, post, put, remove, watch } from '../exchange.ts'
import type { Ask, Scenario, Step } from '../exchange.ts'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
const invalid = { status: 422, holds: { reason: 'Invalid' } }
const bad = { status: 400, holds: { reason: 'BadRequest' } }
const missing = { status: 404, holds: { reason: 'NotFound' } }

type Fields = Readonly<Record<string, unknown>>

const anyObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

function version(name: string, more: Fields = {}): Fields {
  return { name, served: true, storage: true, schema: { openAPIV3Schema: anyObject }, ...more }
}

function definition(group: string, spec: Fields = {}, names: Fields = {}): Fields {
  const all = { plural: 'crontabs', kind: 'CronTab', ...names }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${all.plural}.${group}` },
    spec: { group, names: all, scope: 'Namespaced', versions: [version('v1')], ...spec },
  }
}

/** A definition with one version of this schema, subresources and so on. */
function ofVersion(group: string, more: Fields): Fields {
  return definition(group, { versions: [version('v1', more)] })
}

function ofSchema(group: string, properties: Fields, more: Fields = {}): Fields {
  return ofVersion(group, { schema: { openAPIV3Schema: { type: 'object', properties, ...more } } })
}

function established(name: string): Step {
  return get(`${definitions}/${name}`, {
    isEventual: true,
    holds: {
      status: {
        conditions: [
          { type: 'NamesAccepted', status: 'True' },
          { type: 'Established', status: 'True' },
        ],
      },
    },
  })
}

/** Its kind is served from then on. */
function defined(body: Fields): readonly Step[] {
  const { name } = body['metadata'] as { readonly name: string }
  return [post(definitions, { body }), established(name)]
}

/** Until its names are free again, for another run on the same server. */
function undefinedAgain(name: string): readonly Step[] {
  return [
    remove(`${definitions}/${name}`, { holds: { status: {} } }),
    get(`${definitions}/${name}`, { isEventual: true, ...missing }),
  ]
}

function custom(group: string, fields: Fields = {}, name = 'one', ofVersion = 'v1'): Fields {
  const { metadata, ...rest } = fields
  return {
    apiVersion: `${group}/${ofVersion}`,
    kind: 'CronTab',
    metadata: { name, ...(metadata as Fields | undefined) },
    ...rest,
  }
}

function objects(group: string, ofVersion = 'v1'): string {
  return `/apis/${group}/${ofVersion}/namespaces/<ns>/crontabs`
}

const withoutManagers = [
  { at: 'body.metadata.managedFields', why: 'managed fields only from the first apply on' },
]

const unchecked = [{ at: 'warning', why: 'rules in CEL are not checked' }]

function apply(path: string, body: unknown, options: Partial<Ask> = {}): Ask {
  return {
    kind: 'ask',
    method: 'PATCH',
    path,
    body,
    type: 'application/apply-patch+yaml',
    status: 200,
    ...options,
    query: { fieldManager: 'alice', ...options.query },
  }
}

/** The message of a refusal and of its only cause. */
function ofMessage(why: string) {
  return ['body.message', 'body.details.causes.0.message'].map((at) => ({ at, why }))
}

const refusals: readonly (readonly [title: string, body: Fields])[] = [
  ['no spec', { ...definition('r.example.com'), spec: {} }],
  ['a name of its own', { ...definition('r.example.com'), metadata: { name: 'other' } }],
  ['a group without a dot', definition('example')],
  ['no such scope', definition('r.example.com', { scope: 'Everywhere' })],
  ['no versions', definition('r.example.com', { versions: [] })],
  [
    'two storage versions',
    definition('r.example.com', { versions: [version('v1'), version('v2')] }),
  ],
  ['no storage version', ofVersion('r.example.com', { storage: false })],
  [
    'one version twice',
    definition('r.example.com', {
      versions: [version('v1'), version('v1', { storage: false })],
    }),
  ],
  ['a wrong version', definition('r.example.com', { versions: [version('V1')] })],
  ['no schema', ofVersion('r.example.com', { schema: undefined })],
  ['a schema without a type', ofVersion('r.example.com', { schema: { openAPIV3Schema: {} } })],
  ['a field without a type', ofSchema('r.example.com', { spec: { properties: {} } })],
  ['no such type', ofSchema('r.example.com', { spec: { type: 'text' } })],
  ['a list without items', ofSchema('r.example.com', { spec: { type: 'array' } })],
  [
    'additional properties at the root',
    ofSchema('r.example.com', {}, { additionalProperties: { type: 'string' } }),
  ],
  [
    'properties, and others',
    ofSchema('r.example.com', {
      spec: {
        type: 'object',
        properties: { a: { type: 'string' } },
        additionalProperties: { type: 'string' },
      },
    }),
  ],
  [
    'metadata',
    ofSchema('r.example.com', {
      metadata: { type: 'object', properties: { labels: { type: 'object' } } },
    }),
  ],
  [
    'a default of another type',
    ofSchema('r.example.com', { spec: { type: 'string', default: 1 } }),
  ],
  ...['(', '(?=x)', 'a**', '[z-a]', 'a{1001}'].map((pattern): readonly [string, Fields] => [
    'a wrong pattern',
    ofSchema('r.example.com', { spec: { type: 'string', pattern } }),
  ]),
  [
    'unique items',
    ofSchema('r.example.com', {
      spec: { type: 'array', uniqueItems: true, items: { type: 'string' } },
    }),
  ],
  ['a reference', ofSchema('r.example.com', { spec: { $ref: '#/definitions/a', type: 'object' } })],
  [
    'what is not structural',
    ofSchema('r.example.com', {
      spec: {
        type: 'object',
        properties: { a: { type: 'string' } },
        oneOf: [{ type: 'object' }, { properties: { b: { minLength: 1 } } }],
      },
    }),
  ],
  [
    'a list map without keys',
    ofSchema('r.example.com', {
      spec: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        items: { type: 'object', properties: { a: { type: 'string' } } },
      },
    }),
  ],
  [
    'a list map with an optional key',
    ofSchema('r.example.com', {
      spec: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a'],
        items: { type: 'object', properties: { a: { type: 'string' } } },
      },
    }),
  ],
  [
    'a list type of an object',
    ofSchema('r.example.com', { spec: { type: 'object', 'x-kubernetes-list-type': 'set' } }),
  ],
  [
    'embedded text',
    ofSchema('r.example.com', { spec: { type: 'string', 'x-kubernetes-embedded-resource': true } }),
  ],
  [
    'unknown fields kept by false',
    ofSchema('r.example.com', {
      spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
    }),
  ],
  ['nullable at the root', ofSchema('r.example.com', {}, { nullable: true })],
  [
    'a wrong scale',
    ofVersion('r.example.com', {
      subresources: {
        scale: { specReplicasPath: '.replicas', statusReplicasPath: 'status.replicas' },
      },
    }),
  ],
  [
    'a wrong column',
    ofVersion('r.example.com', {
      additionalPrinterColumns: [
        { name: 'A', type: 'text', format: 'x', jsonPath: 'spec' },
        { name: '', type: '', jsonPath: '' },
      ],
    }),
  ],
  [
    'wrong selectable fields',
    ofVersion('r.example.com', {
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
        },
      },
      selectableFields: [
        { jsonPath: '.spec.b' },
        { jsonPath: '.spec' },
        { jsonPath: '.spec.a' },
        { jsonPath: '.spec.a' },
      ],
    }),
  ],
  ['an early warning', ofVersion('r.example.com', { deprecationWarning: 'old' })],
  [
    'wrong names',
    definition(
      'r.example.com',
      {},
      {
        kind: 'Cron_Tab',
        singular: 'A',
        shortNames: ['c_t'],
        categories: ['A'],
        listKind: 'Cron_Tab',
      },
    ),
  ],
  ['no names', definition('r.example.com', {}, { kind: '' })],
  ['fields that are all kept', definition('r.example.com', { preserveUnknownFields: true })],
  [
    'a conversion without a webhook',
    definition('r.example.com', { conversion: { strategy: 'Webhook' } }),
  ],
  ['no such conversion', definition('r.example.com', { conversion: { strategy: 'Some' } })],
  [
    'a webhook without conversion',
    definition('r.example.com', {
      conversion: {
        strategy: 'None',
        webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://a.example' } },
      },
    }),
  ],
  ['a group of Kubernetes', definition('x.k8s.io')],
]

const schemaOfSpec = {
  type: 'object',
  required: ['cronSpec'],
  properties: {
    cronSpec: { type: 'string', pattern: '^\\d+$', minLength: 2, maxLength: 4 },
    image: { type: 'string', default: 'registry.example/app:1' },
    level: { type: 'string', enum: ['low', 'high'] },
    word: { type: 'string', pattern: '(?i)^[[:alpha:]]+\\z' },
    replicas: { type: 'integer', minimum: 1, maximum: 10 },
    ratio: { type: 'number', minimum: 0, exclusiveMinimum: true, multipleOf: 0.5 },
    isOn: { type: 'boolean' },
    port: { 'x-kubernetes-int-or-string': true },
    maybe: { type: 'string', nullable: true },
    never: { type: 'string' },
    tags: {
      type: 'array',
      maxItems: 2,
      minItems: 1,
      'x-kubernetes-list-type': 'set',
      items: { type: 'string' },
    },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string' },
          size: { type: 'integer', default: 3 },
        },
      },
    },
    labels: { type: 'object', maxProperties: 2, additionalProperties: { type: 'string' } },
    free: anyObject,
    nested: {
      type: 'object',
      default: {},
      properties: { a: { type: 'string', default: 'x' }, b: { type: 'string' } },
    },
    inner: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    either: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    both: {
      type: 'object',
      properties: { a: { type: 'string' } },
      allOf: [{ required: ['a'] }],
      not: { required: ['c'] },
    },
    date: { type: 'string', format: 'date-time' },
  },
}

const wrong: readonly (readonly [title: string, spec: unknown])[] = [
  ['nothing', undefined],
  ['no required field', {}],
  ['text', 'a'],
  ['a pattern', { cronSpec: 'abc' }],
  ['too short', { cronSpec: '1' }],
  ['too long', { cronSpec: '12345' }],
  ['another type', { cronSpec: 12 }],
  ['a null', { cronSpec: null }],
  ['no word', { cronSpec: '12', word: 'no-Word' }],
  ['no such word', { cronSpec: '12', level: 'middle' }],
  ['too few', { cronSpec: '12', replicas: 0 }],
  ['too many', { cronSpec: '12', replicas: 11 }],
  ['a fraction', { cronSpec: '12', replicas: 1.5 }],
  ['a ratio', { cronSpec: '12', ratio: 0 }],
  ['no multiple', { cronSpec: '12', ratio: 0.7 }],
  ['a word for a switch', { cronSpec: '12', isOn: 'yes' }],
  ['a switch for a port', { cronSpec: '12', port: true }],
  ['too many tags', { cronSpec: '12', tags: ['a', 'b', 'c'] }],
  ['no tags', { cronSpec: '12', tags: [] }],
  ['a tag twice', { cronSpec: '12', tags: ['a', 'a'] }],
  ['a part twice', { cronSpec: '12', parts: [{ name: 'a' }, { name: 'a' }] }],
  ['a part without a name', { cronSpec: '12', parts: [{}] }],
  ['a part that is text', { cronSpec: '12', parts: ['a'] }],
  ['a list that is an object', { cronSpec: '12', parts: {} }],
  ['a label that is a number', { cronSpec: '12', labels: { a: 1 } }],
  ['too many labels', { cronSpec: '12', labels: { a: '1', b: '2', c: '3' } }],
  ['an inner object without a kind', { cronSpec: '12', inner: { a: 1 } }],
  ['neither', { cronSpec: '12', either: {} }],
  ['both', { cronSpec: '12', either: { a: '1', b: '2' } }],
  ['not all', { cronSpec: '12', both: {} }],
  ['no date', { cronSpec: '12', date: 'today' }],
]

/** CustomResourceDefinitions and the objects of their kinds. */
export const customResourceExchanges: readonly Scenario[] = [
  {
    title: 'definitions are refused',
    steps: [
      ...refusals.map(([, body]) =>
        post(definitions, {
          body,
          ...invalid,
        }),
      ),
      post(definitions, { body: { ...definition('r.example.com'), spec: { group: 7 } }, ...bad }),
      post(definitions, {
        body: {
          ...definition('r.example.com'),
          spec: { ...(definition('r.example.com')['spec'] as Fields), typo: 1 },
        },
        query: { fieldValidation: 'Strict', dryRun: 'All' },
        ...bad,
      }),
    ],
  },
  {
    title: 'a definition serves its kind',
    steps: [
      ...defined(
        definition(
          'serve.example.com',
          {
            versions: [
              version('v1', {
                schema: {
                  openAPIV3Schema: {
                    type: 'object',
                    properties: {
                      spec: {
                        type: 'object',
                        properties: {
                          replicas: { type: 'integer' },
                          image: { type: 'string' },
                          when: { type: 'string' },
                        },
                      },
                      status: {
                        type: 'object',
                        properties: { replicas: { type: 'integer' }, selector: { type: 'string' } },
                      },
                    },
                  },
                },
                subresources: {
                  status: {},
                  scale: {
                    specReplicasPath: '.spec.replicas',
                    statusReplicasPath: '.status.replicas',
                    labelSelectorPath: '.status.selector',
                  },
                },
                additionalPrinterColumns: [
                  {
                    name: 'Image',
                    type: 'string',
                    jsonPath: '.spec.image',
                    description: 'what runs',
                  },
                  { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', priority: 1 },
                  { name: 'When', type: 'date', jsonPath: '.spec.when' },
                  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
                ],
                selectableFields: [{ jsonPath: '.spec.image' }],
              }),
            ],
          },
          { shortNames: ['ct'], categories: ['all', 'crons'] },
        ),
      ),
      get('/apis/serve.example.com', { isEventual: true }),
      get('/apis/serve.example.com/v1', { isEventual: true }),
      get(definitions, {
        query: { fieldSelector: 'metadata.name=crontabs.serve.example.com' },
        accept: table,
      }),
      get('/apis/serve.example.com/v2', { status: 404 }),
      get('/apis/serve.example.com/v1/crontabs', { isEventual: true, holds: { items: [] } }),
      get('/apis/serve.example.com/v1/other', { status: 404 }),
      get(`${objects('serve.example.com')}/one`, missing),
      watch('crons', objects('serve.example.com')),
      post(objects('serve.example.com'), {
        body: custom('serve.example.com', {
          spec: { replicas: 2, image: 'a', when: 'soon' },
          status: { replicas: 7 },
        }),
      }),
      post(objects('serve.example.com'), { body: custom('serve.example.com'), status: 409 }),
      post(objects('serve.example.com'), {
        body: custom('serve.example.com', {}, 'No_Name'),
        ...invalid,
      }),
      post(objects('serve.example.com'), {
        body: custom('serve.example.com', { kind: 'Other' }),
        ...invalid,
      }),
      post(objects('serve.example.com'), {
        body: custom('serve.example.com', {}, 'two', 'v9'),
        ...bad,
      }),
      post(objects('serve.example.com'), {
        body: custom('serve.example.com', { metadata: { labels: 7 } }),
        ...bad,
      }),
      post(objects('serve.example.com'), { body: { metadata: { name: 'two' } }, ...bad }),
      post(objects('serve.example.com'), {
        body: custom('serve.example.com', { metadata: { namespace: 'other' } }),
        ...bad,
      }),
      post(objects('serve.example.com'), {
        body: custom('serve.example.com', { metadata: { finalizers: ['x'] } }, 'kept'),
        query: { dryRun: 'All' },
      }),
      get(objects('serve.example.com'), { accept: table }),
      get(`${objects('serve.example.com')}/one`, { accept: table }),
      get(objects('serve.example.com'), { query: { fieldSelector: 'spec.image=a' } }),
      get(objects('serve.example.com'), { query: { fieldSelector: 'spec.image!=a' } }),
      get(objects('serve.example.com'), { query: { fieldSelector: 'spec.replicas=2' }, ...bad }),
      get(objects('serve.example.com'), { query: { labelSelector: 'a=b' } }),
      patch('merge', `${objects('serve.example.com')}/one`, {
        spec: { replicas: 3 },
        status: { replicas: 9 },
      }),
      patch('merge', `${objects('serve.example.com')}/one`, { spec: { replicas: 3 } }),
      patch('merge', `${objects('serve.example.com')}/one`, { metadata: { labels: { a: 'b' } } }),
      patch(
        'merge',
        `${objects('serve.example.com')}/one`,
        { spec: { replicas: 'three' } },
        invalid,
      ),
      patch('json', `${objects('serve.example.com')}/one`, [
        { op: 'replace', path: '/spec/image', value: 'b' },
      ]),
      patch(
        'strategic',
        `${objects('serve.example.com')}/one`,
        { spec: { replicas: 3 } },
        { status: 415 },
      ),
      patch('merge', `${objects('serve.example.com')}/one/status`, {
        spec: { replicas: 8 },
        status: { replicas: 1, selector: 'a=b' },
        metadata: { labels: { c: 'd' } },
      }),
      patch(
        'merge',
        `${objects('serve.example.com')}/one/status`,
        { status: { replicas: 'one' } },
        invalid,
      ),
      get(`${objects('serve.example.com')}/one/status`),
      get(`${objects('serve.example.com')}/one/scale`),
      patch('merge', `${objects('serve.example.com')}/one/scale`, { spec: { replicas: 5 } }),
      patch(
        'merge',
        `${objects('serve.example.com')}/one/scale`,
        { spec: { replicas: -5 } },
        invalid,
      ),
      put(`${objects('serve.example.com')}/one/scale`, {
        body: {
          apiVersion: 'autoscaling/v1',
          kind: 'Scale',
          metadata: { name: 'one', namespace: '<ns>' },
          spec: { replicas: 4 },
        },
      }),
      get(`${objects('serve.example.com')}/one/other`, { status: 404 }),
      get(`${objects('serve.example.com')}/one`, { save: 'one' }),
      put(`${objects('serve.example.com')}/one`, {
        body: custom('serve.example.com', { spec: { image: 'c' } }),
        ...invalid,
      }),
      put(`${objects('serve.example.com')}/one`, {
        body: custom('serve.example.com', {
          metadata: { resourceVersion: '<one.metadata.resourceVersion>' },
          spec: { image: 'c' },
          status: {},
        }),
      }),
      put(`${objects('serve.example.com')}/one`, {
        body: custom('serve.example.com', {
          metadata: { resourceVersion: '<one.metadata.resourceVersion>' },
          spec: { image: 'd' },
        }),
        status: 409,
      }),
      put(`${objects('serve.example.com')}/none`, {
        body: custom('serve.example.com', { metadata: { resourceVersion: '1' } }, 'none'),
        ...missing,
      }),
      remove(`${objects('serve.example.com')}/one`, { query: { dryRun: 'All' } }),
      remove(`${objects('serve.example.com')}/one`),
      events('crons', [
        { type: 'ADDED' },
        { type: 'MODIFIED' },
        { type: 'MODIFIED' },
        { type: 'MODIFIED' },
        { type: 'MODIFIED' },
        { type: 'MODIFIED' },
        { type: 'MODIFIED' },
        { type: 'MODIFIED' },
        { type: 'DELETED' },
      ]),
      post(objects('serve.example.com'), {
        body: custom(
          'serve.example.com',
          { metadata: { finalizers: ['example.com/keep'] } },
          'kept',
        ),
      }),
      post(objects('serve.example.com'), { body: custom('serve.example.com', {}, 'gone') }),
      remove(objects('serve.example.com')),
      get(objects('serve.example.com')),
      remove(`${definitions}/crontabs.serve.example.com`, { holds: { status: {} } }),
      get(`${definitions}/crontabs.serve.example.com`, {
        isEventual: true,
        holds: {
          status: {
            conditions: [{}, {}, { type: 'Terminating', reason: 'InstanceDeletionInProgress' }],
          },
        },
      }),
      get('/apis/serve.example.com/v1', {
        isEventual: true,
        holds: {
          resources: [{ verbs: ['delete', 'deletecollection', 'get', 'list', 'watch'] }, {}, {}],
        },
      }),
      post(objects('serve.example.com'), {
        body: custom('serve.example.com', {}, 'late'),
        status: 403,
      }),
      patch('merge', `${objects('serve.example.com')}/kept`, { metadata: { finalizers: null } }),
    ],
  },
  {
    title: 'fields are pruned, defaulted and checked',
    steps: [
      ...defined(
        ofSchema('check.example.com', {
          spec: schemaOfSpec,
          metadata: {
            type: 'object',
            properties: { name: { type: 'string', pattern: '^[a-z]+$' } },
          },
        }),
      ),
      ...wrong.map(([, spec]) =>
        post(objects('check.example.com'), {
          body: custom('check.example.com', { spec }),
          query: { dryRun: 'All' },
          ...(spec === undefined ? {} : invalid),
        }),
      ),
      post(objects('check.example.com'), {
        body: custom('check.example.com', { spec: { cronSpec: '12' } }, 'a1'),
        query: { dryRun: 'All' },
        ...invalid,
      }),
      post(objects('check.example.com'), {
        body: custom('check.example.com', {
          typo: 1,
          spec: {
            cronSpec: '12',
            typo: 1,
            port: 'http',
            maybe: null,
            never: null,
            image: null,
            ratio: 1.5,
            parts: [
              { name: 'a', typo: 1 },
              { name: 'b', size: 4 },
            ],
            labels: { a: '1' },
            free: { any: { thing: null } },
            nested: { typo: 1 },
            inner: {
              apiVersion: 'v1',
              kind: 'Pod',
              metadata: { name: 'p', typo: 1 },
              spec: { a: 1 },
            },
          },
          status: { phase: 'x' },
        }),
        query: { fieldValidation: 'Warn' },
      }),
      post(objects('check.example.com'), {
        body: custom(
          'check.example.com',
          { spec: { cronSpec: '12', typo: 1, nested: { other: 2 } } },
          'two',
        ),
        query: { fieldValidation: 'Strict' },
        ...bad,
      }),
      post(objects('check.example.com'), {
        body: custom(
          'check.example.com',
          { metadata: { typo: 1 }, spec: { cronSpec: '12' } },
          'two',
        ),
        query: { fieldValidation: 'Strict' },
        ...bad,
      }),
      post(objects('check.example.com'), {
        body: custom('check.example.com', { spec: { cronSpec: '12', typo: 1 } }, 'two'),
        query: { fieldValidation: 'Ignore' },
      }),
      patch(
        'merge',
        `${objects('check.example.com')}/two`,
        { spec: { typo: 1, nested: { b: 'y', c: 'z' } } },
        { save: 'two' },
      ),
      patch(
        'merge',
        `${objects('check.example.com')}/two`,
        { spec: { typo: 1 } },
        {
          query: { fieldValidation: 'Strict' },
          status: 422,
          differs: ofMessage('the object as it is stored here, without managed fields'),
        },
      ),
      watch('changed', objects('check.example.com'), {
        resourceVersion: '<two.metadata.resourceVersion>',
      }),
      patch('merge', `${definitions}/crontabs.check.example.com`, {
        metadata: { labels: { a: 'b' } },
      }),
      // What an older definition allowed stays as long as nothing changes it.
      patch('merge', `${definitions}/crontabs.check.example.com`, {
        spec: {
          versions: [
            version('v1', {
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  properties: {
                    spec: {
                      ...schemaOfSpec,
                      properties: {
                        ...schemaOfSpec.properties,
                        level: { type: 'string', enum: ['low'] },
                        extra: { type: 'string', default: 'new' },
                        cronSpec: { type: 'string', minLength: 3 },
                      },
                    },
                  },
                },
              },
            }),
          ],
        },
      }),
      get(`${objects('check.example.com')}/two`, {
        isEventual: true,
        holds: { spec: { extra: 'new' } },
      }),
      // The storage of a changed definition is a new one.
      { kind: 'events', name: 'changed', count: 1 },
      patch('merge', `${objects('check.example.com')}/two`, { spec: { level: 'low' } }),
      patch('merge', `${objects('check.example.com')}/two`, { spec: { cronSpec: '13' } }, invalid),
      ...undefinedAgain('crontabs.check.example.com'),
    ],
  },
  {
    title: 'one object in several versions',
    steps: [
      ...defined(
        definition(
          'many.example.com',
          {
            scope: 'Cluster',
            versions: [
              version('v1alpha1', {
                storage: false,
                deprecated: true,
                schema: {
                  openAPIV3Schema: {
                    type: 'object',
                    properties: {
                      spec: {
                        type: 'object',
                        properties: { old: { type: 'string' }, same: { type: 'string' } },
                      },
                    },
                  },
                },
              }),
              version('v1', {
                schema: {
                  openAPIV3Schema: {
                    type: 'object',
                    properties: {
                      spec: {
                        type: 'object',
                        properties: {
                          same: { type: 'string' },
                          fresh: { type: 'string', default: 'f' },
                        },
                      },
                    },
                  },
                },
              }),
              version('v1beta1', {
                storage: false,
                deprecated: true,
                deprecationWarning: 'use v1',
                schema: { openAPIV3Schema: anyObject },
              }),
              version('v2', { storage: false, served: false }),
            ],
          },
          { singular: 'tab' },
        ),
      ),
      get('/apis/many.example.com', { isEventual: true, holds: { versions: [{}, {}, {}] } }),
      post('/apis/many.example.com/v1/crontabs', {
        body: custom('many.example.com', { spec: { same: 's', old: 'o' } }),
      }),
      get('/apis/many.example.com/v1alpha1/crontabs/one'),
      get('/apis/many.example.com/v1beta1/crontabs/one'),
      get('/apis/many.example.com/v1beta1/crontabs'),
      get('/apis/many.example.com/v2/crontabs/one', { status: 404 }),
      post('/apis/many.example.com/v1alpha1/crontabs', {
        body: custom('many.example.com', { spec: { same: 's', old: 'o' } }, 'two', 'v1alpha1'),
      }),
      get('/apis/many.example.com/v1/crontabs/two'),
      patch('merge', '/apis/many.example.com/v1beta1/crontabs/two', { spec: { same: 't' } }),
      get('/apis/many.example.com/v1/crontabs'),
      patch('json', `${definitions}/crontabs.many.example.com`, [
        { op: 'replace', path: '/spec/versions/1/storage', value: false },
        { op: 'replace', path: '/spec/versions/3', value: version('v2') },
      ]),
      get('/apis/many.example.com/v2/crontabs/two', { isEventual: true }),
      patch(
        'json',
        `${definitions}/crontabs.many.example.com`,
        [{ op: 'remove', path: '/spec/versions/1' }],
        invalid,
      ),
      patch(
        'json',
        `${definitions}/crontabs.many.example.com`,
        [{ op: 'replace', path: '/spec/scope', value: 'Namespaced' }],
        invalid,
      ),
      patch(
        'json',
        `${definitions}/crontabs.many.example.com`,
        [{ op: 'replace', path: '/spec/names/kind', value: 'Other' }],
        invalid,
      ),
      put(`${definitions}/crontabs.many.example.com`, {
        body: definition('many.example.com'),
        ...invalid,
      }),
      ...undefinedAgain('crontabs.many.example.com'),
      get('/apis/many.example.com/v1/crontabs', { isEventual: true, status: 404 }),
    ],
  },
  {
    title: 'names that conflict',
    steps: [
      ...defined(definition('names.example.com', {}, { shortNames: ['ct'] })),
      post(definitions, {
        body: definition(
          'names.example.com',
          {},
          { plural: 'tabs', kind: 'Tab', singular: 'crontab', shortNames: ['ct', 'tt'] },
        ),
      }),
      get(`${definitions}/tabs.names.example.com`, {
        isEventual: true,
        holds: { status: { conditions: [{ status: 'False' }, { status: 'False' }] } },
      }),
      get('/apis/names.example.com/v1/tabs', { status: 404 }),
      ...undefinedAgain('crontabs.names.example.com'),
      get(`${definitions}/tabs.names.example.com`, {
        isEventual: true,
        holds: { status: { conditions: [{ status: 'True' }, { status: 'True' }] } },
      }),
      ...undefinedAgain('tabs.names.example.com'),
    ],
  },
  {
    title: 'rules in CEL',
    steps: [
      post(definitions, {
        body: ofSchema('cel.example.com', {
          spec: { ...schemaOfSpec, 'x-kubernetes-validations': [{ rule: 'self.replicas < 5' }] },
        }),
        differs: unchecked,
      }),
      get(`${definitions}/crontabs.cel.example.com`, {
        isEventual: true,
        holds: { status: { conditions: [{}, { status: 'True' }] } },
      }),
      post(objects('cel.example.com'), {
        body: custom('cel.example.com', { spec: { cronSpec: '12', level: 'middle' } }),
        isEventual: true,
        ...invalid,
      }),
      post(objects('cel.example.com'), {
        body: custom('cel.example.com', { spec: { cronSpec: '12', replicas: 2 } }),
        differs: unchecked,
      }),
      ...undefinedAgain('crontabs.cel.example.com'),
    ],
  },
  {
    title: 'server-side apply of custom objects',
    comparesManagers: true,
    steps: [
      post(definitions, {
        body: ofSchema('apply.example.com', { spec: schemaOfSpec, status: anyObject }),
        differs: withoutManagers,
      }),
      apply(
        `${objects('apply.example.com')}/one`,
        custom('apply.example.com', {
          spec: { cronSpec: '12', tags: ['a'], parts: [{ name: 'a' }], nested: { b: 'y' } },
        }),
        { status: 201, isEventual: true },
      ),
      apply(
        `${objects('apply.example.com')}/one`,
        custom('apply.example.com', {
          spec: { tags: ['b'], parts: [{ name: 'b', size: 9 }], free: { c: { d: 1 } } },
        }),
        { query: { fieldManager: 'bob' } },
      ),
      apply(
        `${objects('apply.example.com')}/one`,
        custom('apply.example.com', { spec: { cronSpec: '13' } }),
        { query: { fieldManager: 'bob' }, status: 409 },
      ),
      apply(
        `${objects('apply.example.com')}/one`,
        custom('apply.example.com', { spec: { cronSpec: '13' } }),
        { query: { fieldManager: 'bob', force: 'true' } },
      ),
      apply(
        `${objects('apply.example.com')}/one`,
        custom('apply.example.com', {
          spec: { cronSpec: '13', parts: [{ name: 'a' }, { name: 'a' }] },
        }),
        { status: 500 },
      ),
      apply(
        `${objects('apply.example.com')}/one`,
        custom('apply.example.com', { spec: { cronSpec: '13', typo: 1 } }),
        { status: 500 },
      ),
      apply(
        `${objects('apply.example.com')}/one`,
        custom('apply.example.com', { spec: { cronSpec: 13 } }),
        { status: 500 },
      ),
      patch(
        'merge',
        `${objects('apply.example.com')}/one`,
        { spec: { level: 'low' } },
        { query: { fieldManager: 'carol' } },
      ),
      // Without a subresource the status is a field like others.
      apply(
        `${objects('apply.example.com')}/two`,
        custom('apply.example.com', { spec: { cronSpec: '12' }, status: { a: 1 } }, 'two'),
        { status: 201 },
      ),
      apply(
        `${objects('apply.example.com')}/two`,
        custom('apply.example.com', { spec: { cronSpec: '12' } }, 'two'),
      ),
      remove(`${definitions}/crontabs.apply.example.com`, { differs: withoutManagers }),
      get(`${definitions}/crontabs.apply.example.com`, { isEventual: true, ...missing }),
    ],
  },
]
