import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, credentials } from '@grpc/grpc-js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import { nodePodNetwork } from '../pod-network/node-pod-network.ts'
import { decodeMessage, encodeMessage } from './cri-codec.ts'
import type { MessageName } from './cri-schema.ts'
import { asOther } from './fake-other-user.ts'
import { serveCri } from './serve-cri.ts'

let folder: string
let socketPath: string
const ends: (() => void)[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cri-'))
  socketPath = join(folder, 'cri.sock')
})

afterEach(() => {
  for (const end of ends.splice(0)) end()
  rmSync(folder, { recursive: true, force: true })
})

async function served() {
  const server = await serveCri({ socketPath, seed: 1, log: new FakeLog() })
  if (!server.ok) throw new Error(server.error)
  const client = new Client(`unix:${socketPath}`, credentials.createInsecure())
  ends.push(() => {
    client.close()
    server.value.stop()
  })
  /** The answer of a call, or `CODE details`. */
  return (method: string, names: readonly [MessageName, MessageName], request: object = {}) =>
    new Promise((resolve) => {
      client.makeUnaryRequest(
        `/runtime.v1.${method}`,
        (message: object) => encodeMessage(names[0], message),
        (bytes: Buffer) => decodeMessage(names[1], bytes),
        request,
        (error, answer) => {
          resolve(error === null ? answer : `${error.code} ${error.details}`)
        },
      )
    })
}

