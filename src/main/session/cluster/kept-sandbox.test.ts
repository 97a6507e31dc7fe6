import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { parse } from 'yaml'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { podColumns, restartsText } from '../../../shared/kubernetes/printers/pod-columns.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import type { KubeResponse } from '../../../shared/kubernetes/request.ts'
import { ecKeyPem, requestPem } from '../../sandbox/certificates/fake-certificate-request.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { openState } from '../../state/open-state.ts'
import { resetState } from '../../state/replace-state.ts'
import { openServerKeys } from '../../state/server-keys.ts'
import type { OpenSandbox } from './open-cluster.ts'
import { openSandbox } from './open-sandbox.ts'

interface CertificateOrToken {
  readonly status?: {
    readonly certificate?: string
    readonly token?: string
    readonly userInfo?: { readonly username: string }
  }
}

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: Readonly<Record<'server' | 'certificate-authority-data', string>> },
  ]
}

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-kept-'))
  const manifest = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } }
  const spec = { containers: [{ name: 'c', image: 'nginx:1.27' }] }
  await writeFile(join(folder, 'web.json'), JSON.stringify({ ...manifest, spec }))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** A process: opens the sandbox, does something with it, and ends. */
async function run<T>(
  seed: number,
  act: (sandbox: OpenSandbox) => Promise<T>,
  startAt = 1_700_000_000_000,
): Promise<T> {
  const log = new FakeLog()
  const state = await openState({ path: join(folder, 'state'), version: '1.0.0', log })
  if (!state.ok) throw new Error(state.error)
  const keys = await openServerKeys(join(folder, 'state'), log)
  if (!keys.ok) throw new Error(keys.error)
  const opened = await openSandbox(
    {
      id: 'sandbox',
      version: '1.0.0',
      nodes: [{ name: 'n1', manifestsPath: folder }],
      maxPods: 110,
      manifestUrl: null,
      port: 0,
      kubeconfigPath: join(folder, 'kubeconfig'),
      seed,
      startAt,
      readOnly: false,
    },
    { log, state: state.value, ...keys.value },
  )
  if (!opened.ok) throw new Error(opened.error)
  try {
    return await act(opened.value)
  } finally {
    await opened.value.stop()
  }
}

const json = { accept: 'application/json', 'content-type': 'application/json' }

function create(sandbox: OpenSandbox, plural: string, body: unknown): Promise<KubeResponse> {
  const path = `/api/v1/namespaces/default/${plural}`
  return sandbox.adminTransport.send({ method: 'POST', path, body, headers: json })
}

async function pod(sandbox: OpenSandbox, name: string): Promise<Pod> {
  const answer = await sandbox.admin.get({ resource: 'pods', namespace: 'default', name })
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.value
}

function createPod(sandbox: OpenSandbox, name: string, restartPolicy: string): Promise<unknown> {
  const containers = [{ name: 'c', image: 'nginx:1.27' }]
  return create(sandbox, 'pods', { metadata: { name }, spec: { restartPolicy, containers } })
}

const versionOf = ({ metadata }: Pod): number => Number(metadata.resourceVersion)

