import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../shared/json.ts'
import { listAt, objectAt, objectsAt } from '../../../../shared/json.ts'
import { stateFormat } from '../../../state/kept-state.ts'
import { readStateFile, stateFileText } from '../../../state/state-file.ts'
import { clusterUnderTest } from '../../control-plane/fake-cluster.ts'
import { admin, configMaps, metadataOf, namespaces, serverUnderTest } from '../../fake-client.ts'
import type { ServerUnderTest } from '../../fake-client.ts'
import type { KeptObject } from '../../object-store.ts'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const group = 'stable.example.com'

function objects(namespace = 'default', plural = 'crontabs'): string {
  return `/apis/${group}/v1/namespaces/${namespace}/${plural}`
}

function definition(kind = 'CronTab', plural = 'crontabs', version: JsonObject = {}): JsonObject {
  const schema = {
    openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema, ...version }],
    },
  }
}

function custom(name: string, metadata: JsonObject = {}, kind = 'CronTab'): JsonObject {
  return { apiVersion: `${group}/v1`, kind, metadata: { name, ...metadata } }
}

function reference(kind: string, apiVersion: string, metadata: JsonObject): JsonObject {
  return { kind, apiVersion, name: metadata['name'], uid: metadata['uid'] }
}

describe('the objects of a custom kind', () => {
  it('outlive the process with their definition, and are not there for a later definition of the name', async () => {
    const kept = new Map<string, KeptObject>()
    const first = serverUnderTest({
      kept: {
        objects: [],
        resourceVersion: 0,
        record: ({ resource, object, change }) => {
          const key = `${resource}/${object.metadata.name}`
          if (change === 'DELETED') kept.delete(key)
          else kept.set(key, { resource, object })
        },
      },
    })
    await first.client.post(definitions, definition())
    await first.client.post(objects(), custom('one'))
    expect([...kept.keys()].filter((key) => key.includes(group))).toEqual([
      `customresourcedefinitions.apiextensions.k8s.io/crontabs.${group}`,
      `crontabs.${group}/one`,
    ])
    const next = serverUnderTest({
      kept: { objects: [...kept.values()], resourceVersion: 50, record: () => undefined },
    })
    expect(await next.client.names(objects())).toEqual(['one'])
    const { objects: all } = next.server.objects()
    expect(all.filter(({ resource }) => resource === `crontabs.${group}`)).toHaveLength(1)
    await next.client.delete(`${definitions}/crontabs.${group}`)
    await next.client.post(definitions, definition())
    expect(await next.client.names(objects())).toEqual([])
  })

  function readBack(server: ServerUnderTest['server']): readonly KeptObject[] {
    const state = server.objects()
    const meta = { format: stateFormat, program: '1', seed: 1, starts: 1, now: 1, nodes: ['n1'] }
    const text = stateFileText({
      meta: { ...meta, resourceVersion: state.resourceVersion },
      objects: state.objects.filter(
        ({ resource }) => resource.includes('custom') || resource.includes(group),
      ),
      manifests: [],
    })
    const read = readStateFile('state.yaml', text)
    if (!read.ok) throw new Error(read.error)
    return read.value.objects
  }

  it('are written to a state file and read from it', async () => {
    const { client, server } = serverUnderTest()
    await client.post(definitions, definition())
    await client.post(objects(), { ...custom('one'), spec: { any: { thing: 1 } } })
    const read = readBack(server)
    expect(read.map(({ resource }) => resource)).toEqual([
      'customresourcedefinitions.apiextensions.k8s.io',
      `crontabs.${group}`,
    ])
    expect(read[1]?.object).toMatchObject({ spec: { any: { thing: 1 } } })
  })

  it('are in a state file also if no version serves them any more', async () => {
    const { client, server } = serverUnderTest()
    await client.post(definitions, definition())
    await client.post(objects(), custom('one'))
    const [version = {}] = objectsAt(objectAt(definition(), 'spec'), 'versions')
    await client.patch(
      `${definitions}/crontabs.${group}`,
      { spec: { versions: [{ ...version, served: false }] } },
      'merge',
    )
    expect((await client.get(objects())).code).toBe(404)
    expect(readBack(server).map(({ object }) => object.metadata.name)).toContain('one')
  })

  it('are checked against patterns as Go reads them, none of which takes long', async () => {
    const { client } = serverUnderTest()
    const properties = {
      slow: { type: 'string', pattern: '^(a+)+$' },
      word: { type: 'string', pattern: '(?i)^[[:alpha:]]+\\z' },
    }
    const schema = { openAPIV3Schema: { type: 'object', properties } }
    await client.post(definitions, definition('CronTab', 'crontabs', { schema }))
    const slow = `${'a'.repeat(5000)}!`
    expect((await client.post(objects(), { ...custom('one'), slow })).code).toBe(422)
    expect((await client.post(objects(), { ...custom('two'), word: 'two-two' })).code).toBe(422)
    const good = { ...custom('three'), slow: 'aaa', word: 'Word' }
    expect((await client.post(objects(), good)).code).toBe(201)
  })

  it('end their watches when their definition is deleted', async () => {
    const { client } = serverUnderTest()
    await client.post(definitions, definition())
    await client.post(objects(), custom('one'))
    const watch = await client.watch(objects())
    await client.delete(`${definitions}/crontabs.${group}`)
    expect(await watch.seen()).toEqual(['ADDED one', 'DELETED one'])
    expect(watch.isEnded).toBe(true)
    expect((await client.get(objects())).code).toBe(404)
  })

  it('keep their definition while they have finalizers', async () => {
    const { client } = serverUnderTest()
    await client.post(definitions, definition())
    await client.post(objects(), custom('one', { finalizers: ['example.com/x'] }))
    await client.delete(`${definitions}/crontabs.${group}`)
    const { body } = await client.get(`${definitions}/crontabs.${group}`)
    const conditions = listAt(objectAt(body, 'status'), 'conditions')
    expect(conditions.at(-1)).toMatchObject({
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionInProgress',
    })
    await client.patch(`${objects()}/one`, { metadata: { finalizers: null } }, 'merge')
    expect((await client.get(`${definitions}/crontabs.${group}`)).code).toBe(404)
  })

  it.each([
    ['Pod', 'pods'],
    ['Namespace', 'namespaces'],
    ['PersistentVolumeClaim', 'persistentvolumeclaims'],
    ['Job', 'jobs'],
  ])('are nothing else for being called %s', async (kind, plural) => {
    const { client } = serverUnderTest()
    await client.post(definitions, definition(kind, plural))
    const path = objects('default', plural)
    const created = await client.post(path, custom('default', {}, kind))
    expect([created.code, Object.keys(created.body).toSorted()]).toEqual([
      201,
      ['apiVersion', 'kind', 'metadata'],
    ])
    const updated = await client.patch(`${path}/default`, { spec: { a: 1 } }, 'merge')
    expect([updated.code, updated.body['spec']]).toEqual([200, { a: 1 }])
    expect((await client.delete(`${path}/default`)).body).toMatchObject({ status: 'Success' })
    expect(await client.names(path)).toEqual([])
  })

  it('count for quotas', async () => {
    const { client } = serverUnderTest()
    await client.post(definitions, definition())
    const quota = `count/crontabs.${group}`
    await client.post('/api/v1/namespaces/default/resourcequotas', {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q' },
      spec: { hard: { [quota]: '1' } },
    })
    expect((await client.post(objects(), custom('one'))).code).toBe(201)
    const second = await client.post(objects(), custom('two'))
    expect([second.code, second.message]).toEqual([403, expect.stringContaining('exceeded quota')])
  })
})

