import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import { lockFolder } from './folder-lock.ts'
import { removeLeftovers } from './leftovers.ts'

/** More than any system gives out. */
const goneProcess = 2 ** 22 + 1

let root: string
let data: string
let manifests: string
let temporary: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'leftovers-'))
  data = join(root, 'data')
  manifests = join(root, 'pods')
  temporary = join(root, 'tmp')
  for (const folder of [data, manifests, temporary, join(root, 'kube')]) mkdirSync(folder)
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

async function clean(): Promise<FakeLog> {
  const log = new FakeLog()
  const cluster = {
    kind: 'sandbox',
    port: null,
    kubeconfigPath: join(root, 'kube', 'config'),
  } as const
  const config = { dataFolder: data, manifestsPath: manifests, cluster }
  await removeLeftovers(config, { temporaryFolder: temporary, log })
  return log
}

function ephemeral(name: string, lock: string | undefined): void {
  mkdirSync(join(temporary, name, 'manifests'), { recursive: true })
  if (lock !== undefined) writeFileSync(join(temporary, name, 'nodescope.lock'), lock)
}

const goneLock = JSON.stringify({
  process: { pid: goneProcess, birth: null },
  host: 'web',
  since: 1,
})

describe('removeLeftovers', () => {
  it('removes the temporary files of ended processes from all folders', async () => {
    mkdirSync(join(data, 'manifests-scope-node-2'))
    const left = `.nodescope-${goneProcess}-0123456789ab`
    const places = [data, manifests, root, join(root, 'kube'), join(data, 'manifests-scope-node-2')]
    for (const place of places) writeFileSync(join(place, left), 'half a file')
    const log = await clean()
    for (const place of places) expect(readdirSync(place)).not.toContain(left)
    expect(log.lines.map(({ message }) => message)).toEqual(['removed leftovers of killed runs'])
  })

  it('keeps files of running processes, and files with similar names', async () => {
    const others = [
      `.nodescope-${process.pid}-0123456789ab`,
      `.nodescope-${goneProcess}-0123456789ab.yaml`,
      `nodescope-${goneProcess}-0123456789ab`,
      '.nodescope-0123456789ab',
    ]
    for (const name of others) writeFileSync(join(manifests, name), '')
    const log = await clean()
    expect(readdirSync(manifests).toSorted()).toEqual(others.toSorted())
    expect(log.lines).toEqual([])
  })

  it('removes only ephemeral data folders whose process has ended', async () => {
    ephemeral('nodescope-0123456789ab', goneLock)
    ephemeral('nodescope-111111111111', undefined)
    ephemeral('nodescope-2222222222222', goneLock)
    ephemeral('nodescope-333333333333', 'of another program')
    mkdirSync(join(temporary, 'nodescope-444444444444'))
    const running = lockFolder(join(temporary, 'nodescope-444444444444'), 'web', Date.now())
    expect(running.ok).toBe(true)
    mkdirSync(join(root, 'elsewhere'))
    writeFileSync(join(root, 'elsewhere', 'nodescope.lock'), goneLock)
    symlinkSync(join(root, 'elsewhere'), join(temporary, 'nodescope-555555555555'))
    await clean()
    expect(readdirSync(temporary).toSorted()).toEqual([
      'nodescope-111111111111',
      'nodescope-2222222222222',
      'nodescope-333333333333',
      'nodescope-444444444444',
      'nodescope-555555555555',
    ])
    expect(readdirSync(join(root, 'elsewhere'))).toEqual(['nodescope.lock'])
  })

  it('removes the folders of gotchas, which are unused while the data folder is locked', async () => {
    mkdirSync(join(data, 'gotchas', 'mirror-back'), { recursive: true })
    await clean()
    expect(readdirSync(join(data, 'gotchas'))).toEqual([])
  })

  it.runIf(process.platform === 'linux')('treats a zombie process as ended', async () => {
    // The shell becomes a sleep, which never asks about the child that the shell had.
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'])
    try {
      const zombie = await new Promise<number>((resolve) => {
        parent.stdout.once('data', (text: Buffer) => {
          resolve(Number(text.toString()))
        })
      })
      writeFileSync(join(data, `.nodescope-${zombie}-0123456789ab`), '')
      await expect
        .poll(async () => {
          await clean()
          return readdirSync(data)
        })
        .toEqual([])
    } finally {
      parent.kill('SIGKILL')
    }
  })
})
