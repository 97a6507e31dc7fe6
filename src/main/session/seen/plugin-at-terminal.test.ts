import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { parsersInPlace } from '../../parsing/kubernetes-text.ts'
import { fakeSessionConfig } from '../fake-session-config.ts'
import type { SessionPorts } from '../session-ports.ts'
import { startSession } from '../start-session.ts'

let folder: string
let plugin: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-plugin-'))
  plugin = join(folder, 'plugin.sh')
  await writeFile(plugin, `#!/bin/sh\necho ran >> "${folder}/runs"\nexit 1\n`)
  await chmod(plugin, 0o755)
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: plugin }
  const kubeconfig = {
    'current-context': 'cloud',
    contexts: [{ name: 'cloud', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'u', user: { exec } }],
  }
  await writeFile(join(folder, 'config'), stringify(kubeconfig))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function start(askYes: SessionPorts['askYes']) {
  const cluster = { kind: 'look', path: join(folder, 'config'), context: null } as const
  const manifestsPath = join(folder, 'manifests')
  return startSession(fakeSessionConfig({ cluster, manifestsPath, dataFolder: folder }), {
    log: new FakeLog(),
    assets: { list: () => Promise.resolve([]), readText: () => Promise.resolve('') },
    parsers: parsersInPlace,
    host: 'web',
    printLine: () => undefined,
    askYes,
    environment: { PATH: process.env['PATH'], HOME: folder },
  })
}

async function hasRun(): Promise<boolean> {
  return readFile(join(folder, 'runs')).then(
    () => true,
    () => false,
  )
}

describe.skipIf(process.platform === 'win32')('a credential plugin of --kubeconfig', () => {
  it('is asked about before its first run, and runs after a yes without another question', async () => {
    const questions: string[] = []
    const yes = (question: string): Promise<boolean> => {
      questions.push(question)
      return Promise.resolve(true)
    }
    for (let starts = 0; starts < 2; starts++) {
      const started = await start(yes)
      if (!started.ok) throw new Error(started.error.message)
      await expect.poll(hasRun).toBe(true)
      await started.value.stop()
    }
    expect(questions).toEqual([
      `${folder}/config signs in with a command that it has not run here: ${plugin}. Run it?`,
    ])
  })

  it('does not run after a no, and the start says so', async () => {
    expect(await start(() => Promise.resolve(false))).toEqual({
      ok: false,
      error: { exitCode: 2, message: `The credential plugin was not run: ${plugin}.` },
    })
    expect(await hasRun()).toBe(false)
  })

  it('runs as with kubectl where there is no terminal', async () => {
    const started = await start(undefined)
    if (!started.ok) throw new Error(started.error.message)
    await expect.poll(hasRun).toBe(true)
    await started.value.stop()
  })
})
