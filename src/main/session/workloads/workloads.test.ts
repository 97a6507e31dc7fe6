import { afterEach, describe, expect, it } from 'vitest'
import type { OwnerActArgs } from '../../../shared/model/workloads/owner-act.ts'
import type { OwnerView, WorkloadsView } from '../../../shared/model/workloads/workloads.ts'
import { MemorySandbox } from '../../../../test/memory-sandbox/memory-sandbox.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { TransportApiClient } from '../../cluster/client/api-client.ts'
import { OwnerCommands } from './owner-commands.ts'
import { Workloads } from './workloads.ts'

const startAt = Date.UTC(2026, 10, 24, 12)
const opened: MemorySandbox[] = []

afterEach(() => {
  for (const memory of opened.splice(0)) memory.sandbox.stop()
})

function deployment(replicas: number) {
  const labels = { app: 'web' }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 3,
          containers: [{ name: 'c', image: 'nginx:1' }],
        },
      },
    },
  }
}

/** A sandbox with a Deployment of three pods that run, and a page that looks at it. */
async function stage(readOnly = '') {
  const memory = new MemorySandbox({ seed: 7, startAt, nodeNames: ['n1'], log: new FakeLog() })
  opened.push(memory)
  const { sandbox, clock } = memory
  sandbox.start()
  await clock.advance(2000)
  const transport = sandbox.adminTransport
  const api = new TransportApiClient({ transport })
  const now = (): number => clock.now()
  const workloads = new Workloads({
    transport,
    pods: sandbox.server.pods,
    now,
    log: new FakeLog(),
  })
  const owners = new OwnerCommands({ workloads, api, now, readOnly: () => readOnly, context: '' })
  const views: WorkloadsView[] = []
  const watched = workloads.watch((view) => views.push(view))
  await api.create({ resource: 'apps/v1/deployments', namespace: 'default' }, deployment(3))
  await clock.advance(20_000)
  /** The first view that fits, in real time: the owners are watched over the system's clock. */
  const view = async (fits: (view: WorkloadsView) => boolean): Promise<WorkloadsView> => {
    for (let tries = 0; tries < 100; tries += 1) {
      const last = views.at(-1)
      if (last !== undefined && fits(last)) return last
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(`no view fits: ${JSON.stringify(views.at(-1))}`)
  }
  return { api, clock, owners, view, workloads, stop: watched.stop }
}

function ownerOf(view: WorkloadsView, kind: OwnerView['kind']): OwnerView | undefined {
  return view.owners.find((owner) => owner.kind === kind)
}

function args(owner: OwnerView | undefined, part: Partial<OwnerActArgs>): OwnerActArgs {
  const { uid = '' } = owner ?? {}
  return {
    cluster: 'c',
    owner: uid,
    act: 'scale',
    replicas: 3,
    cascade: 'background',
    revision: 0,
    ...part,
  }
}

const isReady = (view: WorkloadsView): boolean => ownerOf(view, 'Deployment')?.ready === 3

describe('the owners of pods', () => {
  it('stand above what they own, with what they want and have', async () => {
    const { view, workloads, stop } = await stage()
    const { owners, problems, isComplete } = await view(isReady)
    const [web, set] = owners
    expect(owners.map(({ kind, name, wanted, ready }) => [kind, name, wanted, ready])).toEqual([
      ['Deployment', 'web', 3, 3],
      ['ReplicaSet', expect.stringMatching(/^web-/), 3, 3],
    ])
    expect(set?.parent).toBe(web?.uid)
    expect(set?.note).toBe('revision 1')
    expect(workloads.podsOf(web?.uid ?? '')).toBe(3)
    expect(problems).toEqual([])
    expect(isComplete).toBe(true)
    stop()
  })

  it('make a pod in place of a deleted one: both are told as a pair', async () => {
    const { api, clock, view, workloads } = await stage()
    await view(isReady)
    const pods = await api.list({ resource: 'pods', namespace: 'default' })
    const [pod] = pods.ok ? pods.value : []
    const name = pod?.metadata.name ?? ''
    await api.delete({ resource: 'pods', namespace: 'default', name }, {})
    await clock.advance(20_000)
    const { replacements } = await view(
      (one) => typeof one.replacements[0]?.gone.endedAt === 'number',
    )
    expect(replacements).toHaveLength(1)
    expect(replacements[0]?.gone).toMatchObject({ name, how: 'deleted' })
    const { made, gone } = replacements[0] ?? {}
    expect(made?.name).toMatch(/^web-/)
    expect(made?.createdAt).toBeGreaterThanOrEqual(gone?.leftAt ?? Infinity)
    expect(made?.boundAt).toBeGreaterThanOrEqual(made?.createdAt ?? Infinity)
    workloads.stop()
  })

  it('are scaled, restarted, paused and deleted as the forecast says', async () => {
    const { clock, owners, view, workloads } = await stage()
    const web = ownerOf(await view(isReady), 'Deployment')
    const fewer = await owners.forecast(args(web, { replicas: 1 }))
    expect(fewer).toMatchObject({
      ok: true,
      value: {
        summary: 'web deletes 2 pods.',
        kubectl: 'kubectl scale deployment/web -n default --replicas=1',
      },
    })
    expect(await owners.forecast(args(web, { replicas: 3 }))).toMatchObject({
      value: { isAllowed: false, refusal: 'web has 3 replicas already.' },
    })
    expect(await owners.act(args(web, { replicas: 1 }))).toMatchObject({ ok: true })
    await clock.advance(60_000)
    await view((one) => ownerOf(one, 'Deployment')?.ready === 1)
    expect(await owners.act(args(web, { act: 'restart' }))).toMatchObject({ ok: true })
    await clock.advance(60_000)
    await view((one) => one.owners.filter(({ kind }) => kind === 'ReplicaSet').length === 2)
    expect(await owners.act(args(web, { act: 'pause' }))).toMatchObject({ ok: true })
    await view((one) => ownerOf(one, 'Deployment')?.isPaused === true)
    expect(await owners.act(args(web, { act: 'delete' }))).toMatchObject({ ok: true })
    await clock.advance(60_000)
    await view((one) => one.owners.length === 0)
    expect(await owners.forecast(args(web, {}))).toMatchObject({ error: { kind: 'not-found' } })
    workloads.stop()
  })

  it('go back to a revision whose template differs, as kubectl rollout undo does', async () => {
    const { api, clock, owners, view, workloads } = await stage()
    const web = ownerOf(await view(isReady), 'Deployment')
    const undo = args(web, { act: 'undo' })
    expect(await owners.forecast(undo)).toMatchObject({
      value: { isAllowed: false, refusal: 'web has no other revision to go back to.' },
    })
    const address = { resource: 'apps/v1/deployments', namespace: 'default', name: 'web' } as const
    const containers = [{ name: 'c', image: 'nginx:2' }]
    const body = { spec: { template: { spec: { containers } } } }
    await api.patch(address, { type: 'strategic', body })
    await clock.advance(60_000)
    await view((one) => one.owners.filter(({ kind }) => kind === 'ReplicaSet').length === 2)
    const forecast = await owners.forecast(undo)
    expect(forecast).toMatchObject({
      value: {
        isAllowed: true,
        summary: 'All 3 pods of web are replaced.',
        kubectl: 'kubectl rollout undo deployment/web -n default --to-revision=1',
        revision: 1,
        revisions: [
          { revision: 2, isCurrent: true, changeCause: '' },
          { revision: 1, isCurrent: false, changeCause: '' },
        ],
      },
    })
    const changed = forecast.ok ? forecast.value.diff.filter(({ kind }) => kind !== 'same') : []
    expect(changed.filter(({ kind }) => kind !== 'cut')).toEqual([
      { kind: 'removed', text: '    - image: nginx:2' },
      { kind: 'added', text: '    - image: nginx:1' },
    ])
    expect(await owners.forecast({ ...undo, revision: 2 })).toMatchObject({
      value: { refusal: 'The template of web is the one of revision 2 already.' },
    })
    expect(await owners.act(undo)).toMatchObject({ ok: true })
    await clock.advance(60_000)
    const image = { spec: { template: { spec: { containers: [{ image: 'nginx:1' }] } } } }
    expect(await api.get(address)).toMatchObject({ ok: true, value: image })
    await view((one) => one.owners.some(({ note }) => note === 'revision 3'))
    workloads.stop()
  })

  it.each(['DaemonSet', 'StatefulSet'] as const)(
    'of kind %s go back by their ControllerRevisions',
    async (kind) => {
      const { api, clock, owners, view, workloads } = await stage()
      const resource = kind === 'DaemonSet' ? 'apps/v1/daemonsets' : 'apps/v1/statefulsets'
      const { spec } = deployment(1)
      const { replicas: _, ...rest } = spec
      const set = {
        metadata: { name: 'agent', namespace: 'default' },
        spec: kind === 'DaemonSet' ? rest : { ...spec, serviceName: 'agent' },
      }
      await api.create({ resource, namespace: 'default' }, set)
      await clock.advance(20_000)
      const agent = ownerOf(await view((one) => ownerOf(one, kind)?.ready === 1), kind)
      const address = { resource, namespace: 'default', name: 'agent' } as const
      const containers = [{ name: 'c', image: 'nginx:2' }]
      const body = { spec: { template: { spec: { containers } } } }
      await api.patch(address, { type: 'strategic', body })
      await clock.advance(60_000)
      const undo = args(agent, { act: 'undo' })
      expect(await owners.forecast(undo)).toMatchObject({
        value: { isAllowed: true, revision: 1, revisions: [{ isCurrent: true }, {}] },
      })
      expect(await owners.act(undo)).toMatchObject({ ok: true })
      await clock.advance(60_000)
      const image = { spec: { template: { spec: { containers: [{ image: 'nginx:1' }] } } } }
      expect(await api.get(address)).toMatchObject({ ok: true, value: image })
      workloads.stop()
    },
  )

  it('of kind CronJob stand above their jobs, run now, are suspended and resumed', async () => {
    const { api, clock, owners, view, workloads } = await stage()
    const containers = [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'sleep 600'] }]
    const template = { spec: { restartPolicy: 'Never', containers } }
    const spec = { schedule: '@yearly', timeZone: 'UTC', jobTemplate: { spec: { template } } }
    const body = { metadata: { name: 'tick', namespace: 'default' }, spec }
    await api.create({ resource: 'batch/v1/cronjobs', namespace: 'default' }, body)
    const tick = ownerOf(await view((one) => ownerOf(one, 'CronJob') !== undefined), 'CronJob')
    expect(tick).toMatchObject({ note: '@yearly in UTC', ready: 0, isPaused: false })
    const run = args(tick, { act: 'run' })
    const name = `tick-${Math.floor(clock.now() / 1000)}`
    expect(await owners.forecast(run)).toMatchObject({
      value: {
        title: 'Run tick',
        kubectl: `kubectl create job ${name} --from=cronjob/tick -n default`,
      },
    })
    await clock.advance(5000)
    expect(await owners.act(run)).toMatchObject({ ok: true })
    await clock.advance(20_000)
    const job = ownerOf(await view((one) => ownerOf(one, 'Job')?.note === '1 active'), 'Job')
    expect(job).toMatchObject({ name, parent: tick?.uid })
    expect(workloads.podsOf(tick?.uid ?? '')).toBe(1)
    // Twice while the clock stands still.
    const accepted = { ok: true, value: { message: 'Run tick: the API server has accepted it' } }
    expect([await owners.act(run), await owners.act(run)]).toEqual([accepted, accepted])
    expect(await owners.act(args(tick, { act: 'pause' }))).toMatchObject({
      value: { message: 'Suspend tick: the API server has accepted it' },
    })
    await view((one) => ownerOf(one, 'CronJob')?.note === '@yearly in UTC, suspended')
    expect(await owners.act(args(tick, { act: 'resume' }))).toMatchObject({ ok: true })
    await view((one) => ownerOf(one, 'CronJob')?.isPaused === false)
    workloads.stop()
  })

  it('are not changed while nothing may be', async () => {
    const { owners, view, workloads } = await stage('It is read-only.')
    const web = ownerOf(await view(isReady), 'Deployment')
    expect(await owners.act(args(web, { act: 'delete' }))).toEqual({
      ok: false,
      error: { kind: 'read-only', message: 'It is read-only.' },
    })
    workloads.stop()
  })
})

describe('a pod without a node', () => {
  it('is listed with the scheduler’s words, until it has one', async () => {
    const { api, clock, view, workloads } = await stage()
    const pod = {
      metadata: { name: 'gpu', namespace: 'default' },
      spec: { nodeSelector: { disk: 'ssd' }, containers: [{ name: 'c', image: 'nginx:1' }] },
    }
    await api.create({ resource: 'pods', namespace: 'default' }, pod as never)
    await clock.advance(2000)
    const { unbound } = await view((one) => (one.unbound[0]?.message ?? '') !== '')
    expect(unbound).toMatchObject([{ name: 'gpu', reason: 'Unschedulable', gates: [] }])
    expect(unbound[0]?.message).toContain("didn't match Pod's node affinity/selector")
    const node = { resource: 'nodes', name: 'n1' } as const
    await api.patch(node, { type: 'merge', body: { metadata: { labels: { disk: 'ssd' } } } })
    await clock.advance(20_000)
    await view((one) => one.unbound.length === 0)
    workloads.stop()
  })
})
