import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type { KubeObject, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { textAt } from '../../../src/shared/json.ts'
import { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'

const pods = '/api/v1/namespaces/default/pods'
const image = 'busybox:1.36'

let sandbox: MemorySandbox

beforeEach(async () => {
  sandbox = new MemorySandbox({
    seed: 1,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames: ['n1'],
    log: new FakeLog(),
    size: { cpu: '4', memory: '8Gi', 'ephemeral-storage': '50Gi' },
  })
  sandbox.start()
  await sandbox.clock.advance(1000)
})

afterEach(() => {
  sandbox.stop()
})

async function create(name: string, spec: Partial<Pod['spec']> = {}): Promise<void> {
  await sandbox.createPod({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid: '', namespace: 'default' },
    spec: {
      nodeName: 'n1',
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'c', image, command: ['sleep', '100000'] }],
      ...spec,
    },
  })
  await sandbox.clock.advance(30_000)
}

async function read(name: string): Promise<Pod> {
  const answer = await sandbox.request('GET', `${pods}/${name}`)
  if (answer.kind !== 'object') throw new Error('no object')
  // As a KubeObject it has no type of its own.
  return answer.body as unknown as Pod
}

/** As `kubectl debug` does; what the server answers, empty if it adds the container. */
async function debug(name: string, container: object, forMs = 20_000): Promise<string> {
  const answer = await sandbox.send({
    method: 'PATCH',
    path: `${pods}/${name}/ephemeralcontainers`,
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
    body: { spec: { ephemeralContainers: [{ image, ...container }] } },
  })
  await sandbox.clock.advance(forMs)
  if (answer.kind !== 'object') throw new Error('no object')
  return textAt({ ...(answer.body as KubeObject) }, 'message')
}

async function statusOf(name: string) {
  const { status } = await read(name)
  const [ephemeral] = status?.ephemeralContainerStatuses ?? []
  return { phase: status?.phase, ...ephemeral }
}

describe('containers#ephemeral-containers', () => {
  it('start in a running pod, without a restart of the others, and do not start again', async () => {
    await create('p')
    expect(await debug('p', { name: 'd', command: ['sh', '-c', 'sleep 60; exit 3'] })).toBe('')
    expect(await statusOf('p')).toMatchObject({
      phase: 'Running',
      name: 'd',
      ready: false,
      restartCount: 0,
      state: { running: {} },
    })
    await sandbox.clock.advance(600_000)
    expect(await statusOf('p')).toMatchObject({
      phase: 'Running',
      restartCount: 0,
      state: { terminated: { exitCode: 3, reason: 'Error' } },
    })
    const pod = await read('p')
    expect(pod.status?.containerStatuses?.[0]).toMatchObject({ ready: true, restartCount: 0 })
  })

  it('start before init containers are through', async () => {
    const initContainers = [{ name: 'i', image, command: ['sleep', '100000'] }]
    await create('p', { initContainers })
    await debug('p', { name: 'd', command: ['sleep', '100'] })
    expect(await statusOf('p')).toMatchObject({ phase: 'Pending', state: { running: {} } })
  })

  it('do not keep a pod from ending, and end with it', async () => {
    const containers = [{ name: 'c', image, command: ['sleep', '60'] }]
    await create('p', { containers, restartPolicy: 'Never' })
    await debug('p', {
      name: 'd',
      command: ['sh', '-c', 'trap "exit 0" TERM; while :; do sleep 1; done'],
    })
    await sandbox.clock.advance(120_000)
    expect(await statusOf('p')).toMatchObject({
      phase: 'Succeeded',
      state: { terminated: { exitCode: 0 } },
    })
  })

  it('see the processes of a target only if it runs', async () => {
    const containers = [
      { name: 'c', image, command: ['sleep', '100000'] },
      { name: 'over', image, command: ['true'] },
    ]
    await create('p', { containers, restartPolicy: 'Never' })
    await debug('p', { name: 'd', targetContainerName: 'c', command: ['sleep', '1000'] })
    expect(await statusOf('p')).toMatchObject({ state: { running: {} } })
    await create('q', { containers, restartPolicy: 'Never' })
    await debug('q', { name: 'd', targetContainerName: 'over', command: ['sleep', '1000'] })
    const { state } = await statusOf('q')
    expect(state?.waiting?.reason).toBe('CreateContainerError')
    expect(state?.waiting?.message).toMatch(
      /^failed to generate container "[0-9a-f]{64}" spec: invalid target container: container "[0-9a-f]{64}" is not running - in state CONTAINER_EXITED$/,
    )
  })

  it('are not added to a pod that has none of that target', async () => {
    await create('p')
    expect(await debug('p', { name: 'd', targetContainerName: 'e' })).toBe(
      'Pod "p" is invalid: spec.ephemeralContainers[0].targetContainerName: Not found: "e"',
    )
  })
})
