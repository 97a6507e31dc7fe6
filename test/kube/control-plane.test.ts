import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { describe, expect, it } from 'vitest'
import { findParts, startControlPlane } from './control-plane.ts'

const found = await findParts(['etcd', 'kube-apiserver'], process.env)
const how = 'missing' in found ? ` (skipped: ${found.how} brings it)` : ''

it('a control plane without its binaries is refused with the command that builds them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nodescope-no-parts-'))
  const environment = { PATH: folder, XDG_CACHE_HOME: folder }
  await expect(startControlPlane({ environment })).rejects.toThrow(
    /kube-apiserver not found; npm run kube:build .*kube-apiserver brings them/,
  )
  await rm(folder, { recursive: true })
})

describe.skipIf('missing' in found)(`a control plane${how}`, { timeout: 90_000 }, () => {
  it('authenticates its nodes by certificate, and leaves nothing behind', async () => {
    const plane = await startControlPlane({ environment: process.env, audit: true, nodes: ['n1'] })
    const { certificatePem: cert, keyPem: key } = plane.admin
    const dispatcher = new Agent({ connect: { ca: plane.caPem, cert, key } })
    const { statusCode, body } = await request(`${plane.url}/version`, { dispatcher })
    expect([statusCode, await body.json()]).toMatchObject([200, { major: '1', minor: '34' }])
    expect(await readFile(plane.nodeKubeconfigs.get('n1') ?? '', 'utf8')).toContain(plane.url)
    await dispatcher.destroy()
    await plane.stop()
    expect(existsSync(plane.folder)).toBe(false)
    await expect(request(plane.url)).rejects.toThrow('ECONNREFUSED')
  })
})
