import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request as send, type Dispatcher } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { objectAt, textAt } from '../../src/shared/json.ts'
import { startSandbox, type SandboxUnderTest } from './sandbox-under-test.ts'
import { createTestNamespace, type TestNamespace } from './test-namespace.ts'

// What kubectl sends for its commands, byte for byte where it matters, for machines without a kubectl.

const tableAccept =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json'
const json = 'application/json'

let folder = ''
let sandbox: SandboxUnderTest
let agent: Agent
let namespaces = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-requests-'))
  sandbox = await startSandbox(folder)
  agent = new Agent({ connect: { ca: sandbox.caPem } })
})

afterAll(async () => {
  await agent.destroy()
  await sandbox.stop()
  await rm(folder, { recursive: true, force: true })
})

interface Sent {
  readonly accept?: string
  readonly type?: string
  readonly body?: unknown
}

async function call(
  method: Dispatcher.HttpMethod,
  path: string,
  { accept = json, type = json, body }: Sent = {},
): Promise<Dispatcher.ResponseData> {
  return send(`${sandbox.url}${path}`, {
    dispatcher: agent,
    method,
    headers: { authorization: `Bearer ${sandbox.token}`, accept, 'content-type': type },
    ...(body === undefined
      ? {}
      : { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
  })
}

async function answer(
  method: Dispatcher.HttpMethod,
  path: string,
  sent: Sent = {},
): Promise<readonly [status: number, body: unknown]> {
  const response = await call(method, path, sent)
  return [response.statusCode, await response.body.json()]
}

/** The lines of a watch as they come. */
async function* watchLines(path: string, accept = json): AsyncGenerator<unknown> {
  const response = await call('GET', path, { accept })
  let rest = ''
  for await (const chunk of response.body) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}

async function nextOf(lines: AsyncGenerator<unknown>): Promise<unknown> {
  const { value } = await lines.next()
  return value
}

const newNamespace = (): Promise<TestNamespace> =>
  createTestNamespace(sandbox, `requests-${namespaces++}`)

describe('get', () => {
  it('of a list is a table with the resourceVersion for the next watch', async () => {
    const one = await newNamespace()
    await one.createPod('web')
    const [status, table] = await answer(
      'GET',
      `/api/v1/namespaces/${one.namespace}/pods?limit=500`,
      { accept: tableAccept },
    )
    expect(status).toBe(200)
    expect(table).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: expect.stringMatching(/^\d+$/) },
      rows: [
        {
          cells: ['web', '0/1', 'Pending', '0', expect.any(String), ...Array(4).fill('<none>')],
          object: { kind: 'PartialObjectMetadata', metadata: { name: 'web' } },
        },
      ],
    })
  })

  it('-w gets rows of one object each, from the version of the list on', async () => {
    const one = await newNamespace()
    const list = `/api/v1/namespaces/${one.namespace}/pods`
    const [, before] = await answer('GET', list, { accept: tableAccept })
    const version = textAt(
      objectAt(before as Record<string, unknown>, 'metadata'),
      'resourceVersion',
    )
    await one.createPod('web')
    const events = watchLines(`${list}?watch=true&resourceVersion=${version}`, tableAccept)
    expect(await nextOf(events)).toMatchObject({
      type: 'ADDED',
      object: { kind: 'Table', rows: [{ cells: expect.arrayContaining(['web', 'Pending']) }] },
    })
    await one.setRunning('web')
    expect(await nextOf(events)).toMatchObject({
      type: 'MODIFIED',
      object: {
        kind: 'Table',
        rows: [{ cells: expect.arrayContaining(['web', '1/1', 'Running']) }],
      },
    })
    await events.return(undefined)
  })
})

