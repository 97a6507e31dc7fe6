import { describe, expect, it } from 'vitest'
import { patchSchemaOf, type PatchSchema } from '../../patch/patch-schema.ts'
import { resourceTypes } from '../../resource-types.ts'
import { parseSchema, type FieldType } from './schema-notation.ts'
import { schemas } from './schemas.ts'

function referenced(type: FieldType): string | undefined {
  if (type.kind === 'schema') return type.name
  if (type.kind === 'list') return referenced(type.items)
  return type.kind === 'map' ? referenced(type.values) : undefined
}

describe('the notation of a field', () => {
  it.each([
    ['string', { type: { kind: 'scalar', scalar: 'string' } }],
    [
      'int32! | How many.',
      { type: { kind: 'scalar', scalar: 'int32' }, isRequired: true, about: 'How many.' },
    ],
    ['map:quantity', { type: { kind: 'map', values: { kind: 'scalar', scalar: 'quantity' } } }],
    [
      '[]string merge',
      {
        type: { kind: 'list', items: { kind: 'scalar', scalar: 'string' } },
        patchStrategy: 'merge',
      },
    ],
    [
      '[]Container! merge=name | All.',
      {
        type: { kind: 'list', items: { kind: 'schema', name: 'Container' } },
        isRequired: true,
        about: 'All.',
        patchStrategy: 'merge',
        patchMergeKey: 'name',
      },
    ],
    [
      '[]Volume merge=name,retain',
      {
        type: { kind: 'list', items: { kind: 'schema', name: 'Volume' } },
        patchStrategy: 'merge,retainKeys',
        patchMergeKey: 'name',
      },
    ],
    [
      'LabelSelector replace',
      { type: { kind: 'schema', name: 'LabelSelector' }, patchStrategy: 'replace' },
    ],
    [
      'Strategy retain',
      { type: { kind: 'schema', name: 'Strategy' }, patchStrategy: 'retainKeys' },
    ],
  ])('%s', (text, field) => {
    const plain = {
      isRequired: false,
      about: '',
      patchStrategy: undefined,
      patchMergeKey: undefined,
    }
    expect(parseSchema({ about: '', fields: { f: text } }).fields.get('f')).toEqual({
      ...plain,
      ...field,
    })
  })

  it.each(['', 'string !', '[]Container merge=', 'string|x', 'string  | x'])(
    '"%s" is not in it',
    (text) => {
      expect(() => parseSchema({ about: '', fields: { f: text } })).toThrow(
        'not the notation of a field',
      )
    },
  )
})

describe('the schemas', () => {
  it('refer only to each other', () => {
    const missing = [...schemas.values()].flatMap((schema) =>
      [...schema.fields.values()]
        .map((field) => referenced(field.type))
        .filter((name) => name !== undefined && !schemas.has(name)),
    )
    expect(missing).toEqual([])
  })

  it('name as merge keys only fields that the items have', () => {
    const wrong = [...schemas.values()].flatMap((schema) =>
      [...schema.fields].filter(([, field]) => {
        if (field.patchMergeKey === undefined) return false
        const items = schemas.get(referenced(field.type) ?? '')
        return items?.fields.has(field.patchMergeKey) !== true
      }),
    )
    expect(wrong).toEqual([])
  })

  it('cover every kind that can be written, and its subresources', () => {
    const written = resourceTypes.flatMap((type) => [
      ...(type.verbs.includes('create') ? [type.kind] : []),
      ...type.subresources.map((subresource) => subresource.kind),
    ])
    expect(written.filter((kind) => !schemas.has(kind))).toEqual([])
  })

  // The merge keys of Kubernetes' own types (v1.34) for what is patched in practice.
  it.each([
    ['PodSpec', 'containers', 'merge', 'name'],
    ['PodSpec', 'volumes', 'merge,retainKeys', 'name'],
    ['PodSpec', 'tolerations', undefined, undefined],
    ['PodSpec', 'topologySpreadConstraints', 'merge', 'topologyKey'],
    ['PodSpec', 'imagePullSecrets', 'merge', 'name'],
    ['PodSpec', 'hostAliases', 'merge', 'ip'],
    ['Container', 'ports', 'merge', 'containerPort'],
    ['Container', 'env', 'merge', 'name'],
    ['Container', 'envFrom', undefined, undefined],
    ['Container', 'volumeMounts', 'merge', 'mountPath'],
    ['PodStatus', 'conditions', 'merge', 'type'],
    ['PodStatus', 'podIPs', 'merge', 'ip'],
    ['PodStatus', 'containerStatuses', undefined, undefined],
    ['NodeStatus', 'conditions', 'merge', 'type'],
    ['NodeStatus', 'addresses', 'merge', 'type'],
    ['NodeSpec', 'taints', undefined, undefined],
    ['ObjectMeta', 'ownerReferences', 'merge', 'uid'],
    ['ObjectMeta', 'finalizers', 'merge', undefined],
    ['ServiceAccount', 'secrets', 'merge', 'name'],
    ['PodDisruptionBudgetSpec', 'selector', 'replace', undefined],
    ['PodDisruptionBudgetStatus', 'conditions', 'merge', 'type'],
  ])('%s.%s is merged by %s %s', (schema, field, strategy, key) => {
    const { patchStrategy, patchMergeKey } = schemas.get(schema)?.fields.get(field) ?? {}
    expect([patchStrategy, patchMergeKey]).toEqual([strategy, key])
  })
})

describe('the server', () => {
  /** Every list that is merged by this schema: where it is, and by which key. */
  function published(name: string, path: string, seen: readonly string[] = []): readonly string[] {
    if (seen.includes(name)) return []
    return [...(schemas.get(name)?.fields ?? [])].flatMap(([field, { type, ...patch }]) => {
      const here = `${path}.${field}`
      const isList = type.kind === 'list' && patch.patchStrategy !== undefined
      const own = isList ? [`${here} by ${patch.patchMergeKey}`] : []
      const inside =
        type.kind === 'list' && patch.patchStrategy === undefined ? undefined : referenced(type)
      return [...own, ...(inside === undefined ? [] : published(inside, here, [...seen, name]))]
    })
  }

  function served(schema: PatchSchema, path: string): readonly string[] {
    const lists = Object.entries(schema.lists ?? {}).flatMap(([field, list]) => [
      `${path}.${field} by ${list.mergeKey}`,
      ...(list.items === undefined ? [] : served(list.items, `${path}.${field}`)),
    ])
    const objects = Object.entries(schema.objects ?? {})
    return [...lists, ...objects.flatMap(([field, own]) => served(own, `${path}.${field}`))]
  }

  it.each([
    'Pod',
    'Node',
    'Namespace',
    'ServiceAccount',
    'ConfigMap',
    'Event',
    'Lease',
    'PodDisruptionBudget',
  ])('merges a %s by the keys that it publishes', (kind) => {
    const lists = published(kind, kind)
      // Of a claim inside a pod's volume, which cannot be changed anyway.
      .filter((list) => !list.includes('volumeClaimTemplate'))
    expect(served(patchSchemaOf(kind), kind).toSorted()).toEqual(lists.toSorted())
  })
})
