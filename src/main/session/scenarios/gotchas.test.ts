import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PodCondition } from '../../../shared/kubernetes/objects.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { ApiClient } from '../../kubelet/ports.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import type { OpenSandbox } from '../cluster/open-cluster.ts'
import { FakeOperator, repositoryAssets } from './fake-operator.ts'
import { fakePodManifest as podManifest } from './fake-pod-manifest.ts'
import type { ReadScenario } from './read-scenario.ts'
import { openScenarioCluster } from './scenario-cluster.ts'
import { readShippedScenarios } from './shipped-scenarios.ts'

const nodeA = 'node-a'
const nodeB = 'node-b'
const shipped = await readShippedScenarios(repositoryAssets)
const gotchas = shipped.filter(({ scenario }) => scenario.spec.gotcha !== undefined)
const web = `web-${nodeA}`
const minute = 60_000

let folder: string
let started: OpenSandbox | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-gotchas-'))
})

afterEach(async () => {
  await started?.stop()
  started = undefined
  await rm(folder, { recursive: true, force: true })
})

function rowOf(sandbox: FakeOperator, name: string, holds: (row: PodRow) => boolean): PodRow {
  const [row, ...others] = sandbox.rows(name).filter(holds)
  if (row === undefined || others.length > 0) throw new Error(`no such row ${name}`)
  return row
}

async function apiStatus(sandbox: FakeOperator, name: string) {
  const status = (await sandbox.pod(name))?.status
  return {
    phase: status?.phase,
    reason: status?.reason,
    ready: conditionOf(status?.conditions, 'Ready')?.status,
  }
}

/** `kubectl set image`: the container restarts. */
function setImage(sandbox: FakeOperator, name: string): Promise<void> {
  const containers = [{ name: 'main', image: 'busybox:1.37' }]
  return sandbox.patch('pods', name, { spec: { containers } })
}

function conditionOf(
  conditions: readonly PodCondition[] | undefined,
  type: string,
): PodCondition | undefined {
  return conditions?.find((condition) => condition.type === type)
}

function startedAt(sandbox: FakeOperator, row: PodRow): number {
  return Date.parse(sandbox.container(row).startedAt ?? '')
}

async function createdAt(sandbox: FakeOperator, name: string): Promise<number> {
  return Date.parse((await sandbox.pod(name))?.metadata.creationTimestamp ?? '')
}

function admin(): ApiClient {
  if (started === undefined) throw new Error('no gotcha has started')
  return started.admin
}

async function createNamespace(name: string): Promise<void> {
  const object = { metadata: { name, uid: '' } }
  expect((await admin().create({ resource: 'namespaces' }, object)).ok).toBe(true)
}

/** Reasons of the events about the pod with this uid. */
async function eventsOf(uid: string): Promise<readonly string[]> {
  const answer = await admin().list({ resource: 'events' })
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.value
    .filter(({ involvedObject }) => involvedObject.uid === uid)
    .flatMap(({ reason }) => reason ?? [])
}

/** Advances the clock by `forMs`; throws if the condition stops holding meanwhile. */
async function alwaysFor(
  words: string,
  holds: () => boolean | Promise<boolean>,
  forMs: number,
): Promise<void> {
  const clock = started?.virtualClock
  const end = (clock?.now() ?? 0) + forMs
  while (clock !== undefined && (clock.nextDue ?? end) < end) {
    await clock.step()
    if (!(await holds())) throw new Error(`no longer true: ${words}`)
  }
}

/** Asserts what the script leads to, and what happens from there. `row`: the pod that the gotcha is about. */
type Check = (sandbox: FakeOperator, row: PodRow) => Promise<void>