describe('serveCri', () => {
  it('serves a runtime that only its user can reach', async () => {
    const call = await served()
    expect(statSync(socketPath).mode & 0o777).toBe(0o600)
    expect(await call('RuntimeService/Version', ['VersionRequest', 'VersionResponse'])).toEqual({
      version: '0.1.0',
      runtimeName: 'simulated',
      runtimeVersion: '0.1.0',
      runtimeApiVersion: 'v1',
    })
    const status = await call('RuntimeService/ContainerStatus', ['ContainerId', 'Empty'])
    expect(status).toMatch(/^5 .*not found$/)
    expect(await call('RuntimeService/GetContainerEvents', ['Empty', 'Empty'])).toMatch(/^12 /)
    expect(await call('RuntimeService/RunPodSandbox', ['RunPodSandboxRequest', 'Empty'])).toBe(
      '3 sandbox config must include metadata',
    )
    const pulled = await call('ImageService/PullImage', ['ImageRequest', 'PullImageResponse'], {
      image: { image: 'nginx:missing' },
    })
    expect(pulled).toMatch(/^5 failed to pull and unpack image .*: not found$/)
  })

  it('mounts the real files of the machine into containers', async () => {
    const call = await served()
    const image = { image: 'busybox' }
    await call('ImageService/PullImage', ['ImageRequest', 'PullImageResponse'], { image })
    const metadata = { name: 'web', uid: 'u1', namespace: 'default', attempt: 0 }
    const sandboxConfig = { metadata, logDirectory: folder }
    const { podSandboxId } = (await call(
      'RuntimeService/RunPodSandbox',
      ['RunPodSandboxRequest', 'PodSandboxId'],
      { config: sandboxConfig },
    )) as { podSandboxId: string }
    for (const name of ['data', 'config']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'config', 'color'), 'blue')
    symlinkSync('color', join(folder, 'config', 'link'))
    writeFileSync(join(folder, 'message'), '')
    const config = {
      metadata: { name: 'app', attempt: 0 },
      image,
      command: ['sh', '-c', 'echo started > /data/out; echo why > /dev/termination-log; sleep 1h'],
      mounts: [
        { containerPath: '/data', hostPath: join(folder, 'data') },
        { containerPath: '/data/config', hostPath: join(folder, 'config'), readonly: true },
        { containerPath: '/dev/termination-log', hostPath: join(folder, 'message') },
        { containerPath: '/made', hostPath: join(folder, 'new/folder') },
      ],
    }
    const container = (await call(
      'RuntimeService/CreateContainer',
      ['CreateContainerRequest', 'ContainerId'],
      { podSandboxId, config, sandboxConfig },
    )) as { containerId: string }
    await call('RuntimeService/StartContainer', ['ContainerId', 'Empty'], container)
    expect(readFileSync(join(folder, 'data/out'), 'utf8')).toBe('started\n')
    expect(readFileSync(join(folder, 'message'), 'utf8')).toBe('why\n')
    const run = async (script: string): Promise<string> => {
      const cmd = ['sh', '-c', script]
      const names = ['ExecSyncRequest', 'ExecSyncResponse'] as const
      const ran = await call('RuntimeService/ExecSync', names, { ...container, cmd })
      const { stdout, stderr } = ran as { stdout?: Buffer; stderr?: Buffer }
      return `${stdout?.toString() ?? ''}${stderr?.toString() ?? ''}`
    }
    expect(await run('cat /data/config/link')).toBe('blue')
    // What another program changes is seen.
    writeFileSync(join(folder, 'config', 'color'), 'green')
    expect(await run('cat /data/config/color; ls /data/config')).toBe('greencolor\nlink\n')
    expect(await run('echo red > /data/config/color')).toContain('Read-only file system')
    const script =
      'echo more >> /data/out; mkdir -p /made/a; mv /data/out /made/a/b; mv /made/a/b /tmp; wc -c < /tmp/b'
    expect(await run(script)).toBe('13\n')
    expect(existsSync(join(folder, 'new/folder/a'))).toBe(true)
    expect(existsSync(join(folder, 'data/out'))).toBe(false)
    expect(await run('mv /tmp/b /data; rm -r /made/a; ls /made')).toBe('')
    expect(readFileSync(join(folder, 'data/b'), 'utf8')).toBe('started\nmore\n')
    expect(existsSync(join(folder, 'new/folder/a'))).toBe(false)
    expect(await run('cat /data/none')).toContain('No such file or directory')
  })

  it.runIf(process.platform === 'linux')(
    'gives pods addresses of this machine, and opens the ports of their servers there',
    async () => {
      const call = await served()
      const metadata = { name: 'web', uid: 'u1', namespace: 'default', attempt: 0 }
      const sandboxConfig = { metadata, logDirectory: folder }
      const sandbox = (await call(
        'RuntimeService/RunPodSandbox',
        ['RunPodSandboxRequest', 'PodSandboxId'],
        { config: sandboxConfig },
      )) as { podSandboxId: string }
      const { status } = (await call(
        'RuntimeService/PodSandboxStatus',
        ['PodSandboxId', 'PodSandboxStatusResponse'],
        sandbox,
      )) as { status: { network: { ip: string } } }
      const { ip: host } = status.network
      expect(host).toMatch(/^127\.\d+\.0\.2$/)
      const config = {
        metadata: { name: 'app', attempt: 0 },
        image: { image: 'agnhost' },
        args: ['netexec', '--http-port=18080'],
      }
      await call('ImageService/PullImage', ['ImageRequest', 'PullImageResponse'], config)
      const container = (await call(
        'RuntimeService/CreateContainer',
        ['CreateContainerRequest', 'ContainerId'],
        { ...sandbox, config, sandboxConfig },
      )) as { containerId: string }
      const get = async (): Promise<unknown> => {
        const asked = {
          scheme: 'http',
          host,
          port: 18_080,
          path: '/clientip',
          headers: [],
        } as const
        return nodePodNetwork.httpGet({ ...asked, timeoutMs: 5000 })
      }
      const refusal = `dial tcp ${host}:18080: connect: connection refused`
      expect(await get()).toEqual({ ok: false, error: refusal })
      await call('RuntimeService/StartContainer', ['ContainerId', 'Empty'], container)
      await expect.poll(get).toMatchObject({ value: { statusCode: 200, body: '127.0.0.1:40000' } })
      const stopped = { ...container, timeout: 0 }
      await call('RuntimeService/StopContainer', ['StopContainerRequest', 'Empty'], stopped)
      expect(await get()).toEqual({ ok: false, error: refusal })
    },
  )

  it('takes the place of a socket that no program serves any more', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(socketPath, resolve))
    const refused = await serveCri({ socketPath, seed: 1, log: new FakeLog() })
    expect(refused).toEqual({
      ok: false,
      error: `Another program serves ${socketPath}: stop it, or choose another path.`,
    })
    await new Promise((resolve) => server.close(resolve))
    const call = await served()
    expect(await call('RuntimeService/Status', ['Empty', 'StatusResponse'])).toMatchObject({
      status: { conditions: [{ type: 'RuntimeReady', status: true }, { type: 'NetworkReady' }] },
    })
  })

  it.skipIf(process.platform === 'win32')(
    'says that this user may not make a socket there',
    async () => {
      chmodSync(folder, 0o555)
      const refused = await asOther(() => serveCri({ socketPath, seed: 1, log: new FakeLog() }))
      expect(refused).toEqual({
        ok: false,
        error: `This user may not make or remove the socket ${socketPath}: choose a path in a folder of this user.`,
      })
    },
  )

  it.each([
    ['away/cri.sock', /^The folder .*away of the socket does not exist: create it first\.$/],
    ['file', /^.*file is not a socket: remove it, or choose another path\.$/],
    ['folder', /^.*folder is not a socket: remove it, or choose another path\.$/],
    ['file/cri.sock', /^The folder .*file of the socket does not exist: create it first\.$/],
    [
      `${'x'.repeat(100)}/cri.sock`,
      /^The socket path .* is too long: a Unix socket's path has \d+ bytes at most\.$/,
    ],
  ])('says in one sentence why nothing can be served at %s', async (name, sentence) => {
    writeFileSync(join(folder, 'file'), '')
    mkdirSync(join(folder, 'folder'))
    const refused = await serveCri({ socketPath: join(folder, name), seed: 1, log: new FakeLog() })
    expect(refused).toEqual({ ok: false, error: expect.stringMatching(sentence) })
  })
})