describe('create and apply', () => {
  it('post strictly, and unknown fields are refused', async () => {
    const { namespace } = await newNamespace()
    const path = `/api/v1/namespaces/${namespace}/pods?fieldManager=kubectl-create&fieldValidation=Strict`
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace },
      spec: { containers: [{ name: 'c', image: 'x' }] },
    }
    const [bad, status] = await answer('POST', path, {
      body: { ...pod, spec: { ...pod.spec, nme: 1 } },
    })
    expect([bad, status]).toMatchObject([
      400,
      {
        reason: 'BadRequest',
        message:
          'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.nme"',
      },
    ])
    expect(await answer('POST', path, { body: pod })).toMatchObject([
      201,
      { kind: 'Pod', metadata: { name: 'web', uid: expect.any(String) } },
    ])
  })

  it('an unknown field is dropped with or without a warning', async () => {
    const one = await newNamespace()
    const path = `/api/v1/namespaces/${one.namespace}/pods`
    const container = { name: 'c', image: 'x', command: ['sleep', '1'], imag: 'y' }
    const spec = { containers: [container], nme: 1, nodeName: null }
    const create = async (name: string, query: string): Promise<unknown> => {
      const body = { metadata: { name }, spec }
      const response = await call('POST', `${path}${query}`, { body })
      await response.body.dump()
      return [response.statusCode, response.headers['warning']]
    }
    const warning =
      '299 - "unknown field \\"spec.containers[0].imag\\"", 299 - "unknown field \\"spec.nme\\""'
    expect(await create('warned', '?fieldValidation=Warn')).toEqual([201, warning])
    expect(await create('by-default', '')).toEqual([201, warning])
    expect(await create('ignored', '?fieldValidation=Ignore')).toEqual([201, undefined])
    const pod = await sandbox.find(one.pathOf('ignored'))
    expect(pod).not.toHaveProperty('spec.nme')
    expect(pod).not.toHaveProperty('spec.containers[0].imag')
    expect(pod).not.toHaveProperty('spec.nodeName')
  })

  it('a strict patch is refused because of its result', async () => {
    const one = await newNamespace()
    await one.createPod('web')
    const type = 'application/merge-patch+json'
    const sent = { type, body: { spec: { nme: 1 } } }
    expect(
      await answer('PATCH', `${one.pathOf('web')}?fieldValidation=Strict`, sent),
    ).toMatchObject([
      422,
      {
        reason: 'Invalid',
        message: expect.stringContaining('strict decoding error: unknown field "spec.nme"'),
      },
    ])
  })

  it('apply of a change patches by the merge keys', async () => {
    const one = await newNamespace()
    await one.createPod('web')
    const body = {
      metadata: { labels: { app: 'other' } },
      spec: {
        '$setElementOrder/containers': [{ name: 'c' }],
        containers: [{ name: 'c', image: 'registry.example/app:2' }],
      },
    }
    const [status, pod] = await answer(
      'PATCH',
      `${one.pathOf('web')}?fieldManager=kubectl-client-side-apply&fieldValidation=Strict`,
      { type: 'application/strategic-merge-patch+json', body },
    )
    expect([status, pod]).toMatchObject([
      200,
      {
        metadata: { labels: { app: 'other' } },
        spec: { containers: [{ name: 'c', image: 'registry.example/app:2' }] },
      },
    ])
  })

  it('a namespace in protobuf, as kubectl 1.32 and later sends it', async () => {
    const name = `requests-${namespaces++}`
    const text = (field: number, value: string): Buffer =>
      Buffer.concat([Buffer.from([(field << 3) | 2, value.length]), Buffer.from(value)])
    const message = (field: number, content: Buffer): Buffer =>
      text(field, content.toString('latin1'))
    const meta = Buffer.concat([
      text(1, name),
      text(2, ''),
      text(3, ''),
      message(8, Buffer.alloc(0)),
    ])
    const body = Buffer.concat([
      Buffer.from('k8s\0'),
      message(1, Buffer.concat([text(1, 'v1'), text(2, 'Namespace')])),
      message(2, Buffer.concat([message(1, meta), message(2, Buffer.alloc(0))])),
    ])
    const type = 'application/vnd.kubernetes.protobuf'
    const accept = `${type},${json}`
    expect(
      await answer('POST', '/api/v1/namespaces?fieldManager=kubectl-create', {
        type,
        accept,
        body,
      }),
    ).toMatchObject([201, { kind: 'Namespace', metadata: { name }, status: { phase: 'Active' } }])
  })
})

