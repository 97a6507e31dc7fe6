import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAt, objectAt, objectsAt, textAt } from '../../src/shared/json.ts'
import type { JsonObject } from '../../src/shared/json.ts'
import { reportComparison, reportImpossible, reportMissing } from './comparison.ts'
import { findParts, startControlPlane, type ControlPlane } from './control-plane.ts'
import { canUnshare, cannotUnshare, type RealKubelet } from './cri/real-kubelet.ts'
import { startSimulatedMachine, type SimulatedMachine } from './cri/simulated-machine.ts'
import { administratorOf, type Administrator } from './integration/administrator.ts'

// A real kubelet that runs simulated containers: it becomes Ready on the CRI server and does its work there.

const nodeName = 'real'
const found = await findParts(['etcd', 'kube-apiserver', 'kubelet'], process.env)

const canRun = !('missing' in found) && canUnshare()
// Hooks do not run where all tests are skipped.
if ('missing' in found) reportMissing('real kubelet', found.missing)
else if (!canRun) reportImpossible('real kubelet', cannotUnshare)

const folder = mkdtempSync(join(tmpdir(), 'nodescope-kubelet-'))
let plane: ControlPlane
let administrator: Administrator
let machine: SimulatedMachine
let kubelet: RealKubelet

beforeAll(async () => {
  if (!canRun) return
  const environment = process.env
  plane = await startControlPlane({ environment, nodes: [nodeName] })
  administrator = await administratorOf(plane.adminKubeconfig)
  machine = await startSimulatedMachine({ plane, nodeName, folder, environment })
  kubelet = machine.kubelet
}, 120_000)

const verified: string[] = []

