import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PodCondition } from '../../shared/kubernetes/objects.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import type { ApiClient } from '../kubelet/ports.ts'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import type { Exhibit } from './exhibit.ts'
import { exhibits } from './exhibits.ts'
import { playExhibit } from './play-exhibit.ts'
import type { PlayedExhibit } from './play-exhibit.ts'
import { obedient, podText } from './pod-texts.ts'
import { alone, other } from './scenes.ts'
import type { Stage } from './stage.ts'

const web = `web-${alone}`
const minute = 60_000

let folder: string
let played: PlayedExhibit | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-museum-'))
})

afterEach(async () => {
  await played?.cluster.stop()
  played = undefined
  await rm(folder, { recursive: true, force: true })
})

function rowOf(stage: Stage, name: string, holds: (row: PodRow) => boolean): PodRow {
  const [row, ...others] = stage.rows(name).filter(holds)
  if (row === undefined || others.length > 0) throw new Error(`no such row ${name}`)
  return row
}

async function apiStatus(stage: Stage, name: string) {
  const status = (await stage.pod(name))?.status
  return {
    phase: status?.phase,
    reason: status?.reason,
    ready: conditionOf(status?.conditions, 'Ready')?.status,
  }
}

function conditionOf(
  conditions: readonly PodCondition[] | undefined,
  type: string,
): PodCondition | undefined {
  return conditions?.find((condition) => condition.type === type)
}

function startedAt(stage: Stage, row: PodRow): number {
  return Date.parse(stage.container(row).startedAt ?? '')
}

async function createdAt(stage: Stage, name: string): Promise<number> {
  return Date.parse((await stage.pod(name))?.metadata.creationTimestamp ?? '')
}