describe('a definition', () => {
  it('in a group of Kubernetes says whether it was approved', async () => {
    const { client } = serverUnderTest()
    const own = definition()
    const spec = { ...objectAt(own, 'spec'), group: 'x.k8s.io' }
    const named = { ...own, spec }
    const metadata = { name: 'crontabs.x.k8s.io' }
    const refused = await client.post(definitions, { ...named, metadata })
    expect([refused.code, refused.message]).toEqual([
      422,
      expect.stringContaining('protected groups must have approval annotation'),
    ])
    const annotations = { 'api-approved.kubernetes.io': 'https://example.com/pull/1' }
    await client.post(definitions, { ...named, metadata: { ...metadata, annotations } })
    const { body } = await client.get(`${definitions}/crontabs.x.k8s.io`)
    expect(listAt(objectAt(body, 'status'), 'conditions')).toMatchObject([
      {
        type: 'KubernetesAPIApprovalPolicyConformant',
        status: 'True',
        reason: 'ApprovedAnnotation',
        message: 'approved in https://example.com/pull/1',
      },
      { type: 'NamesAccepted', status: 'True' },
      { type: 'Established', status: 'True' },
    ])
  })

  it('with rules in CEL is stored with a warning, and so are its objects', async () => {
    const { server } = serverUnderTest()
    const rules = [{ rule: 'self.spec.a > 1' }]
    const openAPIV3Schema = { type: 'object', 'x-kubernetes-validations': rules }
    const body = definition('CronTab', 'crontabs', { schema: { openAPIV3Schema } })
    for (const request of [
      { path: definitions, body },
      { path: objects(), body: custom('one') },
    ]) {
      const answer = await server.handle({ method: 'POST', ...request }, admin)
      if (answer.kind !== 'object') throw new Error(answer.kind)
      expect([answer.status, answer.headers?.['warning']]).toEqual([
        201,
        expect.stringContaining('does not check x-kubernetes-validations'),
      ])
    }
  })

  it('with a conversion webhook is refused, unless there is nothing to convert', async () => {
    const { client } = serverUnderTest()
    const one = definition()
    const spec = objectAt(one, 'spec')
    const clientConfig = { url: 'https://example.com' }
    const webhook = { clientConfig, conversionReviewVersions: ['v1'] }
    const conversion = { strategy: 'Webhook', webhook }
    const [version] = listAt(spec, 'versions') as readonly JsonObject[]
    const versions = [version, { ...version, name: 'v2', storage: false }]
    const refused = await client.post(definitions, {
      ...one,
      spec: { ...spec, versions, conversion },
    })
    expect([refused.code, refused.message]).toEqual([
      422,
      expect.stringContaining('the Nodescope sandbox calls no conversion webhooks'),
    ])
    const taken = await client.post(definitions, { ...one, spec: { ...spec, conversion } })
    expect(taken.code).toBe(201)
  })
})

