import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { Events } from '../../../shared/ipc/contract.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { parsersInPlace } from '../../parsing/kubernetes-text.ts'
import { fakeSessionConfig } from '../fake-session-config.ts'
import type { RunningSession, SessionConnection } from '../session-channel.ts'
import { startSession } from '../start-session.ts'
import { repositoryAssets } from '../scenarios/fake-operator.ts'
import { writeFirstManifests } from '../scenarios/first-run.ts'

const cluster = 'sandbox'
const size = { columns: 80, rows: 24 }

let stop = (): Promise<void> => Promise.resolve()

afterEach(() => stop())

async function started(readOnly: boolean): Promise<RunningSession> {
  const folder = await mkdtemp(join(tmpdir(), 'nodescope-terminals-'))
  const manifestsPath = join(folder, 'examples')
  await writeFirstManifests(repositoryAssets, manifestsPath)
  const session = await startSession(
    fakeSessionConfig({
      cluster: { kind: 'sandbox', port: null, kubeconfigPath: join(folder, 'kubeconfig') },
      nodeName: 'n1',
      manifestsPath,
      dataFolder: folder,
      seed: 1,
      readOnly,
    }),
    {
      log: new FakeLog(),
      assets: repositoryAssets,
      parsers: parsersInPlace,
      host: 'web',
      printLine: () => undefined,
      environment: {},
    },
  )
  if (!session.ok) throw new Error(session.error.message)
  stop = async () => {
    await session.value.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return session.value
}

/** A page with the static pod web, whose container runs; only steps move the clock. */
async function openPage({ readOnly = false } = {}) {
  const { channel } = await started(readOnly)
  const printed: string[] = []
  const ends: Events['terminal.ended'][] = []
  const page: SessionConnection = channel.connect((name, payload) => {
    if (name === 'terminal.printed' && 'text' in payload) printed.push(payload.text)
    if (name === 'terminal.ended' && 'exitCode' in payload) ends.push(payload)
  })
  await page.request('clock.pause', { cluster })
  const rowOf = async (): Promise<PodRow | undefined> =>
    (await page.request('view.open', {})).rows.find(({ name }) => name === 'web-n1')
  let row = await rowOf()
  for (let step = 0; step < 2000 && row?.status !== 'Running'; step++) {
    await page.request('clock.step', { cluster })
    row = await rowOf()
  }
  if (row?.status !== 'Running') throw new Error('web-n1 does not run')
  const detail = await page.request('pod.describe', { key: row.key })
  const container = detail?.containers[0]?.name ?? ''
  const open = (id: number, ...command: readonly string[]) =>
    page.request('terminal.open', { id, key: row.key, container, command, ...size })
  /** Steps until the text is there. */
  const said = async (text: string): Promise<void> => {
    for (let step = 0; step < 200 && !printed.join('').includes(text); step++) {
      await page.request('clock.step', { cluster })
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(printed.join('')).toContain(text)
  }
  return { page, row, container, open, said, ends, channel }
}

it('runs a shell in the container, takes input, and sends its exit code', async () => {
  const { page, open, said, ends } = await openPage()
  expect(await open(1, 'sh')).toEqual({ ok: true, value: null })
  await page.request('terminal.write', { id: 1, text: 'echo $((6 * 7)) lines\r' })
  await said('42 lines\r\n')
  await page.request('terminal.resize', { id: 1, columns: 100, rows: 30 })
  await page.request('terminal.write', { id: 1, text: 'exit 3\r' })
  await expect.poll(() => ends).toEqual([{ id: 1, exitCode: 3, message: '' }])
})

it('ends the command when the page closes the terminal or is gone', async () => {
  const { page, row, container, open, said, channel } = await openPage()
  await open(1, 'sh')
  await page.request('terminal.write', { id: 1, text: 'sleep 4321\r' })
  await open(2, 'sh')
  const other = channel.connect(() => undefined)
  const command = ['sleep', '1234']
  await other.request('terminal.open', { id: 1, key: row.key, container, command, ...size })
  await page.request('terminal.write', { id: 2, text: 'ps; echo before\r' })
  await said('before\r\n')
  await page.request('terminal.close', { id: 1 })
  other.close()
  await page.request('terminal.write', { id: 2, text: 'ps | grep -c sleep; echo after\r' })
  await said('after\r\n')
})

it('says what the kubelet and the runtime refuse', async () => {
  const { page, row, open, ends } = await openPage()
  const wrong = { id: 1, key: row.key, container: 'wrong', command: ['sh'], ...size }
  expect(await page.request('terminal.open', wrong)).toEqual({
    ok: false,
    error: {
      kind: 'refused',
      message: 'The kubelet refused the command (500): container not found ("wrong")',
    },
  })
  await open(2, 'no-such-command')
  await expect.poll(() => ends.length).toBe(1)
  expect(ends[0]).toMatchObject({ id: 2, exitCode: null })
  expect(ends[0]?.message).toContain('no-such-command')
  const gone = { ...wrong, key: `${cluster}/n1/gone` }
  expect(await page.request('terminal.open', gone)).toMatchObject({
    error: { kind: 'not-found' },
  })
  const elsewhere = { ...wrong, key: 'other/n1/gone' }
  expect(await page.request('terminal.open', elsewhere)).toMatchObject({
    error: { kind: 'not-found' },
  })
  const stopped = await page.request('node.act', {
    cluster,
    node: 'n1',
    act: 'stopAgent',
    shutdownGraceSeconds: null,
    criticalGraceSeconds: null,
    call: null,
  })
  expect(stopped.ok).toBe(true)
  expect(await open(3, 'sh')).toEqual({
    ok: false,
    error: {
      kind: 'refused',
      message: 'The kubelet, which serves exec, does not run. Start it in Node.',
    },
  })
})

it('runs nothing with --read-only', async () => {
  const { open } = await openPage({ readOnly: true })
  expect(await open(1, 'sh')).toMatchObject({ ok: false, error: { kind: 'read-only' } })
})