describe('delete', () => {
  it('with its options, then waits for the end by a watch on the name', async () => {
    const one = await newNamespace()
    await one.createPod('web', { node: 'n1' })
    const body = { gracePeriodSeconds: 7, propagationPolicy: 'Background' }
    expect(await answer('DELETE', one.pathOf('web'), { body })).toMatchObject([
      200,
      { metadata: { deletionGracePeriodSeconds: 7, deletionTimestamp: expect.any(String) } },
    ])
    const list = `/api/v1/namespaces/${one.namespace}/pods?fieldSelector=metadata.name%3Dweb`
    const [, pods] = await answer('GET', `${list}&resourceVersion=0`)
    expect(pods).toMatchObject({ kind: 'PodList', items: [{ metadata: { name: 'web' } }] })
    const version = textAt(objectAt(pods as Record<string, unknown>, 'metadata'), 'resourceVersion')
    const events = watchLines(
      `${list}&allowWatchBookmarks=true&resourceVersion=${version}&timeoutSeconds=300&watch=true`,
    )
    await one.finishDeletion('web')
    const types: unknown[] = []
    for await (const event of events) {
      const { type, object } = event as { type: string; object: Record<string, unknown> }
      types.push([type, textAt(objectAt(object, 'metadata'), 'name')])
      if (type === 'DELETED') break
    }
    // Going down to no grace is a change of its own, as on a real server.
    expect(types).toEqual([
      ['MODIFIED', 'web'],
      ['DELETED', 'web'],
    ])
  })

  it('evicts as drain does', async () => {
    const one = await newNamespace()
    await one.createPod('web', { node: 'n1' })
    const body = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'web', namespace: one.namespace },
      deleteOptions: {},
    }
    expect(await answer('POST', `${one.pathOf('web')}/eviction`, { body })).toMatchObject([
      201,
      { kind: 'Status', status: 'Success' },
    ])
    expect(await answer('GET', one.pathOf('web'))).toMatchObject([
      200,
      {
        metadata: { deletionGracePeriodSeconds: 30 },
        status: { conditions: [{ type: 'DisruptionTarget', reason: 'EvictionByEvictionAPI' }] },
      },
    ])
  })
})

describe('what the sandbox does not do', () => {
  it('is a warning per field for a new pod and for a changed spec', async () => {
    const one = await newNamespace()
    const signalled = {
      name: 'c',
      image: 'x:1',
      command: ['sleep', '1'],
      lifecycle: { stopSignal: 'SIGUSR1' },
    }
    const warning =
      '299 - "spec.containers[0].lifecycle.stopSignal: not simulated: ignored; the container is stopped with SIGTERM"'
    const write = async (method: Dispatcher.HttpMethod, path: string, sent: Sent) => {
      const response = await call(method, path, sent)
      await response.body.dump()
      return [response.statusCode, response.headers['warning']]
    }
    const create = { body: { metadata: { name: 'web' }, spec: { containers: [signalled] } } }
    const pods = `/api/v1/namespaces/${one.namespace}/pods`
    expect(await write('POST', `${pods}?dryRun=All`, create)).toEqual([201, warning])
    expect(await write('POST', pods, create)).toEqual([201, warning])
    const patch = (body: object): Sent => ({ type: 'application/strategic-merge-patch+json', body })
    const labels = patch({ metadata: { labels: { a: 'b' } } })
    expect(await write('PATCH', one.pathOf('web'), labels)).toEqual([200, undefined])
    const image = patch({ spec: { containers: [{ name: 'c', image: 'x:2' }] } })
    expect(await write('PATCH', one.pathOf('web'), image)).toEqual([200, warning])
    const status = patch({ status: { phase: 'Running' } })
    expect(await write('PATCH', `${one.pathOf('web')}/status`, status)).toEqual([200, undefined])
    const replacement = { body: await sandbox.find(one.pathOf('web')) }
    expect(await write('PUT', one.pathOf('web'), replacement)).toEqual([200, undefined])
  })

  it('answers create of a missing kind with 405, its lookup with 404, and gives the reason', async () => {
    const one = await newNamespace()
    const path = `/apis/networking.k8s.io/v1/namespaces/${one.namespace}/ingresses`
    const why = 'the Nodescope sandbox does not have kind Ingress yet'
    const body = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'web' } }
    expect(await answer('GET', `${path}/web`)).toMatchObject([
      404,
      { reason: 'NotFound', message: `ingresses.networking.k8s.io "web" not found: ${why}` },
    ])
    expect(await answer('POST', path, { body })).toMatchObject([
      405,
      { reason: 'MethodNotAllowed', message: why },
    ])
    expect(await answer('GET', path, { accept: tableAccept })).toMatchObject([
      405,
      { message: why },
    ])
  })
})

