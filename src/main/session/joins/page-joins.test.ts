import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Snapshot } from '../../../shared/ipc/contract.ts'
import { startFakeSession, untilSnapshot } from '../fake-running-session.ts'
import type { RunningSession, SessionConnection } from '../session-channel.ts'

// A second program looks at the sandbox of the first, and joins it.

const here = 'nodescope-sandbox'
const page = { cluster: here, node: 'joined-1', allowSimulated: false } as const

let folder: string
let sandbox: RunningSession
let looking: RunningSession | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-joins-'))
  const kubeconfigPath = join(folder, 'sandbox.kubeconfig')
  sandbox = await startFakeSession({ kind: 'sandbox', port: null, kubeconfigPath }, folder)
}, 30_000)

afterEach(async () => {
  await looking?.stop()
  looking = undefined
})

afterAll(async () => {
  await sandbox.stop()
  await rm(folder, { recursive: true, force: true })
})

async function look(): Promise<{ connection: SessionConnection; dataFolder: string }> {
  const dataFolder = await mkdtemp(join(folder, 'data-'))
  const path = join(folder, 'sandbox.kubeconfig')
  looking = await startFakeSession({ kind: 'look', path, context: null }, dataFolder)
  return { connection: looking.channel.connect(() => undefined), dataFolder }
}

const namesOf = ({ clusters }: Snapshot): readonly string[] =>
  clusters.flatMap(({ seen }) => seen?.nodes.map(({ name }) => name) ?? [])

describe('joining a cluster from the page', () => {
  it('is refused while the cluster is read-only, and says first what it would do', async () => {
    const { connection, dataFolder } = await look()
    const refusal = `${here} is read-only here: allow changes first (Shift A).`
    const isReadOnly = { ok: false, error: { kind: 'read-only', message: refusal } }
    expect(await connection.request('cluster.checkJoin', page)).toEqual(isReadOnly)
    expect(await connection.request('cluster.join', page)).toEqual(isReadOnly)
    await connection.request('cluster.allowChanges', { cluster: here })
    const plan = await connection.request('cluster.checkJoin', page)
    expect(plan).toMatchObject({
      ok: true,
      value: {
        refusal: '',
        needsAllowSimulated: false,
        manifestsPath: join(dataFolder, 'joined', here, 'joined-1', 'manifests'),
      },
    })
    expect(plan.ok ? plan.value.lines : []).toContain(
      'node joined-1 will be created, with the taint nodescope.dev/agent=true:NoSchedule',
    )
    expect(await connection.request('cluster.join', { ...page, node: 'Not a name' })).toMatchObject(
      { ok: false, error: { kind: 'refused', message: expect.stringContaining('not the name') } },
    )
    const taken = await connection.request('cluster.checkJoin', { ...page, node: 'scope-node-1' })
    expect(taken).toMatchObject({
      ok: true,
      value: { lines: expect.arrayContaining([expect.stringContaining('already exists')]) },
    })
  }, 60_000)

  it('runs a node with a manifest folder of its own, which the page ends and deletes', async () => {
    const { connection } = await look()
    await connection.request('cluster.allowChanges', { cluster: here })
    const plan = await connection.request('cluster.checkJoin', page)
    const joined = await connection.request('cluster.join', page)
    const id = `${here} joined-1`
    expect(joined).toEqual({ ok: true, value: { cluster: id } })
    expect(await connection.request('cluster.join', page)).toMatchObject({
      ok: false,
      error: { kind: 'refused', message: 'joined-1 has joined already. Choose another name.' },
    })
    const pod = { metadata: { name: 'own' }, spec: { containers: [{ name: 'c', image: 'nginx' }] } }
    const manifests = plan.ok ? plan.value.manifestsPath : ''
    const manifest = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', ...pod })
    await writeFile(join(manifests, 'own.yaml'), manifest)
    const { clusters, rows } = await untilSnapshot(
      connection,
      'the static pod and its mirror',
      (snapshot) =>
        namesOf(snapshot).includes('joined-1') &&
        snapshot.rows.some(({ cluster, mirror }) => cluster === id && mirror === 'matched') &&
        snapshot.rows.some(({ cluster, name }) => cluster === here && name === 'own-joined-1'),
    )
    expect(clusters.map((view) => [view.id, view.kind, view.isPageJoined])).toEqual([
      [here, 'seen', false],
      [id, 'joined', true],
    ])
    expect(rows.find(({ cluster }) => cluster === id)?.worker).toBe('SyncPod')
    expect(
      await connection.request('cluster.leave', { cluster: id, deleteNode: true }),
    ).toMatchObject({ ok: true, value: { message: `joined-1 has left ${here}` } })
    const left = await untilSnapshot(
      connection,
      'the end of the Node',
      (snapshot) => !namesOf(snapshot).includes('joined-1'),
    )
    expect(left.clusters.map((view) => view.id)).toEqual([here])
    expect(
      await connection.request('cluster.leave', { cluster: id, deleteNode: false }),
    ).toMatchObject({ ok: false, error: { kind: 'not-found' } })
  }, 60_000)

  it('deletes no Node of another kubelet, which it waits for', async () => {
    const { connection } = await look()
    await connection.request('cluster.allowChanges', { cluster: here })
    const isThere = ({ clusters }: Snapshot): boolean =>
      clusters.some(({ seen }) =>
        seen?.nodes.some(({ name, lease }) => name === 'scope-node-1' && lease !== null),
      )
    await untilSnapshot(connection, 'its lease', isThere)
    const joined = await connection.request('cluster.join', { ...page, node: 'scope-node-1' })
    const cluster = joined.ok ? joined.value.cluster : ''
    await untilSnapshot(connection, 'the wait', ({ clusters }) =>
      clusters.some(({ id, connection: { kind } }) => id === cluster && kind === 'waiting'),
    )
    const left = await connection.request('cluster.leave', { cluster, deleteNode: true })
    const message = `scope-node-1 has left ${here}. It had not started: nothing was written.`
    expect(left).toEqual({ ok: true, value: { message } })
    await looking?.stop()
    const other = await look()
    expect(isThere(await untilSnapshot(other.connection, 'the node', isThere))).toBe(true)
  }, 60_000)
})