describe('a sandbox that keeps its state', () => {
  it('goes on after a restart as after a reboot of its machine', async () => {
    const before = await run(1, async (sandbox) => {
      await createPod(sandbox, 'api', 'Always')
      await createPod(sandbox, 'once', 'Never')
      await sandbox.virtualClock.advance(30_000)
      return {
        now: sandbox.virtualClock.now(),
        api: await pod(sandbox, 'api'),
        web: await pod(sandbox, 'web-n1'),
      }
    })
    expect(before.api.status?.containerStatuses?.[0]).toMatchObject({
      ready: true,
      restartCount: 0,
    })
    await run(1, async (sandbox) => {
      expect(sandbox.virtualClock.now()).toBe(before.now)
      expect(await pod(sandbox, 'api')).toEqual(before.api)
      await sandbox.virtualClock.advance(30_000)
      for (const [name, old] of [
        ['api', before.api],
        ['web-n1', before.web],
      ] as const) {
        const now = await pod(sandbox, name)
        expect(now.metadata.uid).toBe(old.metadata.uid)
        expect(versionOf(now)).toBeGreaterThan(versionOf(old))
        const [container] = now.status?.containerStatuses ?? []
        expect(container).toMatchObject({ ready: true, restartCount: 1 })
        // As after a reboot of a machine with containerd, and so `1 (30s ago)` in the column RESTARTS.
        expect(container?.lastState?.terminated).toMatchObject({
          exitCode: 255,
          reason: 'Unknown',
          finishedAt: toTimestamp(before.now),
          containerID: old.status?.containerStatuses?.[0]?.containerID,
        })
        expect(restartsText(podColumns(now, before.now + 30_000), before.now + 30_000)).toBe(
          '1 (30s ago)',
        )
        expect(container?.containerID).not.toBe(old.status?.containerStatuses?.[0]?.containerID)
      }
      const once = await pod(sandbox, 'once')
      expect(once.status).toMatchObject({ phase: 'Failed' })
      expect(once.status?.containerStatuses?.[0]).toMatchObject({ restartCount: 0 })
      const events = await sandbox.adminTransport.send({
        method: 'GET',
        path: '/api/v1/events',
        headers: json,
      })
      expect(JSON.stringify(events)).toContain('"reason":"Rebooted"')
    })
  })

  it('gives no UID and no resource version twice, though the seed is the same', async () => {
    const one = await run(1, async (sandbox) => {
      await createPod(sandbox, 'one', 'Never')
      return pod(sandbox, 'one')
    })
    const two = await run(1, async (sandbox) => {
      await createPod(sandbox, 'two', 'Never')
      return pod(sandbox, 'two')
    })
    expect(two.metadata.uid).not.toBe(one.metadata.uid)
    expect(versionOf(two)).toBeGreaterThan(versionOf(one))
  })

  it('ends a watch from before the restart with 410', async () => {
    const version = await run(1, async (sandbox) => {
      await createPod(sandbox, 'one', 'Never')
      return versionOf(await pod(sandbox, 'one'))
    })
    await run(1, async (sandbox) => {
      const answer = await sandbox.adminTransport.send({
        method: 'GET',
        path: '/api/v1/pods',
        query: { watch: 'true', resourceVersion: String(version) },
        headers: json,
      })
      if (answer.kind !== 'watch') throw new Error(`a watch, not ${answer.kind}`)
      const { value } = await answer.stream.events[Symbol.asyncIterator]().next()
      answer.stream.stop()
      expect(value).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })
    })
  })

  it('has the deletion of an object after a restart', async () => {
    const path = '/api/v1/namespaces/default/configmaps/a'
    await run(1, async (sandbox) => {
      await create(sandbox, 'configmaps', { metadata: { name: 'a' } })
      await sandbox.adminTransport.send({ method: 'DELETE', path, headers: json })
    })
    await run(1, async (sandbox) => {
      const answer = await sandbox.adminTransport.send({ method: 'GET', path, headers: json })
      expect(answer.status).toBe(404)
    })
  })

  it('accepts client certificates and tokens from before a restart, until it is reset', async () => {
    const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
    const before = await run(
      1,
      async (sandbox) => {
        const send = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => {
          const answer = await sandbox.adminTransport.send({ method, path, body, headers: json })
          if (answer.kind !== 'object') throw new Error(`an object, not ${answer.kind}`)
          return answer.body as CertificateOrToken
        }
        const spec = {
          request: Buffer.from(
            requestPem({ organization: 'dev', commonName: 'kim', names: [] }),
          ).toString('base64'),
          signerName: 'kubernetes.io/kube-apiserver-client',
          usages: ['client auth'],
        }
        const made = await send('POST', requests, { metadata: { name: 'kim' }, spec })
        const approved = { type: 'Approved', status: 'True', reason: 'Test', message: 'test' }
        await send('PUT', `${requests}/kim/approval`, {
          ...made,
          status: { conditions: [approved] },
        })
        await sandbox.virtualClock.advance(5000)
        const signed = await send('GET', `${requests}/kim`)
        const tokens = '/api/v1/namespaces/default/serviceaccounts/default/token'
        const issued = await send('POST', tokens, { spec: { expirationSeconds: 3600 } })
        const certificate = Buffer.from(signed.status?.certificate ?? '', 'base64').toString()
        return { certificate, token: issued.status?.token ?? '' }
        // TLS checks certificates on the machine's clock.
      },
      Date.now(),
    )
    const users = async (): Promise<readonly unknown[]> => {
      const config: unknown = parse(await readFile(join(folder, 'kubeconfig'), 'utf8'))
      const { cluster } = (config as Kubeconfig).clusters[0]
      const ca = Buffer.from(cluster['certificate-authority-data'], 'base64')
      const whoami = async (tls: object, headers: Record<string, string>): Promise<unknown> => {
        const dispatcher = new Agent({ connect: { ca, ...tls } })
        const answer = await request(
          `${cluster.server}/apis/authentication.k8s.io/v1/selfsubjectreviews`,
          { dispatcher, method: 'POST', headers: { ...json, ...headers }, body: '{}' },
        )
        const review = (await answer.body.json()) as CertificateOrToken
        await dispatcher.destroy()
        return review.status?.userInfo?.username ?? answer.statusCode
      }
      return [
        await whoami({ cert: before.certificate, key: ecKeyPem }, {}),
        await whoami({}, { authorization: `Bearer ${before.token}` }),
      ]
    }
    expect(await run(2, users)).toEqual(['kim', 'system:serviceaccount:default:default'])
    await resetState({ path: join(folder, 'state') })
    expect(await run(1, users)).toEqual([401, 401])
  })

  it('writes files that only this user can read', async () => {
    const before = process.umask(0o077)
    try {
      await run(1, () => Promise.resolve())
    } finally {
      process.umask(before)
    }
    const { statSync } = await import('node:fs')
    const state = join(folder, 'state')
    for (const name of await readdir(state))
      expect([name, statSync(join(state, name)).mode & 0o777]).toEqual([name, 0o600])
    expect(await readFile(join(state, 'CURRENT'), 'utf8')).toMatch(/^MANIFEST-/)
  })
})
