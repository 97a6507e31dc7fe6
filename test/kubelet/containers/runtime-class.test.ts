import { afterEach, beforeEach, expect, it } from 'vitest'
import { isJsonObject, objectsAt, textAt } from '../../../src/shared/json.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'

let sandbox: MemorySandbox

beforeEach(() => {
  sandbox = new MemorySandbox({
    seed: 1,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames: ['n1'],
    log: new FakeLog(),
  })
  sandbox.start()
})

afterEach(() => {
  sandbox.stop()
})

function podOf(name: string, runtimeClassName: string): Pod {
  const containers = [{ name: 'c', image: 'busybox:1.36', command: ['sleep', '100000'] }]
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid: '', namespace: 'default' },
    spec: { nodeName: 'n1', runtimeClassName, tolerations: [{ operator: 'Exists' }], containers },
  }
}

async function createClass(name: string, handler: string): Promise<void> {
  const metadata = { name, uid: '' }
  await sandbox.request('POST', '/apis/node.k8s.io/v1/runtimeclasses', {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata,
    handler,
  })
}

async function failures(name: string): Promise<readonly string[]> {
  const answer = await sandbox.request('GET', '/api/v1/namespaces/default/events')
  if (answer.kind !== 'object' || !isJsonObject(answer.body)) throw new Error('no list')
  return objectsAt(answer.body, 'items')
    .filter((event) => textAt(event, 'reason') === 'FailedCreatePodSandBox')
    .filter((event) => textAt({ ...Object(event['involvedObject']) }, 'name') === name)
    .map((event) => textAt(event, 'message'))
}

it('containers#runtime-sync: the handler of the pod’s RuntimeClass reaches the runtime', async () => {
  await createClass('gvisor', 'runsc')
  await sandbox.createPod(podOf('p', 'gvisor'))
  await sandbox.clock.advance(30_000)
  const listed = await sandbox.node().runtime.listPodSandboxes()
  const id = listed.ok ? listed.value[0]?.id : undefined
  const status = id === undefined ? undefined : await sandbox.node().runtime.podSandboxStatus(id)
  expect(status).toMatchObject({ value: { state: 'ready', runtimeHandler: 'runsc' } })
})

it('containers#runtime-sync: a handler that the runtime does not have is an error that is tried again', async () => {
  await createClass('vm', 'kata')
  await sandbox.createPod(podOf('p', 'vm'))
  await sandbox.clock.advance(30_000)
  const [first] = await failures('p')
  expect(first).toBe(
    'Failed to create pod sandbox: failed to get sandbox runtime: no runtime for "kata" is configured',
  )
})

it('containers#runtime-sync: a pod of a missing RuntimeClass has no sandbox until the class is there', async () => {
  sandbox.putManifests([podOf('p', 'gvisor')])
  await sandbox.clock.advance(30_000)
  expect(new Set(await failures('p-n1'))).toEqual(
    new Set(['Failed to create pod sandbox: runtimeclass.node.k8s.io "gvisor" not found']),
  )
  await createClass('gvisor', 'runsc')
  await sandbox.clock.advance(60_000)
  const listed = await sandbox.node().runtime.listPodSandboxes({ state: 'ready' })
  expect(listed).toMatchObject({ value: [{ state: 'ready' }] })
})