const checks: Readonly<Record<string, Check>> = {
  'liveness-kills-a-slow-start': async (sandbox, row) => {
    expect(sandbox.container(row)).toMatchObject({
      ready: false,
      restarts: 2,
      lastTermination: { exitCode: 137 },
    })
    expect(await eventsOf(row.uid)).toEqual(expect.arrayContaining(['Unhealthy', 'Killing']))
    await sandbox.until('it is restarted again', () => sandbox.has('slow', { restarts: 3 }), minute)
    expect(sandbox.row('patient')).toMatchObject({ restarts: 0, readyContainers: 1 })
  },

  'config-map-comes-later': async (sandbox, row) => {
    expect(row).toMatchObject({ status: 'Running', restarts: 0 })
    expect(startedAt(sandbox, row) - (await createdAt(sandbox, 'web'))).toBeGreaterThan(minute)
    await admin().delete({ resource: 'configmaps', namespace: 'default', name: 'settings' }, {})
    await alwaysFor('it runs', () => sandbox.has('web', { status: 'Running' }), 3 * minute)
  },

  'pre-stop-takes-from-the-grace': async (sandbox, row) => {
    expect(sandbox.container(row)).toMatchObject({ exitCode: 137 })
    const { deletionTimestamp } = (await sandbox.pod('tidy'))?.metadata ?? {}
    const late = sandbox.now() - Date.parse(deletionTimestamp ?? '')
    expect(Math.abs(late)).toBeLessThan(3000)
    await sandbox.until('it is gone', async () => (await sandbox.pod('tidy')) === undefined, 3000)
  },

  'sub-path-keeps-the-old-file': async (sandbox, row) => {
    const line = () => sandbox.lastLine(sandbox.row('web'))
    expect(await line()).toBe('volume=green subPath=blue')
    expect(row.restarts).toBe(0)
    await alwaysFor(
      'one is old',
      async () => (await line()) === 'volume=green subPath=blue',
      3 * minute,
    )
    await setImage(sandbox, 'web')
    await sandbox.until('both are new', async () => (await line()) === 'volume=green subPath=green')
    await sandbox.until('it is the same pod', () =>
      sandbox.has('web', { uid: row.uid, restarts: 1 }),
    )
  },

  'variable-keeps-the-old-value': async (sandbox, row) => {
    const line = () => sandbox.lastLine(sandbox.row('web'))
    expect([await line(), row.restarts]).toEqual(['color=blue', 0])
    await setImage(sandbox, 'web')
    await sandbox.until('it is new', async () => (await line()) === 'color=green')
    await sandbox.until('it is the same pod', () =>
      sandbox.has('web', { uid: row.uid, restarts: 1 }),
    )
  },

  'empty-dir-ends-with-the-pod': async (sandbox, row) => {
    const line = () => sandbox.lastLine(sandbox.row('counter'))
    expect(sandbox.steps).toContain('It has been restarted twice. Its log says cache=3 own=1.')
    expect(await line()).toBe('cache=1 own=1')
    await sandbox.until('it counts on', async () => (await line()) === 'cache=2 own=1')
    await sandbox.until('it is the same pod', () =>
      sandbox.has('counter', { uid: row.uid, restarts: 1 }),
    )
  },

  'unready-is-not-restarted': async (sandbox, row) => {
    expect(row).toMatchObject({ restarts: 0, readyContainers: 0, status: 'Running' })
    expect(await apiStatus(sandbox, 'unready')).toMatchObject({ phase: 'Running', ready: 'False' })
    expect(sandbox.row('unhealthy').restarts).toBeGreaterThanOrEqual(2)
    const { restarts } = sandbox.row('unhealthy')
    await sandbox.until('unhealthy is restarted again', () =>
      sandbox.has('unhealthy', { restarts: restarts + 1 }),
    )
    expect(sandbox.container(sandbox.row('unhealthy')).lastTermination?.exitCode).toBe(137)
    expect(sandbox.row('unready')).toMatchObject({ restarts: 0, readyContainers: 0 })
  },

  'out-of-memory-ends-one-container': async (sandbox, row) => {
    const oom = { exitCode: 137, reason: 'OOMKilled' }
    expect(sandbox.container(row)).toMatchObject({ state: 'running', lastTermination: oom })
    expect(sandbox.container(sandbox.row('once'))).toMatchObject({ state: 'terminated', ...oom })
    expect((await apiStatus(sandbox, 'once')).phase).toBe('Failed')
    expect(await eventsOf(row.uid)).not.toContain('Killing')
    await sandbox.until('it ends again', () => sandbox.has('hungry', { restarts: 2 }))
    expect(sandbox.row('hungry').uid).toBe(row.uid)
    expect((await apiStatus(sandbox, 'once')).phase).toBe('Failed')
  },

  'same-tag-is-not-pulled': async (sandbox, row) => {
    const pullsOf = async ({ uid }: PodRow) =>
      (await eventsOf(uid)).filter((reason) => reason === 'Pulling').length
    expect([await pullsOf(row), await pullsOf(sandbox.row('latest'))]).toEqual([0, 1])
    expect(await eventsOf(row.uid)).toContain('Pulled')
    const policies = ['pinned', 'latest', 'never'].map(async (name) => {
      const pod = await sandbox.pod(name)
      return pod?.spec.containers[0]?.imagePullPolicy
    })
    expect(await Promise.all(policies)).toEqual(['IfNotPresent', 'Always', 'Never'])
    const waits = (): boolean => sandbox.has('never', { status: 'ErrImageNeverPull' })
    await alwaysFor('it waits', waits, minute)
    await sandbox.create(podManifest({ name: 'puller', image: 'shop/tool:2.0' }))
    await sandbox.until('it starts', () => sandbox.has('never', { status: 'Running' }), minute)
    expect(await pullsOf(sandbox.row('never'))).toBe(0)
  },

  'resize-below-the-use': async (sandbox, row) => {
    const memories = async (name: string) => {
      const pod = await sandbox.pod(name)
      const spec = pod?.spec.containers[0]?.resources?.limits?.['memory']
      const status = pod?.status?.containerStatuses?.[0]?.resources?.limits?.['memory']
      const resizing = conditionOf(pod?.status?.conditions, 'PodResizeInProgress')?.reason
      return [spec, status, resizing]
    }
    expect(await memories('restarts')).toEqual(['128Mi', '128Mi', undefined])
    await alwaysFor(
      'nothing changes',
      async () => (await memories('stays')).join(' ') === '128Mi 256Mi Error',
      3 * minute,
    )
    expect(sandbox.row('stays')).toMatchObject({ uid: row.uid, restarts: 0 })
    expect(sandbox.row('restarts').restarts).toBe(1)
  },

  'mirror-comes-back': async (sandbox, row) => {
    const { containerId } = sandbox.container(row)
    expect(await apiStatus(sandbox, web)).toEqual({ phase: 'Pending' })
    expect((await createdAt(sandbox, web)) - startedAt(sandbox, row)).toBeGreaterThanOrEqual(minute)
    await sandbox.until('it reads Running', () => sandbox.has(web, { status: 'Running' }), 11_000)
    expect(sandbox.row(web)).toMatchObject({ uid: row.uid, mirror: 'matched', restarts: 0 })
    expect(sandbox.container(sandbox.row(web)).containerId).toBe(containerId)
  },

  'mirror-gone-for-a-minute': async (sandbox, row) => {
    const { containerId } = sandbox.container(row)
    expect(await sandbox.pod(web)).toBeUndefined()
    expect(row).toMatchObject({ readyContainers: 1, mirror: 'missing' })
    await alwaysFor('no mirror', () => sandbox.has(web, { mirror: 'missing' }), 40_000)
    await sandbox.until('the mirror is back', () => sandbox.has(web, { mirror: 'matched' }), 50_000)
    await sandbox.until('it reads Running', () => sandbox.has(web, { status: 'Running' }), 11_000)
    expect(sandbox.container(sandbox.row(web)).containerId).toBe(containerId)
  },

  'mirror-says-running': async (sandbox, row) => {
    const old = rowOf(sandbox, web, ({ uid }) => uid !== row.uid)
    expect([old.worker, row.worker, row.mirror]).toEqual(['finished', 'waiting', 'stale'])
    expect(await apiStatus(sandbox, web)).toEqual({ phase: 'Running', ready: 'True' })
    await sandbox.until(
      'the new one runs',
      () => sandbox.has(web, { uid: row.uid, status: 'Running', mirror: 'matched' }),
      25_000,
    )
    const mirror = await sandbox.pod(web)
    expect(mirror?.metadata.annotations?.['kubernetes.io/config.hash']).toBe(row.uid)
  },

  'mirror-shows-old-spec': async (sandbox, row) => {
    const images = async () => {
      const pod = await sandbox.pod(web)
      return [pod?.spec.containers[0]?.image, pod?.status?.containerStatuses?.[0]?.image]
    }
    expect(sandbox.container(row).image).toContain('busybox:1.37')
    expect(await images()).toEqual(['busybox:1.36', expect.stringContaining('busybox:1.37')])
    await sandbox.advance(2 * minute)
    expect((await images())[0]).toBe('busybox:1.36')
    await sandbox.delete(web)
    await sandbox.until('the mirror has the new spec', async () => {
      const [spec, status] = await images()
      return spec === 'busybox:1.37' && status !== undefined
    })
    expect(sandbox.row(web)).toMatchObject({ uid: row.uid, restarts: row.restarts })
  },

  'no-namespace-no-mirror': async (sandbox, row) => {
    const { containerId } = sandbox.container(row)
    expect(row).toMatchObject({ readyContainers: 1, mirror: 'missing' })
    expect(row.mirrorReason).toContain('namespaces "monitoring" not found')
    await createNamespace('monitoring')
    await sandbox.until(
      'the mirror is there',
      () => sandbox.has(row.name, { mirror: 'matched', status: 'Running' }),
      101_000,
    )
    expect(
      await admin().get({ resource: 'pods', namespace: 'monitoring', name: row.name }),
    ).toMatchObject({ ok: true, value: { status: { phase: 'Running' } } })
    expect(sandbox.container(sandbox.row(row.name)).containerId).toBe(containerId)
  },

  'mirror-without-a-pod': async (sandbox, row) => {
    expect(row).toMatchObject({ kind: 'mirror', worker: 'none' })
    expect(await apiStatus(sandbox, web)).toEqual({ phase: 'Running', ready: 'True' })
    await alwaysFor('it stays', async () => (await sandbox.pod(web)) !== undefined, minute)
    sandbox.reconnect()
    await sandbox.until(
      'it is gone',
      async () => (await sandbox.pod(web)) === undefined && sandbox.rows().length === 0,
    )
  },

  'mirror-of-a-finished-pod': async (sandbox, row) => {
    expect(row).toMatchObject({ worker: 'finished', mirror: 'missing', status: 'Completed' })
    await alwaysFor('no mirror', () => sandbox.has(row.name, { mirror: 'missing' }), 3 * minute)
    sandbox.nodeAct('restartAgent')
    await sandbox.until('the new kubelet has it', () =>
      sandbox.has(row.name, { worker: 'finished', status: 'Completed' }),
    )
    await alwaysFor('no mirror', () => sandbox.has(row.name, { mirror: 'missing' }), 3 * minute)
    expect(sandbox.container(sandbox.row(row.name)).restarts).toBe(0)
    const labels = { app: 'setup' }
    const pod = { name: 'setup', labels, restartPolicy: 'Never', script: 'sleep 2' } as const
    await sandbox.putManifest('setup.yaml', podManifest(pod))
    await sandbox.until('another pod has one', () =>
      sandbox.rows(row.name).some(({ uid, mirror }) => uid !== row.uid && mirror === 'matched'),
    )
  },

  'backup-wins': async (sandbox, row) => {
    const copy = rowOf(sandbox, web, ({ uid }) => uid !== row.uid)
    expect(row.worker).toBe('waiting')
    expect(sandbox.worker(copy).terminationRequested).toBe(true)
    await sandbox.until(
      'the edit is gone',
      () => sandbox.rows(web).every(({ uid }) => uid === copy.uid),
      35_000,
    )
    await sandbox.until('the copy runs again', () =>
      sandbox.has(web, { uid: copy.uid, worker: 'SyncPod', status: 'Running', mirror: 'matched' }),
    )
    await alwaysFor(
      'the backup wins for good',
      () => sandbox.has(web, { uid: copy.uid, worker: 'SyncPod' }),
      2 * minute,
    )
    expect(sandbox.container(sandbox.row(web)).image).toContain('busybox:1.36')
    await sandbox.removeManifest('web.yaml.bak')
    await sandbox.until('without the backup the edit counts', () =>
      sandbox.has(web, { uid: row.uid, worker: 'SyncPod', status: 'Running', mirror: 'matched' }),
    )
    expect(sandbox.container(sandbox.row(web)).image).toContain('busybox:1.37')
  },

  'replacement-waits': async (sandbox, row) => {
    const old = rowOf(sandbox, web, ({ uid }) => uid !== row.uid)
    expect([old.worker, row.worker]).toEqual(['TerminatingPod', 'waiting'])
    expect(sandbox.worker(row).blockedByUid).toBe(old.uid)
    expect(old.grace).toMatchObject({ seconds: 30 })
    const killAt = old.grace?.killAt ?? 0
    await sandbox.until('the old one has stopped', () => sandbox.worker(old).terminatedAt !== null)
    expect(sandbox.now()).toBeGreaterThanOrEqual(killAt)
    await sandbox.until(
      'the new one runs',
      () => sandbox.has(web, { uid: row.uid, status: 'Running', mirror: 'matched' }),
      20_000,
    )
    expect(startedAt(sandbox, sandbox.row(web))).toBeGreaterThanOrEqual(Math.floor(killAt / 1000))
  },

  'fixed-uid-reused': async (sandbox, row) => {
    const { containerId } = sandbox.container(row)
    const { killAt } = row.grace ?? { killAt: 0 }
    expect(sandbox.worker(row)).toMatchObject({ restartRequested: true, terminatedAt: null })
    await sandbox.until('it runs again', () =>
      sandbox.has(web, { uid: row.uid, worker: 'SyncPod', readyContainers: 1 }),
    )
    await sandbox.until(
      'it has another container',
      () => sandbox.container(sandbox.row(web)).containerId !== containerId,
    )
    expect(startedAt(sandbox, sandbox.row(web))).toBeGreaterThanOrEqual(killAt - 1000)
    expect(sandbox.row(web).mirrorUid).toBe(row.mirrorUid)
  },

  'bad-edit-stops-later': async (sandbox, row) => {
    const { containerId } = sandbox.container(row)
    expect(row).toMatchObject({ worker: 'SyncPod', status: 'Running', mirror: 'matched' })
    await sandbox.until(
      'its termination is requested',
      () => sandbox.worker(row).terminationRequested,
      20_000,
    )
    await sandbox.until(
      'pod and mirror are gone',
      async () => sandbox.rows().length === 0 && (await sandbox.pod(web)) === undefined,
    )
    expect(await eventsOf(row.uid)).toContain('Killing')
    await sandbox.putManifest('web.yaml', podManifest({ name: 'web' }))
    await sandbox.until('the mended manifest runs', () =>
      sandbox.has(web, { uid: row.uid, status: 'Running', mirror: 'matched' }),
    )
    expect(sandbox.container(sandbox.row(web)).containerId).not.toBe(containerId)
  },

  'killed-stays-down': async (sandbox, row) => {
    expect(row).toMatchObject({ worker: 'finished', status: 'Completed' })
    expect((await apiStatus(sandbox, web)).phase).toBe('Running')
    await alwaysFor('it stays down', () => sandbox.has(web, { worker: 'finished' }), 3 * minute)
    sandbox.nodeAct('restartAgent')
    await sandbox.until('it runs again', () =>
      sandbox.has(web, { uid: row.uid, worker: 'SyncPod', readyContainers: 1 }),
    )
  },

  'removed-while-server-is-away': async (sandbox, row) => {
    const { containerId } = sandbox.container(row)
    expect(row.worker).toBe('SyncPod')
    expect(sandbox.worker(row).terminationRequested).toBe(false)
    expect(started?.session.view().nodes[0]?.sources).toMatchObject([
      { source: 'file', ready: true, pods: 0 },
      { source: 'api', ready: false },
    ])
    await alwaysFor(
      'it runs on',
      () =>
        sandbox.container(row).containerId === containerId && sandbox.row(web).worker === 'SyncPod',
      2 * minute,
    )
    sandbox.reconnect()
    await sandbox.until(
      'pod and mirror are gone',
      async () => sandbox.rows().length === 0 && (await sandbox.pod(web)) === undefined,
    )
    expect(await eventsOf(row.uid)).toContain('Killing')
  },

  'two-versions-at-once': async (sandbox, row) => {
    expect(row).toMatchObject({ worker: 'SyncPod', mirror: 'missing' })
    const old = (await sandbox.pod(web))?.metadata.annotations?.['kubernetes.io/config.hash'] ?? ''
    expect(old).not.toBe(row.uid)
    expect(await eventsOf(old)).not.toContain('Killing')
    sandbox.reconnect()
    await sandbox.until('the old one is stopped', async () =>
      (await eventsOf(old)).includes('Killing'),
    )
    await sandbox.until('the mirror is that of the new one', () =>
      sandbox.has(web, { uid: row.uid, status: 'Running', mirror: 'matched', restarts: 0 }),
    )
  },

  'force-deleted-but-running': async (sandbox, row) => {
    const first = rowOf(sandbox, 'db', ({ node }) => node === nodeA)
    expect([first.readyContainers, row.node, row.status]).toEqual([1, nodeB, 'Running'])
    expect((await sandbox.pod('db'))?.metadata.uid).toBe(row.uid)
    expect(await eventsOf(first.uid)).not.toContain('Killing')
    sandbox.nodeAct('startAgent', nodeA)
    await sandbox.until('the first one is stopped', async () =>
      (await eventsOf(first.uid)).includes('Killing'),
    )
    await sandbox.until('one is left', () => sandbox.has('db', { uid: row.uid, node: nodeB }))
    expect(await eventsOf(row.uid)).not.toContain('Killing')
    expect((await apiStatus(sandbox, 'db')).phase).toBe('Running')
  },

  'terminating-without-a-kubelet': async (sandbox) => {
    const { metadata } = (await sandbox.pod('job')) ?? {}
    expect(Date.parse(metadata?.deletionTimestamp ?? '')).toBeLessThan(sandbox.now() - 4 * minute)
    expect((await apiStatus(sandbox, 'job')).phase).toBe('Running')
    sandbox.nodeAct('startAgent')
    await sandbox.until(
      'it is gone',
      async () => (await sandbox.pod('job')) === undefined && sandbox.rows().length === 0,
    )
  },

  'evicted-reads-completed': async (sandbox, row) => {
    const ends = async () => {
      const [calm, loud] = [await sandbox.pod('calm'), await sandbox.pod('loud')]
      return [calm?.status, loud?.status].map((status) => [
        status?.phase,
        status?.reason,
        conditionOf(status?.conditions, 'DisruptionTarget')?.reason,
      ])
    }
    expect([row.status, sandbox.row('loud').status]).toEqual(['Completed', 'Error'])
    await sandbox.advance(3 * minute)
    expect(await ends()).toEqual([
      ['Succeeded', undefined, 'TerminationByKubelet'],
      ['Failed', 'Evicted', 'TerminationByKubelet'],
    ])
    expect(await eventsOf(row.uid)).toContain('Evicted')
  },

  'budget-is-not-asked': async (sandbox, row) => {
    expect(row).toMatchObject({ worker: 'TerminatingPod', readyContainers: 1 })
    expect(sandbox.detail(row).facts.budget).toMatchObject({ kind: 'refuses', code: 429 })
    expect((await sandbox.pod('api'))?.metadata.deletionTimestamp).toBeUndefined()
    expect(await eventsOf(row.uid)).toContain('Evicted')
    await sandbox.until(
      'it has ended',
      async () => (await apiStatus(sandbox, 'api')).phase === 'Failed',
      15_000,
    )
    expect(await apiStatus(sandbox, 'api')).toEqual({
      phase: 'Failed',
      reason: 'Evicted',
      ready: 'False',
    })
    await sandbox.advance(minute)
    expect((await sandbox.pod('api'))?.metadata.uid).toBe(row.uid)
  },

  'post-start-hook-fails': async (sandbox, row) => {
    expect(sandbox.steps.join(' ')).toContain('Its status is ContainerCreating.')
    expect(sandbox.container(row)).toMatchObject({ ready: false, lastTermination: { exitCode: 0 } })
    expect(await eventsOf(row.uid)).toEqual(
      expect.arrayContaining(['FailedPostStartHook', 'Killing', 'BackOff']),
    )
    const { restarts } = sandbox.container(row)
    await sandbox.until('it is started again', () => sandbox.has('web', { restarts: restarts + 1 }))
    expect(sandbox.row('web').readyContainers).toBe(0)
  },

  'secret-without-the-key': async (sandbox, row) => {
    expect(sandbox.container(row)).toMatchObject({
      reason: 'CreateContainerConfigError',
      message: "couldn't find key password in Secret default/login",
    })
    const files = sandbox.row('files')
    expect(await eventsOf(files.uid)).toContain('FailedMount')
    expect(files).toMatchObject({ restarts: 0 })
    await sandbox.editSecret('login', { password: 'x' })
    await sandbox.until('it runs', () => sandbox.has('variable', { status: 'Running' }), 16_000)
  },

  'pull-back-off-goes-on': async (sandbox, row) => {
    expect(row.status).toBe('ImagePullBackOff')
    const waiting = sandbox.now()
    await sandbox.until('it is pulled', () => sandbox.has('shop', { status: 'Running' }))
    // 160 s from the failure, a minute of which has passed; it is a sync that asks.
    expect(sandbox.now() - waiting).toBeGreaterThan(70_000)
    expect(sandbox.now() - waiting).toBeLessThan(125_000)
    expect(sandbox.row('shop')).toMatchObject({ restarts: 0 })
  },

  'finalizer-keeps-it': async (sandbox, row) => {
    expect(row.worker).toBe('finished')
    const pod = await sandbox.pod('guarded')
    expect(pod?.metadata.deletionTimestamp).toBeDefined()
    expect(pod?.status?.phase).toBe('Succeeded')
    await alwaysFor('it stays', async () => (await sandbox.pod('guarded')) !== undefined, minute)
    await sandbox.patch('pods', 'guarded', { metadata: { finalizers: null } })
    expect(await sandbox.pod('guarded')).toBeUndefined()
    await sandbox.until('no row is left', () => sandbox.rows().length === 0)
  },

  'rejected-stays-failed': async (sandbox, row) => {
    expect(row).toMatchObject({ status: 'OutOfcpu', worker: 'none' })
    expect(sandbox.rows()).toHaveLength(1)
    await alwaysFor('Failed', () => sandbox.has('late', { status: 'OutOfcpu' }), 3 * minute)
    await sandbox.delete('late')
    await sandbox.until('it is gone', async () => (await sandbox.pod('late')) === undefined)
    await sandbox.create(podManifest({ name: 'late', node: nodeA, cpu: '2' }))
    await sandbox.until('it runs', () => sandbox.has('late', { status: 'Running' }))
  },

  'name-still-taken': async (sandbox, row) => {
    const again = await sandbox.tryCreate(podManifest({ name: 'cache' }))
    expect(again).toMatchObject({ ok: false, error: { kind: 'already-exists', code: 409 } })
    expect(row).toMatchObject({ status: 'Terminating', worker: 'TerminatingPod' })
    await sandbox.until(
      'it is gone',
      async () => (await sandbox.pod('cache')) === undefined,
      40_000,
    )
    await sandbox.create(podManifest({ name: 'cache' }))
    await sandbox.until('another runs', () =>
      sandbox.rows('cache').some(({ uid, status }) => uid !== row.uid && status === 'Running'),
    )
  },

  'shorter-grace-comes-too-late': async (sandbox, row) => {
    const { metadata } = (await sandbox.pod('slow')) ?? {}
    expect(metadata?.deletionGracePeriodSeconds).toBe(20)
    expect(Date.parse(metadata?.deletionTimestamp ?? '')).toBeLessThan(sandbox.now())
    expect(sandbox.worker(row)).toMatchObject({
      gracePeriodSeconds: 20,
      currentSync: { workType: 'terminating', gracePeriodSeconds: 120 },
    })
    const begun = sandbox.worker(row).currentSync?.startedAt ?? 0
    await sandbox.until('it is gone', async () => (await sandbox.pod('slow')) === undefined)
    expect(sandbox.now() - begun).toBeGreaterThanOrEqual(120_000)
  },

  'preempted-by-a-manifest': async (sandbox, row) => {
    const proxy = `proxy-${nodeA}`
    expect(row).toMatchObject({ worker: 'TerminatingPod', grace: { seconds: 30 } })
    expect(await eventsOf(row.uid)).toContain('Preempting')
    expect(sandbox.row(proxy)).toMatchObject({ worker: 'none' })
    const { killAt } = row.grace ?? { killAt: 0 }
    await sandbox.create(podManifest({ name: 'small' }))
    await sandbox.until('the manifest and the other pod run', () =>
      [proxy, 'small'].every((name) => sandbox.has(name, { status: 'Running' })),
    )
    expect(startedAt(sandbox, sandbox.row('small'))).toBeGreaterThanOrEqual(killAt - 1000)
    expect(startedAt(sandbox, sandbox.row(proxy))).toBeGreaterThanOrEqual(killAt - 1000)
    await sandbox.advance(minute)
    expect(await apiStatus(sandbox, 'shop')).toMatchObject({
      phase: 'Failed',
      reason: 'Preempting',
    })
  },

  'back-off-outlives-the-edit': async (sandbox, row) => {
    const { backOffUntil, restarts } = sandbox.container(row)
    expect(row.status).toBe('CrashLoopBackOff')
    expect((await sandbox.pod('flaky'))?.metadata.labels).toEqual({ fixed: 'yes' })
    expect(backOffUntil).toBeGreaterThan(sandbox.now() + 30_000)
    await sandbox.patch('pods', 'flaky', {
      spec: { containers: [{ name: 'main', image: 'busybox:1.37' }] },
    })
    await sandbox.until(
      'the new image runs',
      () => sandbox.has('flaky', { restarts: restarts + 1 }),
      10_000,
    )
  },

  'restart-forgets-the-back-off': async (sandbox, row) => {
    expect(row.status).toBe('Running')
    expect(row.restarts).toBeGreaterThanOrEqual(5)
    await sandbox.until('it waits again', () =>
      sandbox.has('flaky', { status: 'CrashLoopBackOff' }),
    )
    const { backOffUntil, lastTermination } = sandbox.container(sandbox.row('flaky'))
    const endedAt = Date.parse(lastTermination?.finishedAt ?? '')
    expect(Math.round(((backOffUntil ?? 0) - endedAt) / 1000)).toBe(10)
  },

  'never-after-a-power-loss': async (sandbox, row) => {
    const uids = [row.uid, sandbox.row('always').uid]
    await sandbox.advance(2 * minute)
    expect((await apiStatus(sandbox, 'never')).phase).toBe('Failed')
    expect((await apiStatus(sandbox, 'always')).phase).toBe('Running')
    expect(sandbox.container(sandbox.row('never'))).toMatchObject({ exitCode: 255, restarts: 0 })
    expect(sandbox.container(sandbox.row('always'))).toMatchObject({
      lastExitCode: 255,
      restarts: 1,
    })
    expect([sandbox.row('never').uid, sandbox.row('always').uid]).toEqual(uids)
  },

  'shutdown-ends-pods': async (sandbox, row) => {
    expect(sandbox.container(row)).toMatchObject({ state: 'terminated', exitCode: 1, restarts: 0 })
    await sandbox.advance(3 * minute)
    expect(await apiStatus(sandbox, 'ledger')).toMatchObject({
      phase: 'Failed',
      reason: 'Terminated',
    })
    expect(await apiStatus(sandbox, web)).toEqual({ phase: 'Running', ready: 'True' })
  },

  'restart-admits-again': async (sandbox, row) => {
    expect(await eventsOf(row.uid)).toContain('NodeAffinity')
    expect(sandbox.container(row)).toMatchObject({ state: 'terminated', exitCode: 137 })
    await sandbox.patch('nodes', nodeA, { metadata: { labels: { disk: 'fast' } } })
    await sandbox.advance(2 * minute)
    expect(await apiStatus(sandbox, 'index')).toMatchObject({
      phase: 'Failed',
      reason: 'NodeAffinity',
    })
  },
}