afterAll(async () => {
  if (canRun) {
    reportComparison('real kubelet', `on simulated containers: ${verified.join(', ')}`)
    await machine.stop()
    await administrator.close()
    await plane.stop()
  }
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

const pods = '/api/v1/namespaces/default/pods'

/** Asks until the answer is one that is wanted; throws with the last one, and the end of the kubelet's log. */
async function until<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  const limit = Date.now() + 45_000
  let last: unknown
  while (Date.now() < limit) {
    try {
      const answer = await ask()
      if (isWanted(answer)) return answer
      last = answer
    } catch (error) {
      last = error
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(
    `${JSON.stringify(last, undefined, 1)} ${String(last)}\n${await kubelet.lastLines()}`,
  )
}

function pod(name: string): Promise<JsonObject> {
  return administrator.ask('GET', `${pods}/${name}`)
}

function conditionOf(object: JsonObject, type: string): string | undefined {
  const conditions = objectsAt(objectAt(object, 'status'), 'conditions')
  return textAt(conditions.find((condition) => condition['type'] === type) ?? {}, 'status')
}

function containerOf(object: JsonObject): JsonObject {
  const [status] = objectsAt(objectAt(object, 'status'), 'containerStatuses')
  return status ?? {}
}

const isReady = (object: JsonObject): boolean => conditionOf(object, 'Ready') === 'True'

function specOf(script: string, more: object = {}): object {
  return {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 3,
    containers: [{ name: 'c', image: 'busybox:1.36', command: ['sh', '-c', script], ...more }],
  }
}

async function createPod(name: string, spec: object): Promise<void> {
  await administrator.ask('POST', pods, { metadata: { name }, spec: { nodeName, ...spec } })
}

function logOf(podName: string): string {
  const ofPod = readdirSync(kubelet.podLogs).find((name) => name.includes(`_${podName}_`)) ?? ''
  return readFileSync(join(kubelet.podLogs, ofPod, 'c', '0.log'), 'utf8')
}

describe.skipIf(!canRun)('a real kubelet on the CRI server', () => {
  it('becomes Ready', async () => {
    const node = await until(() => administrator.ask('GET', `/api/v1/nodes/${nodeName}`), isReady)
    const info = objectAt(objectAt(node, 'status'), 'nodeInfo')
    expect(info).toMatchObject({
      containerRuntimeVersion: 'simulated://0.1.0',
      kubeletVersion: 'v1.34.4',
    })
    verified.push('Ready')
  })

  it('runs a static pod, and creates its mirror', async () => {
    await kubelet.putManifest('web', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'default' },
      spec: specOf('echo static; sleep 100000'),
    })
    const mirror = await until(() => pod(`web-${nodeName}`), isReady)
    expect(objectAt(mirror, 'metadata')['annotations']).toMatchObject({
      'kubernetes.io/config.source': 'file',
      'kubernetes.io/config.mirror': expect.any(String),
    })
    expect(containerOf(mirror)).toMatchObject({
      ready: true,
      restartCount: 0,
      image: 'docker.io/library/busybox:1.36',
      containerID: expect.stringMatching(/^simulated:\/\/[0-9a-f]{64}$/),
    })
    expect(textAt(objectAt(mirror, 'status'), 'podIP')).toMatch(/^127\.\d+\.0\.\d+$/)
    expect(logOf(`web-${nodeName}`)).toMatch(/^\S+Z stdout F static\n$/)
    verified.push('a static pod and its mirror')
  })

  it('serves its containers: logs, commands, statistics', async () => {
    const { certificatePem: cert, keyPem: key } = plane.admin
    // Its own certificate, which it has signed itself.
    const dispatcher = new Agent({ connect: { cert, key, rejectUnauthorized: false } })
    const get = async (path: string, method: 'GET' | 'POST' = 'GET'): Promise<string> => {
      const { body } = await request(`https://127.0.0.1:${machine.port}${path}`, {
        dispatcher,
        method,
      })
      return body.text()
    }
    const name = `web-${nodeName}`
    expect(await get(`/containerLogs/default/${name}/c`)).toBe('static\n')
    expect(await get(`/run/default/${name}/c?cmd=echo%20hello`, 'POST')).toBe('hello\n')
    expect(await get('/runningpods/')).toContain(`"name":"${name}"`)
    const summary: unknown = JSON.parse(await get('/stats/summary'))
    expect(summary).toMatchObject({
      pods: [
        { podRef: { name }, containers: [{ memory: { workingSetBytes: expect.any(Number) } }] },
      ],
    })
    await dispatcher.destroy()
    verified.push('logs, commands and statistics by its own endpoints')
  })

  it('reaches what a simulated container serves with an HTTP probe', async () => {
    await createPod('served', {
      automountServiceAccountToken: false,
      containers: [
        {
          name: 'c',
          image: 'registry.k8s.io/e2e-test-images/agnhost:2.53',
          args: ['netexec', '--http-port=18080'],
          readinessProbe: { httpGet: { path: '/healthz', port: 18_080 }, periodSeconds: 1 },
        },
      ],
    })
    await until(() => pod('served'), isReady)
    await administrator.ask('DELETE', `${pods}/served`, { gracePeriodSeconds: 0 })
    verified.push('an API pod with an HTTP probe')
  })

  it('runs an API pod with an exec probe, and stops it within its grace period', async () => {
    const script =
      'echo "hello from $HOSTNAME"; trap "echo bye; exit 0" TERM; while true; do sleep 1; done'
    const readinessProbe = { exec: { command: ['sh', '-c', 'exit 0'] }, periodSeconds: 1 }
    await createPod('api', specOf(script, { readinessProbe }))
    await until(() => pod('api'), isReady)
    expect(logOf('api')).toMatch(/^\S+Z stdout F hello from api\n$/)
    const log = join(
      kubelet.podLogs,
      readdirSync(kubelet.podLogs).find((name) => name.includes('_api_')) ?? '',
      'c',
      '0.log',
    )
    await administrator.ask('DELETE', `${pods}/api`)
    await until(
      () => administrator.ask('GET', pods),
      (list) =>
        !listAt(list, 'items').some((item) => JSON.stringify(item).includes('"name":"api"')),
    )
    // The kubelet removes the log with the container, so that it may be gone by now.
    expect(() => readFileSync(log, 'utf8')).toThrow('ENOENT')
    verified.push('an API pod with an exec probe')
  })

  it('kills a container that ignores SIGTERM after its grace period', async () => {
    await createPod('deaf', { ...specOf('trap "" TERM; sleep 100000'), restartPolicy: 'Never' })
    await until(() => pod('deaf'), isReady)
    const finalizer = { metadata: { finalizers: ['example.com/look'] } }
    await administrator.api.patch(
      { resource: 'pods', namespace: 'default', name: 'deaf' },
      { type: 'merge', body: finalizer },
    )
    await administrator.ask('DELETE', `${pods}/deaf`)
    const failed = await until(
      () => pod('deaf'),
      (object) => textAt(objectAt(object, 'status'), 'phase') === 'Failed',
    )
    const terminated = objectAt(objectAt(containerOf(failed), 'state'), 'terminated')
    expect(terminated).toMatchObject({ exitCode: 137, reason: 'Error' })
    await administrator.api.patch(
      { resource: 'pods', namespace: 'default', name: 'deaf' },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    )
    verified.push('SIGKILL after the grace period')
  })

  it('restarts a container that fails', async () => {
    await createPod('crash', specOf('echo failing; exit 3'))
    const restarted = await until(
      () => pod('crash'),
      (object) => Number(containerOf(object)['restartCount']) >= 1,
    )
    const last = objectAt(objectAt(containerOf(restarted), 'lastState'), 'terminated')
    expect(last).toMatchObject({ exitCode: 3, reason: 'Error' })
    verified.push('a crash loop')
  })

  it('names an image that cannot be pulled', async () => {
    const image = 'registry.invalid/app:1'
    await createPod('away', specOf('true', { image }))
    const waiting = await until(
      () => pod('away'),
      (object) =>
        /^(ErrImagePull|ImagePullBackOff)$/.test(
          textAt(objectAt(objectAt(containerOf(object), 'state'), 'waiting'), 'reason'),
        ),
    )
    expect(JSON.stringify(containerOf(waiting))).toContain('no such host')
    verified.push('an image that cannot be pulled')
  })

  it('finds its containers again after its restart', async () => {
    const before = containerOf(await pod(`web-${nodeName}`))
    await kubelet.stop()
    await kubelet.start()
    await createPod('late', specOf('sleep 100000'))
    await until(() => pod('late'), isReady)
    const after = containerOf(await until(() => pod(`web-${nodeName}`), isReady))
    expect([after['containerID'], after['restartCount']]).toEqual([before['containerID'], 0])
    verified.push('its restart')
  })
})
