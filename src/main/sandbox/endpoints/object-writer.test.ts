import { describe, expect, it } from 'vitest'
import { objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import {
  configMaps,
  leases,
  metadataOf,
  namespaces,
  pod,
  pods,
  serverUnderTest,
} from '../fake-client.ts'

const uidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('creating', () => {
  it('answers 201 with the stored object', async () => {
    const { client } = serverUnderTest()
    const { code, body } = await client.post(pods, {
      metadata: { name: 'web', labels: { a: 'b' } },
      spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'nginx' }] },
    })
    expect(code).toBe(201)
    expect(body).toEqual({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: {
        name: 'web',
        namespace: 'default',
        uid: expect.stringMatching(uidPattern),
        labels: { a: 'b' },
        resourceVersion: '12',
        generation: 1,
        creationTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: {
        containers: [
          {
            name: 'c',
            image: 'nginx',
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
            imagePullPolicy: 'Always',
          },
        ],
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        serviceAccountName: 'default',
        serviceAccount: 'default',
        automountServiceAccountToken: false,
        securityContext: {},
        schedulerName: 'default-scheduler',
        tolerations: ['not-ready', 'unreachable'].map((name) => ({
          key: `node.kubernetes.io/${name}`,
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 300,
        })),
        priority: 0,
        enableServiceLinks: true,
        preemptionPolicy: 'PreemptLowerPriority',
      },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    })
    expect((await client.get(`${pods}/web`)).body).toEqual(body)
  })

  it('sets the identity itself, regardless of the client’s values', async () => {
    const { client } = serverUnderTest()
    const given = {
      uid: 'mine',
      creationTimestamp: '2020-01-01T00:00:00Z',
      generation: 9,
      deletionTimestamp: '2020-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 5,
      selfLink: '/x',
      managedFields: [{}],
    }
    const meta = metadataOf(await client.post(pods, pod('web', {}, given)))
    expect(meta).toEqual({
      name: 'web',
      namespace: 'default',
      uid: expect.stringMatching(uidPattern),
      resourceVersion: '12',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    })
  })

  it('keeps no reference to the client’s object', async () => {
    const { client } = serverUnderTest()
    const labels: Record<string, string> = { a: 'b' }
    await client.post(pods, pod('web', {}, { labels }))
    labels['a'] = 'changed'
    expect(metadataOf(await client.get(`${pods}/web`))['labels']).toEqual({ a: 'b' })
  })

  it('creates a name from generateName, cut to the limit', async () => {
    const { client } = serverUnderTest()
    const short = metadataOf(await client.post(configMaps, { metadata: { generateName: 'web-' } }))
    expect(short['name']).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
    const long = await client.post(configMaps, { metadata: { generateName: 'a'.repeat(70) } })
    expect(textAt(metadataOf(long), 'name')).toMatch(/^a{58}.{5}$/)
  })

  it.each<[string, unknown, number, string]>([
    ['twice', pod('there'), 409, 'pods "there" already exists'],
    [
      'without a name',
      { spec: pod('x')['spec'] },
      422,
      'Pod "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    [
      'without containers',
      { metadata: { name: 'x' } },
      422,
      'Pod "x" is invalid: spec.containers: Required value',
    ],
    [
      'in another namespace',
      pod('x', {}, { namespace: 'other' }),
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'of another kind',
      { kind: 'Node', apiVersion: 'v1' },
      400,
      'Node in version "v1" cannot be handled as a Pod: converting (v1.Node) to (core.Pod): unknown conversion',
    ],
    [
      'of another version',
      { kind: 'Pod', apiVersion: 'v2' },
      400,
      'Pod in version "v2" cannot be handled as a Pod: no kind "Pod" is registered for version "v2" in scheme "pkg/runtime/scheme.go:110"',
    ],
    [
      'of wrong types',
      { metadata: { name: 'x' }, spec: { containers: [{ name: 'c', image: 5 }] } },
      400,
      'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number into Go struct field Container.spec.containers.image of type string',
    ],
    [
      'from a list',
      [],
      400,
      "the object provided is unrecognized (must be of type Pod): couldn't get version/kind; the body is an array",
    ],
    [
      'from nothing',
      undefined,
      400,
      "the object provided is unrecognized (must be of type Pod): couldn't get version/kind; the body is empty",
    ],
    [
      'with a version',
      pod('x', {}, { resourceVersion: '5' }),
      500,
      'resourceVersion should not be set on objects to be created',
    ],
  ])('%s is refused', async (_, body, code, message) => {
    const { client } = serverUnderTest()
    await client.post(pods, pod('there'))
    const answer = await client.post(pods, body)
    expect([answer.code, answer.message]).toEqual([code, message])
  })

  it('has the details that clients read', async () => {
    const { client } = serverUnderTest()
    const { body } = await client.post(pods, { metadata: { name: 'x' } })
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Pod "x" is invalid: spec.containers: Required value',
      reason: 'Invalid',
      details: {
        name: 'x',
        kind: 'Pod',
        causes: [
          { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.containers' },
        ],
      },
      code: 422,
    })
  })

  it('reports that the existing object is being deleted', async () => {
    const { client } = serverUnderTest()
    await client.post(pods, pod('web'))
    await client.delete(`${pods}/web`)
    const answer = await client.post(pods, pod('web'))
    expect(answer.message).toBe('object is being deleted: pods "web" already exists')
  })

  it('in a missing or terminating namespace is refused', async () => {
    const { client } = serverUnderTest()
    const missing = await client.post('/api/v1/namespaces/nope/pods', pod('x'))
    expect([missing.code, missing.message]).toEqual([404, 'namespaces "nope" not found'])
    await client.post(namespaces, { metadata: { name: 'going' } })
    await client.delete(`${namespaces}/going`)
    const going = await client.post('/api/v1/namespaces/going/configmaps', {
      metadata: { name: 'x' },
    })
    expect(going.code).toBe(403)
    expect(going.message).toBe(
      'configmaps "x" is forbidden: unable to create new content in namespace going because it is being terminated',
    )
    expect(objectAt(going.body, 'details')['causes']).toEqual([
      {
        reason: 'NamespaceTerminating',
        message: 'namespace going is being terminated',
        field: 'metadata.namespace',
      },
    ])
  })

  it('with dryRun gives the same answer and writes nothing', async () => {
    const { client, traced } = serverUnderTest()
    const before = traced.filter(({ kind }) => kind === 'object.written').length
    const answer = await client.post(pods, pod('web'), { dryRun: 'All' })
    expect([answer.code, metadataOf(answer)['name']]).toEqual([201, 'web'])
    expect((await client.get(`${pods}/web`)).code).toBe(404)
    expect(traced.filter(({ kind }) => kind === 'object.written')).toHaveLength(before)
  })

  it.each<[Record<string, string>, string]>([
    [
      { dryRun: 'foo' },
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["foo"]: supported values: "All"',
    ],
    [
      { fieldValidation: 'foo' },
      'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "foo": supported values: "", "Ignore", "Strict", "Warn"',
    ],
  ])('with %j is refused', async (query, message) => {
    const { client } = serverUnderTest()
    const answer = await client.post(pods, pod('web'), query)
    expect([answer.code, answer.message]).toEqual([422, message])
  })
})

