import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parsersInPlace } from '../parsing/kubernetes-text.ts'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import { fakeSessionConfig } from '../session/fake-session-config.ts'
import { startProgram } from './program.ts'
import { shippedAssets } from './shipped-assets.ts'

const repository = join(import.meta.dirname, '../../..')

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-program-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('startProgram', () => {
  it('keeps open gotchas in the data folder and removes them when it stops', async () => {
    const config = {
      ...fakeSessionConfig({
        cluster: { kind: 'sandbox', port: null, kubeconfigPath: join(folder, 'kubeconfig') },
        manifestsPath: join(folder, 'manifests'),
        dataFolder: folder,
      }),
      port: null,
      isEphemeral: true,
      criSocketPath: null,
      hasOwnManifests: true,
      notes: [],
    }
    const started = await startProgram(config, {
      log: new FakeLog(),
      assets: shippedAssets(repository),
      parsers: parsersInPlace,
      host: 'web',
    })
    if (!started.ok) throw new Error(started.error.message)
    const page = started.value.channel.connect(() => undefined)
    const [first] = await page.request('gotchas.list', {})
    const source = { kind: 'shipped', name: first?.id ?? '' } as const
    const id = `scenario-${first?.id}`
    expect(await page.request('scenario.open', { source })).toMatchObject({ ok: true })
    const kubeconfig = join(folder, 'scenarios', id, 'kubeconfig')
    expect(await readFile(kubeconfig, 'utf8')).toContain('https://127.0.0.1:')
    // The cluster that the program was started for is still the first.
    const { clusters } = await page.request('view.open', {})
    expect(clusters.map((cluster) => cluster.id)).toEqual(['sandbox', id])
    await started.value.stop()
    expect(await readdir(join(folder, 'scenarios'))).toEqual([])
  })
})
