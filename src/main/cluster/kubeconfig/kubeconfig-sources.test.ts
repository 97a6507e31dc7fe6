import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { JsonObject } from '../../../shared/json.ts'
import { readKubeconfig } from './kubeconfig-sources.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfigs-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

async function write(name: string, config: JsonObject): Promise<string> {
  const path = join(folder, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, stringify(config))
  return path
}

async function merged(...paths: readonly string[]) {
  const environment = { KUBECONFIG: paths.join(delimiter) }
  return await readKubeconfig({ kind: 'environment' }, { environment })
}

describe('$KUBECONFIG', () => {
  it('takes entries of one name and the current context from the first file that has them', async () => {
    const one = await write('one', {
      contexts: [{ name: 'a', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server: 'https://one' } }],
      users: [{ name: 'u', user: { token: 'one' } }],
    })
    const two = await write('two', {
      'current-context': 'b',
      contexts: [
        { name: 'a', context: { cluster: 'c', user: 'other', namespace: 'x' } },
        { name: 'b', context: { cluster: 'c', user: 'u' } },
      ],
      clusters: [{ name: 'c', cluster: { server: 'https://two', 'tls-server-name': 'two' } }],
      users: [{ name: 'other', user: { token: 'two' } }],
    })
    expect(await merged(one, join(folder, 'missing'), two, one)).toMatchObject({
      ok: true,
      value: {
        where: '$KUBECONFIG',
        files: [{ path: one }, { path: join(folder, 'missing'), changedAt: null }, { path: two }],
        config: {
          'current-context': 'b',
          contexts: [
            { name: 'a', context: { cluster: 'c', user: 'u' } },
            { name: 'b', context: { cluster: 'c', user: 'u' } },
          ],
          clusters: [{ name: 'c', cluster: { server: 'https://one' } }],
          users: [
            { name: 'u', user: { token: 'one' } },
            { name: 'other', user: { token: 'two' } },
          ],
        },
      },
    })
  })

  it('resolves relative paths at the folder of the file that has them', async () => {
    const users = [
      { name: 'u', user: { tokenFile: 'token', exec: { command: './plugin' } } },
      { name: 'v', user: { 'client-key': '/keys/k', exec: { command: 'plugin' } } },
    ]
    const one = await write('a/one', { users })
    const clusters = [{ name: 'c', cluster: { 'certificate-authority': '../ca.crt' } }]
    const two = await write('b/two', { clusters, contexts: [] })
    expect(await merged(one, two)).toMatchObject({
      value: {
        config: {
          users: [
            {
              user: {
                tokenFile: join(folder, 'a/token'),
                exec: { command: join(folder, 'a/plugin') },
              },
            },
            { user: { 'client-key': '/keys/k', exec: { command: 'plugin' } } },
          ],
          clusters: [{ cluster: { 'certificate-authority': join(folder, 'ca.crt') } }],
        },
      },
    })
  })

  it('names the file that cannot be read', async () => {
    const broken = join(folder, 'broken')
    await writeFile(broken, 'a: [')
    const fine = await write('fine', { contexts: [] })
    expect(await merged(fine, broken)).toMatchObject({
      ok: false,
      error: { kind: 'broken', message: expect.stringContaining(broken) },
    })
  })
})

describe('the service account of a pod', () => {
  it('is a context of its own', async () => {
    const environment = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }
    const places = { environment, serviceAccountFolder: '/sa' }
    expect(await readKubeconfig({ kind: 'inCluster' }, places)).toMatchObject({
      ok: true,
      value: {
        config: {
          clusters: [
            {
              cluster: { server: 'https://[fd00::1]:443', 'certificate-authority': '/sa/ca.crt' },
            },
          ],
          users: [{ user: { tokenFile: '/sa/token' } }],
        },
      },
    })
    expect(await readKubeconfig({ kind: 'inCluster' }, { environment: {} })).toMatchObject({
      ok: false,
    })
  })
})