it('label sends a merge patch', async () => {
  const one = await newNamespace()
  await one.createPod('web', { labels: { app: 'web' } })
  const type = 'application/merge-patch+json'
  const path = `${one.pathOf('web')}?fieldManager=kubectl-label`
  const body = { metadata: { labels: { app: null, tier: 'front' } } }
  expect(await answer('PATCH', path, { type, body })).toMatchObject([
    200,
    { metadata: { labels: { tier: 'front' } } },
  ])
})

it('describe asks for the events of one object', async () => {
  const one = await newNamespace()
  const pod = await one.createPod('web')
  await one.createPod('other')
  await one.recordEvent(pod, 'Started', 'Started container c')
  const uid = textAt(objectAt(pod, 'metadata'), 'uid')
  const selector = `involvedObject.name=web,involvedObject.namespace=${one.namespace},involvedObject.uid=${uid}`
  const path = `/api/v1/namespaces/${one.namespace}/events?limit=500&fieldSelector=`
  expect(await answer('GET', path + encodeURIComponent(selector))).toMatchObject([
    200,
    { kind: 'EventList', items: [{ reason: 'Started' }] },
  ])
  expect(await answer('GET', path + encodeURIComponent('involvedObject.name=other'))).toMatchObject(
    [200, { items: [] }],
  )
})

it('while the clock stands everything is answered, and watches go on', async () => {
  const one = await newNamespace()
  sandbox.clock.pause()
  try {
    const before = sandbox.clock.now()
    const events = watchLines(`/api/v1/namespaces/${one.namespace}/pods?watch=true`)
    const first = nextOf(events)
    const pod = await one.createPod('web')
    expect(await first).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'web' } } })
    await events.return(undefined)
    const created = textAt(objectAt(pod, 'metadata'), 'creationTimestamp')
    expect(Date.parse(created)).toBe(Math.trunc(before / 1000) * 1000)
    expect(sandbox.clock.now()).toBe(before)
  } finally {
    sandbox.clock.run()
  }
})

it('a request carries the virtual time of its arrival', async () => {
  const one = await newNamespace()
  const path = `/api/v1/namespaces/${one.namespace}/pods`
  sandbox.clock.setSpeed(1000)
  const before = sandbox.clock.now()
  try {
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
    const spec = { containers: [{ name: 'c', image: 'x' }] }
    const [, pod] = await answer('POST', path, { body: { metadata: { name: 'web' }, spec } })
    const metadata = objectAt(pod as Record<string, unknown>, 'metadata')
    // At least the 50 s that have gone by at a thousand times the speed, with no timer to move the clock.
    expect(Date.parse(textAt(metadata, 'creationTimestamp')) - before).toBeGreaterThan(45_000)
  } finally {
    sandbox.clock.setSpeed(1)
  }
})

it('without the token there is nothing, not even the version', async () => {
  const response = await send(`${sandbox.url}/version`, { dispatcher: agent })
  expect([response.statusCode, await response.body.json()]).toMatchObject([
    401,
    { kind: 'Status', reason: 'Unauthorized' },
  ])
})

it('left nothing in the log of the server', () => {
  expect(sandbox.logged).toEqual([])
})
