import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { WatchView } from '../../../src/shared/model/seen-cluster.ts'
import { reportComparison, reportMissing } from '../comparison.ts'
import { findParts, startControlPlane, type ControlPlane } from '../control-plane.ts'
import { FaultyProxy, type Exchange, type Fault } from '../faulty-proxy.ts'
import { administratorOf, type Administrator } from '../integration/administrator.ts'
import { LookedAt } from './looked-at.ts'
import { makeObjects, namespace } from './objects.ts'

// A cluster that is looked at behind a proxy with faults: what is stale is said with since when, nothing hangs, and nothing
// is written twice.

const found = await findParts(['etcd', 'kube-apiserver'], process.env)
const podsPath = '/api/v1/pods'

const isOf = (exchange: Exchange, path: string): boolean => exchange.path === path
const isWatch = ({ query }: Exchange): boolean => query.has('watch')

describe.skipIf('missing' in found)('a cluster whose server fails', () => {
  let plane: ControlPlane
  let admin: Administrator
  let proxy: FaultyProxy
  let kubeconfig = ''
  let open: LookedAt | undefined
  const totals = { faults: 0, writes: 0 }

  beforeAll(async () => {
    plane = await startControlPlane({ environment: process.env })
    admin = await administratorOf(plane.adminKubeconfig)
    await makeObjects(admin)
    const { certificatePem: cert, keyPem: key } = plane.admin
    const connect = { ca: plane.caPem, cert, key }
    const dispatcher = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 })
    proxy = await FaultyProxy.start({ url: plane.url, dispatcher, headers: {} }, () => Date.now())
    const ca = Buffer.from(proxy.caPem).toString('base64')
    kubeconfig = join(plane.folder, 'faulty.yaml')
    const config = {
      contexts: [{ name: 'faulty', context: { cluster: 'k', user: 'u', namespace } }],
      'current-context': 'faulty',
      clusters: [{ name: 'k', cluster: { server: proxy.url, 'certificate-authority-data': ca } }],
      users: [{ name: 'u', user: { token: 'of the proxy' } }],
    }
    await writeFile(kubeconfig, stringify(config))
  }, 120_000)

  afterEach(async () => {
    totals.faults += proxy.exchanges.filter(({ responded, served }) => responded !== served).length
    totals.writes += servedWrites().length
    proxy.fault = () => undefined
    await open?.stop()
    open = undefined
    proxy.exchanges.length = 0
  })

  afterAll(async () => {
    await proxy.stop()
    await admin.close()
    await plane.stop()
    reportComparison(
      'failing servers',
      `${totals.faults} requests of a cluster that is looked at met a fault, ${totals.writes} writes, none of them twice`,
    )
  }, 60_000)

  const openNow = async (): Promise<LookedAt> => {
    open = await LookedAt.open(kubeconfig)
    return open
  }
  const openWatching = async (): Promise<LookedAt> => {
    const seen = await openNow()
    await seen.untilWatching()
    const opened = () => proxy.exchanges.filter((one) => isWatch(one) && one.responded === 200)
    await expect.poll(() => opened().length).toBe(5)
    return seen
  }
  const watchOf = async (seen: LookedAt, resource: WatchView['resource']): Promise<WatchView> => {
    const { seen: view } = await seen.view()
    const watch = view.watches.find((one) => one.resource === resource)
    if (watch === undefined) throw new Error(`no watch of ${resource}`)
    return watch
  }
  const untilWatch = async (
    seen: LookedAt,
    resource: WatchView['resource'],
    state: WatchView['state'],
  ): Promise<WatchView> => {
    await seen.until(`${resource} ${state}`, ({ seen: { watches } }) =>
      watches.some((one) => one.resource === resource && one.state === state),
    )
    return watchOf(seen, resource)
  }
  /** The fault of each request that it fits, while it is set. */
  const failing = (fault: Fault, fits: (exchange: Exchange) => boolean): void => {
    proxy.fault = (exchange) => (fits(exchange) ? fault : undefined)
  }
  const servedWrites = (): readonly Exchange[] =>
    proxy.exchanges.filter(({ method, query, served = 0, path }) => {
      const isReview = path.includes('/apis/authorization.k8s.io/')
      return method !== 'GET' && !isReview && !query.has('dryRun') && served !== 0 && served < 300
    })
  const makePod = async (name: string, node = 'n1'): Promise<void> => {
    await admin.ask('POST', `/api/v1/namespaces/${namespace}/pods`, {
      metadata: { name },
      spec: { nodeName: node, containers: [{ name: 'c', image: 'i' }] },
    })
  }
  const isGone = async (seen: LookedAt, name: string): Promise<boolean> =>
    (await seen.rows()).every((row) => row.name !== name)

  it('opens when the server answers again: refused, then 503, then slowly', async () => {
    await proxy.refuse()
    const seen = await openNow()
    const away = await seen.until('away', ({ connection }) => connection.kind === 'away')
    expect(away.connection).toMatchObject({
      message: expect.stringContaining('refused the connection'),
    })
    failing({ kind: 'status', code: 503, reason: 'ServiceUnavailable' }, () => true)
    await proxy.listen()
    await seen.until('503', ({ connection }) =>
      JSON.stringify(connection).includes('ServiceUnavailable'),
    )
    failing({ kind: 'slow' }, () => true)
    await seen.page.request('cluster.retry', { cluster: away.id })
    await seen.untilWatching()
    const view = await seen.until('version', ({ seen: { version } }) => version !== '')
    expect(view.connection).toEqual({ kind: 'connected' })
    expect(await seen.rows()).toHaveLength(11)
  }, 60_000)

  it('waits as long as Retry-After says before it lists again', async () => {
    failing(
      { kind: 'status', code: 429, reason: 'TooManyRequests', retryAfterSeconds: 3 },
      (exchange) => isOf(exchange, podsPath),
    )
    const seen = await openNow()
    const away = await untilWatch(seen, 'pods', 'away')
    expect(away.problem).toContain('TooManyRequests')
    expect((await untilWatch(seen, 'nodes', 'watching')).count).toBe(2)
    proxy.fault = () => undefined
    await untilWatch(seen, 'pods', 'watching')
    const asked = proxy.exchanges.filter((one) => isOf(one, podsPath) && !isWatch(one))
    const pauses = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0))
    expect(pauses).not.toEqual([])
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(2990)
  }, 60_000)

  it.each([
    ['401', { kind: 'status', code: 401, reason: 'Unauthorized' }, 'refuses the credentials'],
    ['403', { kind: 'status', code: 403, reason: 'Forbidden' }, 'the proxy says Forbidden'],
    ['500', { kind: 'status', code: 500, reason: 'InternalError' }, 'the proxy says Internal'],
    ['504', { kind: 'status', code: 504, reason: 'Timeout' }, 'the proxy says Timeout'],
  ] as const)(
    'keeps the rows of pods through a %s in the middle',
    async (_, fault, problem) => {
      const seen = await openWatching()
      const before = await watchOf(seen, 'pods')
      failing(fault, (exchange) => isOf(exchange, podsPath))
      proxy.truncateWatches()
      await seen.until(problem, ({ seen: { watches } }) =>
        watches.some((one) => one.resource === 'pods' && one.problem.includes(problem)),
      )
      const away = await watchOf(seen, 'pods')
      expect(away).toMatchObject({ state: 'away', count: before.count })
      expect(away.lastAt).not.toBeNull()
      expect(away.missingRule !== '').toBe(fault.code === 403)
      await untilWatch(seen, 'nodes', 'watching')
      expect(await seen.rows()).toHaveLength(before.count)
      await makePod(`late-${fault.code}`)
      proxy.fault = () => undefined
      await untilWatch(seen, 'pods', 'watching')
      await expect.poll(() => isGone(seen, `late-${fault.code}`)).toBe(false)
      await admin.ask(
        'DELETE',
        `/api/v1/namespaces/${namespace}/pods/late-${fault.code}?gracePeriodSeconds=0`,
      )
      await expect.poll(() => isGone(seen, `late-${fault.code}`)).toBe(true)
    },
    60_000,
  )

  it('lists with back-off while the server expires every watch (410)', async () => {
    const seen = await openWatching()
    proxy.exchanges.length = 0
    failing({ kind: 'expired-watch' }, isWatch)
    proxy.truncateWatches()
    await sleep(8000)
    const lists = proxy.exchanges.filter((one) => isOf(one, podsPath) && !isWatch(one))
    expect(lists.length).toBeGreaterThan(0)
    expect(lists.length).toBeLessThan(7)
    expect(await seen.rows()).toHaveLength(11)
    await makePod('after-410')
    proxy.fault = () => undefined
    await expect.poll(() => isGone(seen, 'after-410'), { timeout: 40_000 }).toBe(false)
    await admin.ask('DELETE', `/api/v1/namespaces/${namespace}/pods/after-410?gracePeriodSeconds=0`)
  }, 90_000)

  it('says that the outcome of an act is not known when its answer is lost, and sends it once', async () => {
    await makePod('lossy')
    const seen = await openWatching()
    const { id } = await seen.view()
    await seen.page.request('cluster.allowChanges', { cluster: id })
    failing({ kind: 'lose-answer' }, ({ method }) => method !== 'GET')
    const { key } = await seen.row('lossy')
    const evicted = await seen.page.request('pod.evictThroughApi', { key, gracePeriodSeconds: 0 })
    expect(evicted).toMatchObject({
      ok: false,
      error: { kind: 'failed', message: expect.stringMatching(/^The outcome of the eviction/) },
    })
    await expect.poll(() => isGone(seen, 'lossy')).toBe(true)
    const drain = {
      ignoreDaemonSets: true,
      deleteEmptyDirData: true,
      force: true,
      gracePeriodSeconds: 0,
    }
    const cordoned = await seen.page.request('seenNode.act', {
      cluster: id,
      node: 'n1',
      act: 'cordon',
      drain,
    })
    expect(cordoned).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/^The outcome of the cordon/) },
    })
    await seen.until('cordoned', ({ seen: { nodes } }) =>
      nodes.some(({ name, isUnschedulable }) => name === 'n1' && isUnschedulable),
    )
    expect(servedWrites().map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST /api/v1/namespaces/${namespace}/pods/lossy/eviction`,
      'PATCH /api/v1/nodes/n1',
    ])
    await proxy.refuse()
    const uncordoned = await seen.page.request('seenNode.act', {
      cluster: id,
      node: 'n1',
      act: 'uncordon',
      drain,
    })
    expect(uncordoned).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/^Uncordon failed, nothing was sent/) },
    })
    await proxy.listen()
  }, 60_000)

  it('drains through lost answers, errors and 429, and evicts each pod once', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `drained-${index}`)
    for (const name of names) await makePod(name, 'n2')
    const seen = await openWatching()
    const { id } = await seen.view()
    await seen.page.request('cluster.allowChanges', { cluster: id })
    const met = new Map<string, number>()
    const faults: readonly (Fault | undefined)[] = [
      { kind: 'lose-answer' },
      { kind: 'status', code: 500, reason: 'InternalError' },
      { kind: 'status', code: 429, reason: 'TooManyRequests', retryAfterSeconds: 1 },
      { kind: 'status', code: 504, reason: 'Timeout' },
    ]
    proxy.fault = ({ path, query }) => {
      if (!path.endsWith('/eviction') || query.has('dryRun')) return undefined
      const times = met.get(path) ?? 0
      met.set(path, times + 1)
      return faults[(names.indexOf(path.split('/').at(-2) ?? '') + times) % 6]
    }
    const drain = {
      ignoreDaemonSets: true,
      deleteEmptyDirData: true,
      force: true,
      gracePeriodSeconds: 0,
    }
    const begun = await seen.page.request('seenNode.act', {
      cluster: id,
      node: 'n2',
      act: 'drain',
      drain,
    })
    expect(begun).toMatchObject({ ok: true })
    const done = await seen.until('drained', ({ seen: { drains } }) =>
      drains.some(({ state }) => state !== 'running'),
    )
    expect(done.seen.drains).toMatchObject([{ state: 'done', evicted: 7, waiting: [] }])
    const served = servedWrites().map(({ path }) => path)
    expect(served.toSorted()).toEqual([...new Set(served)].toSorted())
    expect(served.filter((path) => path.endsWith('/eviction'))).toHaveLength(7)
  }, 90_000)

  it('says since when nothing was heard of a connection that is half open, and gives up acts', async () => {
    await makePod('silent')
    const seen = await openWatching()
    const { id } = await seen.view()
    await seen.page.request('cluster.allowChanges', { cluster: id })
    const { key } = await seen.row('silent')
    const rows = await seen.rows()
    const silentAt = Date.now()
    proxy.stopResponding()
    const evicted = await seen.page.request('pod.evictThroughApi', { key, gracePeriodSeconds: 0 })
    expect(Date.now() - silentAt).toBeLessThan(45_000)
    expect(evicted).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/^The outcome of the eviction/) },
    })
    const rights = await seen.page.request('cluster.rights', { cluster: id, namespace: null })
    expect(rights).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/respond/) },
    })
    expect(Date.now() - silentAt).toBeLessThan(80_000)
    const away = await seen.until('away', ({ connection }) => connection.kind === 'away')
    if (away.connection.kind === 'away')
      expect(Math.abs(away.connection.since - silentAt)).toBeLessThan(45_000)
    expect(await seen.rows()).toHaveLength(rows.length)
    proxy.resumeResponding()
    await seen.page.request('cluster.retry', { cluster: id })
    await seen.until('connected', ({ connection }) => connection.kind === 'connected')
  }, 120_000)
})

if ('missing' in found) reportMissing('failing servers', found.missing)