describe('gotchas', () => {
  it('has a check for each gotcha, and unique names', () => {
    const names = shipped.map(({ scenario }) => scenario.metadata.name)
    expect([...new Set(names)]).toEqual(names)
    const known = gotchas.map(({ scenario }) => scenario.metadata.name)
    expect(Object.keys(checks).toSorted()).toEqual(known.toSorted())
  })

  for (const gotcha of gotchas)
    it(gotcha.scenario.metadata.title ?? '', () => startAndCheck(gotcha))
})

async function startAndCheck(gotcha: ReadScenario): Promise<void> {
  const log = new FakeLog()
  const { name } = gotcha.scenario.metadata
  const result = await openScenarioCluster(`scenario-${name}`, gotcha, {
    folder,
    version: '0.0.0',
    log,
  })
  if (!result.ok) throw new Error(result.error)
  started = result.value
  const { scenario: shown, clock } = started.session.view()
  expect(clock.paused).toBe(true)
  const { lookAt, steps = [] } = gotcha.scenario.spec
  expect(shown).toMatchObject({ name, lookAt, steps: steps.flatMap(({ say }) => say ?? []) })
  const operator = new FakeOperator(started)
  const row = operator.rows().find(({ key }) => key === shown?.pod)
  if (row === undefined) throw new Error('the gotcha names no pod')
  await checks[name]?.(operator, row)
  expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
}
