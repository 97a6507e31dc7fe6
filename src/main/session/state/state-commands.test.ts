import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { parsersInPlace } from '../../parsing/kubernetes-text.ts'
import { fakeSessionConfig } from '../fake-session-config.ts'
import type { RunningSession } from '../session-channel.ts'
import type { SaveFile } from '../session-ports.ts'
import { startSession } from '../start-session.ts'

let folder: string
let session: RunningSession | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-state-'))
})

afterEach(async () => {
  await session?.stop()
  session = undefined
  await rm(folder, { recursive: true, force: true })
})

async function start(options: { readonly isKept: boolean; readonly saveFile?: SaveFile }) {
  const state = { path: join(folder, 'state'), hasKeptNodes: true }
  const kubeconfigPath = join(folder, 'kubeconfig')
  const cluster = { kind: 'sandbox', port: null, kubeconfigPath } as const
  const started = await startSession(
    fakeSessionConfig({
      cluster: options.isKept ? { ...cluster, state } : cluster,
      manifestsPath: join(folder, 'manifests'),
      dataFolder: folder,
    }),
    {
      log: new FakeLog(),
      assets: { list: () => Promise.resolve([]), readText: () => Promise.resolve('') },
      parsers: parsersInPlace,
      host: 'web',
      printLine: () => undefined,
      environment: {},
      saveFile: options.saveFile,
    },
  )
  if (!started.ok) throw new Error(started.error.message)
  session = started.value
  return session.channel.connect(() => undefined)
}

type Page = Awaited<ReturnType<typeof start>>

async function exported(page: Page): Promise<string> {
  const answer = await page.request('state.export', {})
  if (!answer.ok || answer.value.kind !== 'text') throw new Error('no text')
  expect(answer.value.name).toBe('sandbox-state.yaml')
  return answer.value.text
}

const settings = `---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: default, uid: 00000000-0000-4000-8000-000000000001, resourceVersion: '5' }
data: { color: blue }
`

const importOf = (text: string) =>
  ({ name: 'mine.yaml', text, isFirst: true, isLast: true }) as const

describe.each([true, false])('the sandbox of a program, kept: %j', (isKept) => {
  it('is exported, replaced by a changed file, and reset', async () => {
    const page = await start({ isKept })
    const text = await exported(page)
    expect(text).not.toContain('name: settings')
    const imported = await page.request('state.import', importOf(`${text}${settings}`))
    expect(imported).toMatchObject({
      ok: true,
      value: { message: expect.stringContaining("The sandbox's state was replaced by mine.yaml.") },
    })
    const { clusters } = await page.request('view.open', {})
    expect(clusters.map(({ id }) => id)).toEqual(['sandbox'])
    expect(await exported(page)).toContain('name: settings')
    expect(await page.request('state.reset', {})).toMatchObject({ ok: true })
    expect(await exported(page)).not.toContain('name: settings')
    const asides = (await readdir(folder)).filter((name) => name.startsWith('state-before-'))
    expect(asides).toHaveLength(isKept ? 2 : 1)
  })
})

it('takes a file in pieces, and nothing changes because of a bad one', async () => {
  const page = await start({ isKept: true })
  const text = await exported(page)
  const whole = `${text}${settings}`
  const half = Math.floor(whole.length / 2)
  const first = { name: 'm.yaml', text: whole.slice(0, half), isFirst: true, isLast: false }
  expect(await page.request('state.import', first)).toEqual({ ok: true, value: null })
  const last = { name: 'm.yaml', text: whole.slice(half), isFirst: false, isLast: true }
  expect(await page.request('state.import', last)).toMatchObject({ ok: true })
  const before = await exported(page)
  expect(await page.request('state.import', importOf('kind: Ship\n'))).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('mine.yaml:1: This is no state file') },
  })
  const newer = before.replace('format: 1', 'format: 99')
  expect(await page.request('state.import', importOf(newer))).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('format 99') },
  })
  expect(await exported(page)).toContain('name: settings')
})

it('is written by the host where it has a dialog, and says if it could not be', async () => {
  const path = join(folder, 'saved.yaml')
  const page = await start({
    isKept: false,
    saveFile: async (_name, text) => {
      await writeFile(path, text)
      return { ok: true, value: path }
    },
  })
  expect(await page.request('state.export', {})).toEqual({
    ok: true,
    value: { kind: 'written', path },
  })
  expect(await readFile(path, 'utf8')).toContain('kind: State')
})