function admin(): ApiClient {
  if (played === undefined) throw new Error('nothing is open')
  return played.cluster.admin
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

/** Lets time run and fails where it does not hold all the while. */
async function staysSo(
  words: string,
  holds: () => boolean | Promise<boolean>,
  forMs: number,
): Promise<void> {
  const clock = played?.cluster.virtualClock
  const end = (clock?.now() ?? 0) + forMs
  while (clock !== undefined && (clock.nextDue ?? end) < end) {
    await clock.step()
    if (!(await holds())) throw new Error(`it did not stay so: ${words}`)
  }
}

/** What is so at the moment, and where it comes to from there. The row is the one that the exhibit points at. */
type Tour = (stage: Stage, row: PodRow) => Promise<void>

const tours: Readonly<Record<string, Tour>> = {
  'mirror-comes-back': async (stage, row) => {
    const { containerId } = stage.container(row)
    expect(await apiStatus(stage, web)).toEqual({ phase: 'Pending' })
    expect((await createdAt(stage, web)) - startedAt(stage, row)).toBeGreaterThanOrEqual(minute)
    await stage.until('it reads Running', () => stage.has(web, { status: 'Running' }), 11_000)
    expect(stage.row(web)).toMatchObject({ uid: row.uid, mirror: 'matched', restarts: 0 })
    expect(stage.container(stage.row(web)).containerId).toBe(containerId)
  },

  'mirror-gone-for-a-minute': async (stage, row) => {
    const { containerId } = stage.container(row)
    expect(await stage.pod(web)).toBeUndefined()
    expect(row).toMatchObject({ readyContainers: 1, mirror: 'missing' })
    await staysSo('no mirror', () => stage.has(web, { mirror: 'missing' }), 40_000)
    await stage.until('the mirror is back', () => stage.has(web, { mirror: 'matched' }), 50_000)
    await stage.until('it reads Running', () => stage.has(web, { status: 'Running' }), 11_000)
    expect(stage.container(stage.row(web)).containerId).toBe(containerId)
  },

  'mirror-says-running': async (stage, row) => {
    const old = rowOf(stage, web, ({ uid }) => uid !== row.uid)
    expect([old.worker, row.worker, row.mirror]).toEqual(['finished', 'waiting', 'stale'])
    expect(await apiStatus(stage, web)).toEqual({ phase: 'Running', ready: 'True' })
    await stage.until(
      'the new one runs',
      () => stage.has(web, { uid: row.uid, status: 'Running', mirror: 'matched' }),
      25_000,
    )
    const mirror = await stage.pod(web)
    expect(mirror?.metadata.annotations?.['kubernetes.io/config.hash']).toBe(row.uid)
  },

  'mirror-shows-old-spec': async (stage, row) => {
    const images = async () => {
      const pod = await stage.pod(web)
      return [pod?.spec.containers[0]?.image, pod?.status?.containerStatuses?.[0]?.image]
    }
    expect(stage.container(row).image).toContain('busybox:1.37')
    expect(await images()).toEqual(['busybox:1.36', expect.stringContaining('busybox:1.37')])
    await stage.advance(2 * minute)
    expect((await images())[0]).toBe('busybox:1.36')
    await stage.delete(web)
    await stage.until('the mirror has the new spec', async () => {
      const [spec, status] = await images()
      return spec === 'busybox:1.37' && status !== undefined
    })
    expect(stage.row(web)).toMatchObject({ uid: row.uid, restarts: row.restarts })
  },

  'no-namespace-no-mirror': async (stage, row) => {
    const { containerId } = stage.container(row)
    expect(row).toMatchObject({ readyContainers: 1, mirror: 'missing' })
    expect(row.mirrorReason).toContain('namespaces "monitoring" not found')
    await createNamespace('monitoring')
    await stage.until(
      'the mirror is there',
      () => stage.has(row.name, { mirror: 'matched', status: 'Running' }),
      101_000,
    )
    expect(
      await admin().get({ resource: 'pods', namespace: 'monitoring', name: row.name }),
    ).toMatchObject({ ok: true, value: { status: { phase: 'Running' } } })
    expect(stage.container(stage.row(row.name)).containerId).toBe(containerId)
  },

  'mirror-without-a-pod': async (stage, row) => {
    expect(row).toMatchObject({ kind: 'mirror', worker: 'none' })
    expect(await apiStatus(stage, web)).toEqual({ phase: 'Running', ready: 'True' })
    await staysSo('it stays', async () => (await stage.pod(web)) !== undefined, minute)
    stage.reconnect()
    await stage.until(
      'it is gone',
      async () => (await stage.pod(web)) === undefined && stage.rows().length === 0,
    )
  },

  'mirror-of-a-finished-pod': async (stage, row) => {
    expect(row).toMatchObject({ worker: 'finished', mirror: 'missing', status: 'Completed' })
    await staysSo('no mirror', () => stage.has(row.name, { mirror: 'missing' }), 3 * minute)
    stage.nodeAct('restartAgent')
    await stage.until('there is one', () =>
      stage.has(row.name, { mirror: 'matched', worker: 'finished', status: 'Completed' }),
    )
    expect(stage.container(stage.row(row.name)).restarts).toBe(0)
  },

  'backup-wins': async (stage, row) => {
    const copy = rowOf(stage, web, ({ uid }) => uid !== row.uid)
    expect(row.worker).toBe('waiting')
    expect(stage.worker(copy).terminationRequested).toBe(true)
    await stage.until(
      'the edit is gone',
      () => stage.rows(web).every(({ uid }) => uid === copy.uid),
      35_000,
    )
    await stage.until('the copy runs again', () =>
      stage.has(web, { uid: copy.uid, worker: 'SyncPod', status: 'Running', mirror: 'matched' }),
    )
    await staysSo(
      'the backup wins for good',
      () => stage.has(web, { uid: copy.uid, worker: 'SyncPod' }),
      2 * minute,
    )
    expect(stage.container(stage.row(web)).image).toContain('busybox:1.36')
    await stage.removeManifest('web.yaml.bak')
    await stage.until('without the backup the edit counts', () =>
      stage.has(web, { uid: row.uid, worker: 'SyncPod', status: 'Running', mirror: 'matched' }),
    )
    expect(stage.container(stage.row(web)).image).toContain('busybox:1.37')
  },

  'replacement-waits': async (stage, row) => {
    const old = rowOf(stage, web, ({ uid }) => uid !== row.uid)
    expect([old.worker, row.worker]).toEqual(['TerminatingPod', 'waiting'])
    expect(stage.worker(row).blockedByUid).toBe(old.uid)
    expect(old.grace).toMatchObject({ seconds: 30 })
    const killAt = old.grace?.killAt ?? 0
    await stage.until('the old one has stopped', () => stage.worker(old).terminatedAt !== null)
    expect(stage.now()).toBeGreaterThanOrEqual(killAt)
    await stage.until(
      'the new one runs',
      () => stage.has(web, { uid: row.uid, status: 'Running', mirror: 'matched' }),
      20_000,
    )
    expect(startedAt(stage, stage.row(web))).toBeGreaterThanOrEqual(Math.floor(killAt / 1000))
  },

  'fixed-uid-reused': async (stage, row) => {
    const { containerId } = stage.container(row)
    const { killAt } = row.grace ?? { killAt: 0 }
    expect(stage.worker(row)).toMatchObject({ restartRequested: true, terminatedAt: null })
    await stage.until('it runs again', () =>
      stage.has(web, { uid: row.uid, worker: 'SyncPod', readyContainers: 1 }),
    )
    await stage.until(
      'it has another container',
      () => stage.container(stage.row(web)).containerId !== containerId,
    )
    expect(startedAt(stage, stage.row(web))).toBeGreaterThanOrEqual(killAt - 1000)
    expect(stage.row(web).mirrorUid).toBe(row.mirrorUid)
  },

  'bad-edit-stops-later': async (stage, row) => {
    const { containerId } = stage.container(row)
    expect(row).toMatchObject({ worker: 'SyncPod', status: 'Running', mirror: 'matched' })
    await stage.until('it is told to stop', () => stage.worker(row).terminationRequested, 20_000)
    await stage.until(
      'pod and mirror are gone',
      async () => stage.rows().length === 0 && (await stage.pod(web)) === undefined,
    )
    expect(await eventsOf(row.uid)).toContain('Killing')
    await stage.putManifest('web.yaml', podText({ name: 'web', script: obedient }))
    await stage.until('the mended manifest runs', () =>
      stage.has(web, { uid: row.uid, status: 'Running', mirror: 'matched' }),
    )
    expect(stage.container(stage.row(web)).containerId).not.toBe(containerId)
  },

  'killed-stays-down': async (stage, row) => {
    expect(row).toMatchObject({ worker: 'finished', status: 'Completed' })
    expect((await apiStatus(stage, web)).phase).toBe('Running')
    await staysSo('it stays down', () => stage.has(web, { worker: 'finished' }), 3 * minute)
    stage.nodeAct('restartAgent')
    await stage.until('it runs again', () =>
      stage.has(web, { uid: row.uid, worker: 'SyncPod', readyContainers: 1 }),
    )
  },

  'removed-while-server-is-away': async (stage, row) => {
    const { containerId } = stage.container(row)
    expect(row.worker).toBe('SyncPod')
    expect(stage.worker(row).terminationRequested).toBe(false)
    expect(played?.cluster.session.view().nodes[0]?.sources).toMatchObject([
      { source: 'file', ready: true, pods: 0 },
      { source: 'api', ready: false },
    ])
    await staysSo(
      'it runs on',
      () => stage.container(row).containerId === containerId && stage.row(web).worker === 'SyncPod',
      2 * minute,
    )
    stage.reconnect()
    await stage.until(
      'pod and mirror are gone',
      async () => stage.rows().length === 0 && (await stage.pod(web)) === undefined,
    )
    expect(await eventsOf(row.uid)).toContain('Killing')
  },

  'two-versions-at-once': async (stage, row) => {
    expect(row).toMatchObject({ worker: 'SyncPod', mirror: 'missing' })
    const old = (await stage.pod(web))?.metadata.annotations?.['kubernetes.io/config.hash'] ?? ''
    expect(old).not.toBe(row.uid)
    expect(await eventsOf(old)).not.toContain('Killing')
    stage.reconnect()
    await stage.until('the old one is stopped', async () =>
      (await eventsOf(old)).includes('Killing'),
    )
    await stage.until('the mirror is that of the new one', () =>
      stage.has(web, { uid: row.uid, status: 'Running', mirror: 'matched', restarts: 0 }),
    )
  },

  'force-deleted-but-running': async (stage, row) => {
    const first = rowOf(stage, 'db', ({ node }) => node === alone)
    expect([first.readyContainers, row.node, row.status]).toEqual([1, other, 'Running'])
    expect((await stage.pod('db'))?.metadata.uid).toBe(row.uid)
    expect(await eventsOf(first.uid)).not.toContain('Killing')
    stage.nodeAct('startAgent', alone)
    await stage.until('the first one is stopped', async () =>
      (await eventsOf(first.uid)).includes('Killing'),
    )
    await stage.until('one is left', () => stage.has('db', { uid: row.uid, node: other }))
    expect(await eventsOf(row.uid)).not.toContain('Killing')
    expect((await apiStatus(stage, 'db')).phase).toBe('Running')
  },

  'terminating-without-a-kubelet': async (stage) => {
    const { metadata } = (await stage.pod('job')) ?? {}
    expect(Date.parse(metadata?.deletionTimestamp ?? '')).toBeLessThan(stage.now() - 4 * minute)
    expect((await apiStatus(stage, 'job')).phase).toBe('Running')
    stage.nodeAct('startAgent')
    await stage.until(
      'it is gone',
      async () => (await stage.pod('job')) === undefined && stage.rows().length === 0,
    )
  },

  'evicted-reads-completed': async (stage, row) => {
    const ends = async () => {
      const [calm, loud] = [await stage.pod('calm'), await stage.pod('loud')]
      return [calm?.status, loud?.status].map((status) => [
        status?.phase,
        status?.reason,
        conditionOf(status?.conditions, 'DisruptionTarget')?.reason,
      ])
    }
    expect([row.status, stage.row('loud').status]).toEqual(['Completed', 'Error'])
    await stage.advance(3 * minute)
    expect(await ends()).toEqual([
      ['Succeeded', undefined, 'TerminationByKubelet'],
      ['Failed', 'Evicted', 'TerminationByKubelet'],
    ])
    expect(await eventsOf(row.uid)).toContain('Evicted')
  },

  'budget-is-not-asked': async (stage, row) => {
    expect(row).toMatchObject({ worker: 'TerminatingPod', readyContainers: 1 })
    expect(stage.detail(row).facts.budget).toMatchObject({ kind: 'refuses', code: 429 })
    expect((await stage.pod('api'))?.metadata.deletionTimestamp).toBeUndefined()
    expect(await eventsOf(row.uid)).toContain('Evicted')
    await stage.until(
      'it has ended',
      async () => (await apiStatus(stage, 'api')).phase === 'Failed',
      15_000,
    )
    expect(await apiStatus(stage, 'api')).toEqual({
      phase: 'Failed',
      reason: 'Evicted',
      ready: 'False',
    })
    await stage.advance(minute)
    expect((await stage.pod('api'))?.metadata.uid).toBe(row.uid)
  },

  'finalizer-keeps-it': async (stage, row) => {
    expect(row.worker).toBe('finished')
    const pod = await stage.pod('guarded')
    expect(pod?.metadata.deletionTimestamp).toBeDefined()
    expect(pod?.status?.phase).toBe('Succeeded')
    await staysSo('it stays', async () => (await stage.pod('guarded')) !== undefined, minute)
    await stage.patch('pods', 'guarded', { metadata: { finalizers: null } })
    expect(await stage.pod('guarded')).toBeUndefined()
    await stage.until('no row is left', () => stage.rows().length === 0)
  },

  'rejected-stays-failed': async (stage, row) => {
    expect(row).toMatchObject({ status: 'OutOfcpu', worker: 'none' })
    expect(stage.rows()).toHaveLength(1)
    await staysSo('Failed', () => stage.has('late', { status: 'OutOfcpu' }), 3 * minute)
    await stage.delete('late')
    await stage.until('it is gone', async () => (await stage.pod('late')) === undefined)
    await stage.create(podText({ name: 'late', node: alone, cpu: '2', script: obedient }))
    await stage.until('it runs', () => stage.has('late', { status: 'Running' }))
  },

  'name-still-taken': async (stage, row) => {
    const again = await stage.tryCreate(podText({ name: 'cache', script: obedient }))
    expect(again).toMatchObject({ ok: false, error: { kind: 'already-exists', code: 409 } })
    expect(row).toMatchObject({ status: 'Terminating', worker: 'TerminatingPod' })
    await stage.until('it is gone', async () => (await stage.pod('cache')) === undefined, 40_000)
    await stage.create(podText({ name: 'cache', script: obedient }))
    await stage.until('another runs', () =>
      stage.rows('cache').some(({ uid, status }) => uid !== row.uid && status === 'Running'),
    )
  },

  'shorter-grace-comes-too-late': async (stage, row) => {
    const { metadata } = (await stage.pod('slow')) ?? {}
    expect(metadata?.deletionGracePeriodSeconds).toBe(5)
    expect(Date.parse(metadata?.deletionTimestamp ?? '')).toBeLessThan(stage.now())
    expect(stage.worker(row)).toMatchObject({
      gracePeriodSeconds: 5,
      inHand: { workType: 'terminating', gracePeriodSeconds: 120 },
    })
    const begun = stage.worker(row).inHand?.startedAt ?? 0
    await stage.until('it is gone', async () => (await stage.pod('slow')) === undefined)
    expect(stage.now() - begun).toBeGreaterThanOrEqual(120_000)
  },

  'preempted-by-a-manifest': async (stage, row) => {
    const proxy = `proxy-${alone}`
    expect(row).toMatchObject({ worker: 'TerminatingPod', grace: { seconds: 30 } })
    expect(await eventsOf(row.uid)).toContain('Preempting')
    expect(stage.row(proxy)).toMatchObject({ worker: 'none' })
    const { killAt } = row.grace ?? { killAt: 0 }
    await stage.create(podText({ name: 'small', script: obedient }))
    await stage.until('the manifest and the other pod run', () =>
      [proxy, 'small'].every((name) => stage.has(name, { status: 'Running' })),
    )
    expect(startedAt(stage, stage.row('small'))).toBeGreaterThanOrEqual(killAt - 1000)
    expect(startedAt(stage, stage.row(proxy))).toBeGreaterThanOrEqual(killAt - 1000)
    await stage.advance(minute)
    expect(await apiStatus(stage, 'shop')).toMatchObject({ phase: 'Failed', reason: 'Preempting' })
  },

  'back-off-outlives-the-edit': async (stage, row) => {
    const { backOffUntil, restarts } = stage.container(row)
    expect(row.status).toBe('CrashLoopBackOff')
    expect((await stage.pod('flaky'))?.metadata.labels).toEqual({ fixed: 'yes' })
    expect(backOffUntil).toBeGreaterThan(stage.now() + 30_000)
    await stage.patch('pods', 'flaky', {
      spec: { containers: [{ name: 'main', image: 'busybox:1.37' }] },
    })
    await stage.until(
      'the new image runs',
      () => stage.has('flaky', { restarts: restarts + 1 }),
      10_000,
    )
  },

  'restart-forgets-the-back-off': async (stage, row) => {
    expect(row.status).toBe('Running')
    expect(row.restarts).toBeGreaterThanOrEqual(5)
    await stage.until('it waits again', () => stage.has('flaky', { status: 'CrashLoopBackOff' }))
    const { backOffUntil, lastTermination } = stage.container(stage.row('flaky'))
    const endedAt = Date.parse(lastTermination?.finishedAt ?? '')
    expect(Math.round(((backOffUntil ?? 0) - endedAt) / 1000)).toBe(10)
  },

  'never-after-a-power-loss': async (stage, row) => {
    const uids = [row.uid, stage.row('always').uid]
    await stage.advance(2 * minute)
    expect((await apiStatus(stage, 'never')).phase).toBe('Failed')
    expect((await apiStatus(stage, 'always')).phase).toBe('Running')
    expect(stage.container(stage.row('never'))).toMatchObject({ exitCode: 255, restarts: 0 })
    expect(stage.container(stage.row('always'))).toMatchObject({ lastExitCode: 255, restarts: 1 })
    expect([stage.row('never').uid, stage.row('always').uid]).toEqual(uids)
  },

  'shutdown-ends-pods': async (stage, row) => {
    expect(stage.container(row)).toMatchObject({ state: 'terminated', exitCode: 1, restarts: 0 })
    await stage.advance(3 * minute)
    expect(await apiStatus(stage, 'ledger')).toMatchObject({
      phase: 'Failed',
      reason: 'Terminated',
    })
    expect(await apiStatus(stage, web)).toEqual({ phase: 'Running', ready: 'True' })
  },

  'restart-admits-anew': async (stage, row) => {
    expect(await eventsOf(row.uid)).toContain('NodeAffinity')
    expect(stage.container(row)).toMatchObject({ state: 'terminated', exitCode: 137 })
    await stage.patch('nodes', alone, { metadata: { labels: { disk: 'fast' } } })
    await stage.advance(2 * minute)
    expect(await apiStatus(stage, 'index')).toMatchObject({
      phase: 'Failed',
      reason: 'NodeAffinity',
    })
  },
}

describe('the museum', () => {
  it('has a tour of each exhibit, and names each once', () => {
    expect(Object.keys(tours).toSorted()).toEqual(exhibits.map(({ id }) => id).toSorted())
  })

  for (const exhibit of exhibits) it(`the museum: ${exhibit.title}`, () => show(exhibit))
})

async function show(exhibit: Exhibit): Promise<void> {
  const log = new FakeLog()
  const opened = await playExhibit(exhibit, { folder, version: '0.0.0', log })
  if (!opened.ok) throw new Error(opened.error)
  played = opened.value
  const { stage, cluster } = played
  const { exhibit: shown, clock } = cluster.session.view()
  expect(clock.paused).toBe(true)
  expect(shown).toMatchObject({ id: exhibit.id, moment: exhibit.moment, steps: stage.steps })
  const row = stage.rows().find(({ key }) => key === shown?.pod)
  if (row === undefined) throw new Error('the exhibit points at no pod')
  await tours[exhibit.id]?.(stage, row)
  expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
}
