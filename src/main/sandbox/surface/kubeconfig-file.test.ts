import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { sandboxKubeconfig, writeKubeconfig } from './kubeconfig-file.ts'

const facts = {
  url: 'https://127.0.0.1:6443',
  caPem: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  token: 't0k: #en',
  clusterName: 'nodescope-sandbox',
}

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}

describe('sandboxKubeconfig', () => {
  it('has one cluster with its CA, one user and the current context', () => {
    expect(parse(sandboxKubeconfig({ ...facts, namespace: 'shop' }))).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'nodescope-sandbox',
          cluster: {
            server: 'https://127.0.0.1:6443',
            'certificate-authority-data': Buffer.from(facts.caPem).toString('base64'),
          },
        },
      ],
      users: [{ name: 'nodescope-sandbox', user: { token: 't0k: #en' } }],
      contexts: [
        {
          name: 'nodescope-sandbox',
          context: { cluster: 'nodescope-sandbox', user: 'nodescope-sandbox', namespace: 'shop' },
        },
      ],
      'current-context': 'nodescope-sandbox',
    })
  })

  it('has a second user with a client certificate, whom the context does not name', () => {
    const certificate = { certificatePem: 'cert', keyPem: 'key' }
    const text = sandboxKubeconfig({ ...facts, certificateUser: { name: 'admin', certificate } })
    expect(parse(text)).toMatchObject({
      users: [
        { name: 'nodescope-sandbox' },
        {
          name: 'admin',
          user: { 'client-certificate-data': 'Y2VydA==', 'client-key-data': 'a2V5' },
        },
      ],
      contexts: [{ context: { user: 'nodescope-sandbox' } }],
    })
  })
})

describe('writeKubeconfig', () => {
  const text = sandboxKubeconfig(facts)

  it('creates missing folders and a file for the owner only', async () => {
    const path = join(folder, 'a', 'b', 'config')
    expect(await writeKubeconfig(path, text)).toEqual({ ok: true, value: undefined })
    expect(await readFile(path, 'utf8')).toBe(text)
    expect(await modeOf(path)).toBe('600')
    expect(await readdir(join(folder, 'a', 'b'))).toEqual(['config'])
  })

  it('replaces its own file, without the old mode', async () => {
    const path = join(folder, 'config')
    await writeKubeconfig(path, sandboxKubeconfig({ ...facts, token: 'old' }))
    await chmod(path, 0o644)
    expect(await writeKubeconfig(path, text)).toEqual({ ok: true, value: undefined })
    expect(await readFile(path, 'utf8')).toBe(text)
    expect(await modeOf(path)).toBe('600')
  })

  it('overwrites an empty file', async () => {
    const path = join(folder, 'config')
    await writeFile(path, '\n')
    expect(await writeKubeconfig(path, text)).toEqual({ ok: true, value: undefined })
  })

  it('replaces its own file after kubectl has rewritten it', async () => {
    const path = join(folder, 'config')
    const rewritten = { ...parse(text), contexts: [], preferences: {} }
    await writeFile(path, JSON.stringify(rewritten))
    expect(await writeKubeconfig(path, text)).toEqual({ ok: true, value: undefined })
  })

  it.each([
    ['a kubeconfig with another cluster', text.replaceAll('nodescope-sandbox', 'production')],
    [
      'a kubeconfig with another cluster in addition to ours',
      text.replace('clusters:', 'clusters:\n  - {name: production}'),
    ],
    ['a text that is not a kubeconfig', 'dear diary'],
    ['a text that is no YAML', 'a: [b'],
  ])('does not change %s', async (_, old) => {
    const path = join(folder, 'config')
    await writeFile(path, old)
    expect(await writeKubeconfig(path, text)).toEqual({
      ok: false,
      error: {
        kind: 'foreign-file',
        message: `${path} already exists and has other clusters or is not a kubeconfig: choose another file with --sandbox-kubeconfig.`,
      },
    })
    expect(await readFile(path, 'utf8')).toBe(old)
    expect(await readdir(folder)).toEqual(['config'])
  })

  it('reports in one sentence why it cannot write, and leaves no file', async () => {
    const asFolder = join(folder, 'config')
    await mkdir(asFolder)
    expect(await writeKubeconfig(asFolder, text)).toEqual({
      ok: false,
      error: {
        kind: 'failed',
        message: `Cannot write the kubeconfig ${asFolder}: it is a folder.`,
      },
    })
    await writeFile(join(folder, 'file'), '')
    const below = join(folder, 'file', 'config')
    expect(await writeKubeconfig(below, text)).toEqual({
      ok: false,
      error: {
        kind: 'failed',
        message: `Cannot write the kubeconfig ${below}: a part of the path is a file.`,
      },
    })
    expect((await readdir(folder)).toSorted()).toEqual(['config', 'file'])
  })
})
