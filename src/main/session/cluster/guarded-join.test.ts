import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parsersInPlace } from '../../parsing/kubernetes-text.ts'
import { toMicroTime } from '../../../shared/kubernetes/timestamps.ts'
import {
  makeCertificates,
  sendJson,
  TestHttpsServer,
} from '../../cluster/transport/fake-https-server.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { defaultKubeletConfiguration } from '../../kubelet/server/default-configuration.ts'
import type { KubeletAddress } from '../../nodes/serving/joined-kubelet.ts'
import type { RunningSession } from '../session-channel.ts'
import { fakeSessionConfig } from '../fake-session-config.ts'
import { startSession } from '../start-session.ts'

const leasePath = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1'

let folder: string
let server: TestHttpsServer
let session: RunningSession | undefined
let asked: string[]
/** The lease that the server returns. */
let renewedAt: () => number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-guarded-'))
  asked = []
  const certificates = await makeCertificates()
  server = new TestHttpsServer(certificates)
  server.handler = ({ method = '', url = '' }, response) => {
    const path = url.split('?', 1)[0] ?? ''
    asked.push(`${method} ${path}`)
    if (path === '/version') sendJson(response, 200, { gitVersion: 'v1.34.4' })
    else if (path === leasePath)
      sendJson(response, 200, {
        metadata: { name: 'n1', uid: 'l' },
        spec: { holderIdentity: 'n1', renewTime: toMicroTime(renewedAt()) },
      })
    else sendJson(response, 404, { kind: 'Status', code: 404, reason: 'NotFound' })
  }
  await server.listen()
  const cluster = {
    server: server.url,
    'certificate-authority-data': Buffer.from(certificates.ca).toString('base64'),
  }
  await writeFile(
    join(folder, 'config'),
    JSON.stringify({
      'current-context': 'there',
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'me', user: { token: 'x' } }],
      contexts: [{ name: 'there', context: { cluster: 'c', user: 'me' } }],
    }),
  )
})

afterEach(async () => {
  await session?.stop()
  session = undefined
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

function tryToStart(
  printed: string[],
  kubeletAddress?: KubeletAddress,
): ReturnType<typeof startSession> {
  return startSession(
    fakeSessionConfig({
      cluster: {
        kind: 'kubeconfig',
        path: join(folder, 'config'),
        context: null,
        allowSimulated: false,
        ...(kubeletAddress === undefined ? {} : { kubeletAddress }),
      },
      configuration: { ...defaultKubeletConfiguration, serverTLSBootstrap: true },
      nodeName: 'n1',
      manifestsPath: folder,
      dataFolder: folder,
      openPod: '',
    }),
    {
      log: new FakeLog(),
      assets: { list: () => Promise.resolve([]), readText: () => Promise.resolve('') },
      parsers: parsersInPlace,
      host: 'web',
      printLine: (line) => printed.push(line),
      environment: {},
    },
  )
}

async function start(printed: string[], kubeletAddress?: KubeletAddress): Promise<RunningSession> {
  const started = await tryToStart(printed, kubeletAddress)
  if (!started.ok) throw new Error(started.error.message)
  session = started.value
  return session
}

async function connectionOf({ channel }: RunningSession): Promise<unknown> {
  const { clusters } = await channel.connect(() => undefined).request('view.open', {})
  return clusters[0]?.connection
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10))
}

const written = (): readonly string[] =>
  asked.filter((one) => !one.startsWith('GET ') && !one.includes('reviews'))

describe('joining with the name of a node whose lease is current', () => {
  it('says on the page and in the terminal that it waits, and exits with a sentence if the lease is renewed', async () => {
    renewedAt = Date.now
    const printed: string[] = []
    const running = await start(printed)
    await until(() => printed.some((line) => line.startsWith('Watching')))
    const sentence = expect.stringMatching(/^Watching the lease of node "n1" for 15 s: "n1" /)
    expect(await connectionOf(running)).toEqual({ kind: 'waiting', message: sentence })
    expect(printed.at(-1)).toEqual(sentence)
    const held = expect.stringMatching(/^The node "n1" is held by a running kubelet: "n1" /)
    expect(await running.refused).toEqual({ exitCode: 2, message: held })
    expect(await connectionOf(running)).toEqual({ kind: 'waiting', message: held })
    expect(written()).toEqual([])
  })

  it('can be stopped while it waits', async () => {
    const since = Date.now()
    renewedAt = () => since
    const running = await start([])
    await until(() => asked.filter((one) => one === `GET ${leasePath}`).length === 2)
    await running.stop()
    expect(written()).toEqual([])
    // A started kubelet would first GET its Node.
    expect(asked.filter((one) => one === 'GET /api/v1/nodes')).toEqual([])
  })

  it('does not request a certificate while it waits, and refuses connections', async () => {
    const since = Date.now()
    renewedAt = () => since
    const running = await start([], { host: '127.0.0.1', port: 0 })
    await until(() => asked.filter((one) => one === `GET ${leasePath}`).length === 2)
    const { value = '' } = running.facts.find(({ name }) => name === 'kubelet') ?? {}
    await expect(fetch(`${value}/healthz`)).rejects.toThrow('fetch failed')
    expect(written()).toEqual([])
  })

  it('writes nothing if the address of its server is taken', async () => {
    renewedAt = () => Date.now() - 40_000
    const taken = await tryToStart([], { host: '127.0.0.1', port: server.port })
    expect(taken).toMatchObject({
      ok: false,
      error: { exitCode: 2, message: expect.stringContaining('is in use by another program') },
    })
    expect(written()).toEqual([])
  })

  it('starts at once if the lease has expired', async () => {
    renewedAt = () => Date.now() - 40_000
    const running = await start([])
    await until(() => asked.includes('GET /api/v1/nodes'))
    expect(await connectionOf(running)).not.toMatchObject({ kind: 'waiting' })
  })
})