describe('updating', () => {
  async function created() {
    const test = serverUnderTest()
    const { body } = await test.client.post(pods, pod('web'))
    const changed = (meta: JsonObject, spec: JsonObject = {}) => ({
      ...body,
      metadata: { ...objectAt(body, 'metadata'), ...meta },
      spec: { ...objectAt(body, 'spec'), ...spec },
    })
    return { ...test, body, changed }
  }

  it('without a change writes nothing: no version, no event', async () => {
    const { client, body } = await created()
    const log = await client.watch(pods, { resourceVersion: '12' })
    const answer = await client.put(`${pods}/web`, body)
    expect([answer.code, answer.body]).toEqual([200, body])
    expect(await log.seen()).toEqual([])
  })

  it('accepts an object without a version, and refuses one with an old version', async () => {
    const { client, changed } = await created()
    const free = await client.put(
      `${pods}/web`,
      changed({ resourceVersion: '', labels: { a: '1' } }),
    )
    expect([free.code, metadataOf(free)['resourceVersion']]).toEqual([200, '13'])
    const old = await client.put(`${pods}/web`, changed({ labels: { a: '2' } }))
    expect([old.code, old.body['reason'], old.message]).toEqual([
      409,
      'Conflict',
      'Operation cannot be fulfilled on pods "web": the object has been modified; please apply your changes to the latest version and try again',
    ])
  })

  it('never changes identity, times or status', async () => {
    const { client, changed } = await created()
    const answer = await client.put(`${pods}/web`, {
      ...changed({ generation: 77, creationTimestamp: '2020-01-01T00:00:00Z', labels: { a: '1' } }),
      status: { phase: 'Running' },
    })
    expect(metadataOf(answer)).toMatchObject({
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    })
    expect(answer.body['status']).toEqual({ phase: 'Pending', qosClass: 'BestEffort' })
  })

  it.each<[string, JsonObject, number, string]>([
    [
      'another uid',
      { uid: 'zz' },
      409,
      'Operation cannot be fulfilled on pods "web": StorageError: invalid object, Code: 4, Key: /registry/pods/default/web, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: zz, UID in object meta: ',
    ],
    [
      'another name',
      { name: 'zz' },
      400,
      'the name of the object (zz) does not match the name on the URL (web)',
    ],
    ['no name', { name: '' }, 400, 'name must be provided'],
    [
      'another namespace',
      { namespace: 'zz' },
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'a version that is none',
      { resourceVersion: 'abc' },
      500,
      'strconv.ParseUint: parsing "abc": invalid syntax',
    ],
    [
      'a time of deletion',
      { deletionTimestamp: '2026-01-01T00:00:00Z' },
      422,
      'Pod "web" is invalid: metadata.deletionTimestamp: Invalid value: "2026-01-01T00:00:00Z": field is immutable',
    ],
  ])('with %s is refused', async (_, meta, code, message) => {
    const { client, changed } = await created()
    const answer = await client.put(`${pods}/web`, changed(meta))
    expect(answer.code).toBe(code)
    expect(answer.message.startsWith(message)).toBe(true)
  })

  it('of a missing object is 404, but creates events and leases', async () => {
    const { client } = serverUnderTest()
    const missing = await client.put(`${pods}/zz`, pod('zz'))
    expect([missing.code, missing.message]).toEqual([404, 'pods "zz" not found'])
    expect((await client.put(`${leases}/n1`, { metadata: { name: 'n1' }, spec: {} })).code).toBe(
      201,
    )
  })

  it('of a lease needs the version', async () => {
    const { client } = serverUnderTest()
    await client.post(leases, { metadata: { name: 'n1' }, spec: { holderIdentity: 'n1' } })
    const answer = await client.put(`${leases}/n1`, { metadata: { name: 'n1' }, spec: {} })
    expect([answer.code, answer.message]).toEqual([
      422,
      'leases.coordination.k8s.io "n1" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    ])
  })

  it('of a lease needs times with microseconds, as Go reads them', async () => {
    const { client } = serverUnderTest()
    const lease = (renewTime: string) => ({ metadata: { name: 'n1' }, spec: { renewTime } })
    expect((await client.post(leases, lease('2026-01-01T00:00:00.000000Z'))).code).toBe(201)
    const answer = await client.put(`${leases}/n1`, lease('2026-01-01T00:00:10Z'))
    expect([answer.code, answer.message]).toEqual([
      400,
      'Lease in version "v1" cannot be handled as a Lease: parsing time "2026-01-01T00:00:10Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    ])
  })
})

describe('patching', () => {
  async function created() {
    const test = serverUnderTest()
    await test.client.post(pods, pod('web', {}, { labels: { a: '1' } }))
    return test
  }

  it.each<['strategic' | 'merge' | 'json', unknown]>([
    ['strategic', { metadata: { labels: { b: '2', a: null } } }],
    ['merge', { metadata: { labels: { b: '2', a: null } } }],
    [
      'json',
      [
        { op: 'add', path: '/metadata/labels/b', value: '2' },
        { op: 'remove', path: '/metadata/labels/a' },
      ],
    ],
  ])('by a %s patch changes only the given fields', async (type, patch) => {
    const { client } = await created()
    const before = await client.get(`${pods}/web`)
    const answer = await client.patch(`${pods}/web`, patch, type)
    expect(answer.code).toBe(200)
    expect(answer.body).toEqual({
      ...before.body,
      metadata: { ...metadataOf(before), labels: { b: '2' }, resourceVersion: '13' },
    })
  })

  it('keeps the identical spec if it does not change it', async () => {
    const { client } = await created()
    const before = await client.get(`${pods}/web`)
    const status = {
      phase: 'Running',
      message: null,
      conditions: [{ type: 'Ready', status: 'True' }],
    }
    await client.patch(`${pods}/web/status`, { status })
    await client.patch(`${pods}/web`, { metadata: { labels: { b: '2' } }, unheardOf: 1 })
    const after = await client.get(`${pods}/web`)
    expect(after.body['spec']).toBe(before.body['spec'])
    expect(Object.keys(after.body)).toEqual(Object.keys(before.body))
    expect(textAt(objectAt(after.body, 'status'), 'phase')).toBe('Running')
  })

  it('that moves a stored value to a field of another type is refused', async () => {
    const { client } = await created()
    const answer = await client.patch(
      `${pods}/web`,
      [{ op: 'copy', from: '/spec', path: '/metadata/labels' }],
      'json',
    )
    expect([answer.code, answer.message]).toEqual([
      422,
      expect.stringContaining('into Go struct field ObjectMeta.metadata.labels of type'),
    ])
  })

  it('with a version demands that version', async () => {
    const { client } = await created()
    const fine = { metadata: { resourceVersion: '12', labels: { b: '1' } } }
    expect((await client.patch(`${pods}/web`, fine)).code).toBe(200)
    expect((await client.patch(`${pods}/web`, fine)).code).toBe(409)
  })

  it('with a uid demands that uid', async () => {
    const { client } = await created()
    const answer = await client.patch(`${pods}/web/status`, {
      metadata: { uid: 'x' },
      status: { phase: 'Failed' },
    })
    expect([answer.code, answer.message]).toEqual([
      422,
      'Pod "web" is invalid: metadata.uid: Invalid value: "x": field is immutable',
    ])
  })

  it.each<[string, 'strategic' | 'merge' | 'json', unknown, number, string]>([
    [
      'a list',
      'merge',
      [],
      400,
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    [
      'operations that are no list',
      'json',
      { op: 'add' },
      400,
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ],
    [
      'an operation that fails',
      'json',
      [{ op: 'test', path: '/metadata/name', value: 'q' }],
      422,
      'the server rejected our request due to an error in our request',
    ],
    [
      'an element without its key',
      'strategic',
      { spec: { containers: [{ image: 'q' }] } },
      500,
      'map: map[image:q] does not contain declared merge key: name',
    ],
    [
      'another name',
      'merge',
      { metadata: { name: 'zz' } },
      400,
      'the name of the object (zz) does not match the name on the URL (web)',
    ],
    [
      'another namespace',
      'merge',
      { metadata: { namespace: 'zz' } },
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
  ])('with %s is refused', async (_, type, patch, code, message) => {
    const { client } = await created()
    const answer = await client.patch(`${pods}/web`, patch, type)
    expect([answer.code, answer.message]).toEqual([code, message])
  })

  it('that leaves a field of the wrong type is refused with its result', async () => {
    const { client } = await created()
    const answer = await client.patch(`${pods}/web`, { metadata: { labels: 5 } }, 'merge')
    expect(answer.code).toBe(422)
    expect(answer.message).toMatch(
      /^ "" is invalid: patch: Invalid value: "\{.*\}": json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type map\[string\]string$/,
    )
  })

  it.each([
    ['application/json', '415: Unsupported Media Type'],
    ['application/apply-patch+cbor', '415: Unsupported Media Type'],
  ])('as %s is refused with 415', async (contentType, message) => {
    const { client } = await created()
    const answer = await client.send('PATCH', `${pods}/web`, {
      body: {},
      headers: { 'content-type': contentType },
    })
    expect([answer.code, answer.message]).toEqual([415, message])
  })

  it('of a missing object is 404', async () => {
    const { client } = serverUnderTest()
    const answer = await client.patch(`${pods}/zz`, {})
    expect([answer.code, answer.message]).toEqual([404, 'pods "zz" not found'])
  })
})

describe('finalizers', () => {
  it('cannot be added to an object that is being deleted', async () => {
    const { client } = serverUnderTest()
    await client.post(pods, pod('web', {}, { finalizers: ['a.b/c'] }))
    await client.delete(`${pods}/web`)
    const answer = await client.patch(
      `${pods}/web`,
      { metadata: { finalizers: ['d.e/f'] } },
      'merge',
    )
    expect(answer.message).toBe(
      'Pod "web" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"d.e/f"}',
    )
  })
})

describe('a collection', () => {
  it('is deleted by selector, and answers with the deleted objects', async () => {
    const { client } = serverUnderTest()
    for (const name of ['a', 'b', 'c']) {
      await client.post(configMaps, {
        metadata: { name, labels: { keep: name === 'c' ? 'y' : 'n' } },
      })
    }
    const answer = await client.delete(configMaps, undefined, { labelSelector: 'keep=n' })
    expect([answer.code, answer.body['kind'], objectsAt(answer.body, 'items').length]).toEqual([
      200,
      'ConfigMapList',
      2,
    ])
    expect(await client.names(configMaps)).toEqual(['c'])
  })
})