describe('with controllers, an object of a custom kind', () => {
  async function withDefinition() {
    const cluster = await clusterUnderTest()
    await cluster.client.post(definitions, definition())
    await cluster.settle()
    return cluster
  }

  it('is deleted with its owner, and takes its dependents along', async () => {
    const { client, settle } = await withDefinition()
    const map = await client.post(configMaps, { metadata: { name: 'owner' } })
    const ownerReferences = [reference('ConfigMap', 'v1', metadataOf(map))]
    const middle = await client.post(objects(), custom('middle', { ownerReferences }))
    const owned = [reference('CronTab', `${group}/v1`, metadataOf(middle))]
    await client.post(configMaps, { metadata: { name: 'last', ownerReferences: owned } })
    await settle()
    expect(await client.names(objects())).toEqual(['middle'])
    await client.delete(`${configMaps}/owner`)
    await settle()
    await settle()
    expect(await client.names(objects())).toEqual([])
    expect(await client.names(configMaps)).not.toContain('last')
  })

  it('takes its dependents along when its definition is deleted', async () => {
    const { client, settle } = await withDefinition()
    const owner = await client.post(objects(), custom('owner'))
    const ownerReferences = [reference('CronTab', `${group}/v1`, metadataOf(owner))]
    await client.post(configMaps, { metadata: { name: 'owned', ownerReferences } })
    await settle()
    await client.delete(`${definitions}/crontabs.${group}`)
    await settle()
    await settle()
    expect(await client.names(configMaps)).not.toContain('owned')
    expect((await client.get(`${definitions}/crontabs.${group}`)).code).toBe(404)
  })

  it('lets its dependents go when it is orphaned, also those of custom kinds', async () => {
    const { client, settle } = await withDefinition()
    const owner = await client.post(objects(), custom('owner'))
    const ownerReferences = [reference('CronTab', `${group}/v1`, metadataOf(owner))]
    await client.post(objects(), custom('owned', { ownerReferences }))
    await settle()
    await client.delete(`${objects()}/owner`, { propagationPolicy: 'Orphan' })
    await settle()
    await settle()
    expect(await client.names(objects())).toEqual(['owned'])
    expect(metadataOf(await client.get(`${objects()}/owned`))['ownerReferences']).toBeUndefined()
  })

  it('is deleted with its namespace', async () => {
    const { client, clock } = await withDefinition()
    await client.post(namespaces, { metadata: { name: 'team' } })
    await client.post(objects('team'), custom('one'))
    await client.delete(`${namespaces}/team`)
    await clock.advance(10_000)
    expect((await client.get(`${namespaces}/team`)).code).toBe(404)
    expect(await client.names(`/apis/${group}/v1/crontabs`)).toEqual([])
  })
})
