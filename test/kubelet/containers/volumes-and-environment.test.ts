import { afterEach, describe, expect, it } from 'vitest'
import type { KubeObject, Pod } from '../../../src/shared/kubernetes/objects.ts'
import type {
  PodVolumes,
  VariableView,
  VolumeView,
} from '../../../src/shared/model/inside-pod/pod-volumes.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { specVolumes } from '../../../src/main/kubelet/volumes-and-environment/spec-volumes.ts'
import { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'

const startAt = Date.UTC(2026, 0, 1)
const configMaps = '/api/v1/namespaces/default/configmaps'
const secrets = '/api/v1/namespaces/default/secrets'

let sandbox: MemorySandbox

function start(): void {
  sandbox = new MemorySandbox({ seed: 1, startAt, nodeNames: ['n1'], log: new FakeLog() })
  sandbox.start()
}

afterEach(() => {
  sandbox.stop()
})

function object(kind: string, name: string, fields: object): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, uid: '' }, ...fields }
}

function podOf(container: object, spec: object = {}): Pod {
  const command = ['sh', '-c', 'sleep 100000']
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', uid: '', namespace: 'default', labels: { app: 'web' } },
    spec: {
      nodeName: 'n1',
      restartPolicy: 'Always',
      enableServiceLinks: false,
      automountServiceAccountToken: false,
      tolerations: [{ operator: 'Exists' as const }],
      containers: [{ name: 'c', image: 'busybox:1.36', command, ...container }],
      ...spec,
    },
  }
}

function kubeletPod(): Pod {
  const pod = sandbox
    .node()
    .kubelet.podManager.getPods()
    .find(({ metadata }) => metadata.name === 'p')
  if (pod === undefined) throw new Error('no pod')
  return pod
}

function view(): Promise<PodVolumes> {
  return sandbox.node().kubelet.volumesAndEnvironment.view(kubeletPod())
}

function volume(seen: PodVolumes, name: string): VolumeView {
  const found = seen.volumes.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no volume ${name}`)
  return found
}

/** The variables of the spec, without those of Services. */
function own({ environments }: PodVolumes): readonly VariableView[] {
  return (environments[0]?.variables ?? []).filter(({ source }) => source.kind !== 'service')
}

function shortOf(seen: PodVolumes): readonly unknown[] {
  return own(seen).map(({ name, state, value, isHidden, isOutdated }) => [
    name,
    state,
    isHidden ? '(hidden)' : value,
    ...(isOutdated ? ['outdated'] : []),
  ])
}

function atSecond(at: number | null | undefined): number {
  return at === null || at === undefined ? Number.NaN : (at - startAt) / 1000
}

describe('the volumes of a pod', () => {
  it('tell since when a ConfigMap is missing, how often it was tried and when next, and that it is mounted then', async () => {
    start()
    const volumeMounts = [{ name: 'rules', mountPath: '/etc/rules' }]
    const volumes = [
      { name: 'rules', configMap: { name: 'rules', items: [{ key: 'a', path: 'a' }] } },
      { name: 'idle', emptyDir: { sizeLimit: '64Mi' } },
    ]
    await sandbox.createPod(podOf({ volumeMounts }, { volumes }))
    await sandbox.clock.advance(10_000)
    const { failure, state, source, mounts } = volume(await view(), 'rules')
    expect([state, source, mounts]).toEqual([
      'waiting',
      {
        kind: 'object',
        object: {
          kind: 'ConfigMap',
          name: 'rules',
          state: 'missing',
          isOptional: false,
          keys: ['a'],
          missingKeys: [],
          keyCount: null,
          asOf: null,
        },
      },
      [{ container: 'c', path: '/etc/rules', isReadOnly: false, subPath: '' }],
    ])
    // 500 ms, 1 s, 2 s and 4 s between the tries.
    expect([failure?.message, failure?.count]).toEqual(['configmap "rules" not found', 5])
    const between = atSecond(failure?.lastAt) - atSecond(failure?.firstAt)
    expect(between).toBeGreaterThan(7.5)
    expect(between).toBeLessThan(9)
    const waits = atSecond(failure?.nextTryAt) - atSecond(failure?.lastAt)
    expect(waits).toBeGreaterThan(8)
    expect(waits).toBeLessThan(8.2)
    expect(volume(await view(), 'idle')).toMatchObject({
      state: 'unused',
      source: { kind: 'emptyDir', medium: '', sizeLimit: '64Mi' },
    })
    await sandbox.request('POST', configMaps, object('ConfigMap', 'rules', { data: { a: 'x' } }))
    await sandbox.clock.advance(1)
    const there = volume(await view(), 'rules')
    expect(there.source).toMatchObject({ object: { state: 'found', keyCount: 1 } })
    expect([there.state, there.failure?.count]).toEqual(['waiting', 5])
    const nextTryAt = failure?.nextTryAt ?? 0
    await sandbox.clock.advance(nextTryAt - sandbox.clock.now())
    expect(volume(await view(), 'rules')).toMatchObject({
      state: 'mounted',
      since: nextTryAt,
      failure: null,
    })
  })

  it('name the missing key of an object that is there', async () => {
    start()
    await sandbox.request('POST', secrets, object('Secret', 'tls', { data: { crt: 'eA==' } }))
    const items = [
      { key: 'crt', path: 'crt' },
      { key: 'key', path: 'key' },
    ]
    const volumes = [{ name: 'tls', secret: { secretName: 'tls', items } }]
    const volumeMounts = [{ name: 'tls', mountPath: '/etc/tls' }]
    await sandbox.createPod(podOf({ volumeMounts }, { volumes }))
    await sandbox.clock.advance(5000)
    const { source, failure } = volume(await view(), 'tls')
    expect(source).toMatchObject({ object: { state: 'found', missingKeys: ['key'], keyCount: 1 } })
    expect(failure?.message).toBe('references non-existent secret key: key')
  })

  it('stay mounted while the ConfigMap is gone, and tell when their files changed and their token is renewed', async () => {
    start()
    await sandbox.request('POST', configMaps, object('ConfigMap', 'web', { data: { a: '1' } }))
    const sources = [
      { serviceAccountToken: { path: 'token', expirationSeconds: 3600 } },
      { configMap: { name: 'web' } },
      { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
    ]
    const volumes = [{ name: 'all', projected: { sources } }]
    const volumeMounts = [{ name: 'all', mountPath: '/etc/all', subPath: 'a' }]
    await sandbox.createPod(podOf({ volumeMounts }, { volumes }))
    await sandbox.clock.advance(10_000)
    const mounted = volume(await view(), 'all')
    expect(mounted).toMatchObject({
      state: 'mounted',
      updatedAt: null,
      mounts: [{ subPath: 'a' }],
      source: {
        kind: 'projected',
        parts: [
          { kind: 'token', audience: '', expirationSeconds: 3600 },
          { kind: 'object', object: { name: 'web', state: 'found' } },
          { kind: 'downwardAPI', items: ['metadata.labels'] },
        ],
      },
    })
    const renewal = atSecond(mounted.renewsAt) - atSecond(mounted.since)
    expect(Math.round(renewal)).toBe(2880)
    const changed = object('ConfigMap', 'web', { data: { a: '2' } })
    await sandbox.request('PUT', `${configMaps}/web`, changed)
    await sandbox.clock.advance(120_000)
    const updated = volume(await view(), 'all')
    expect(updated.since).toBe(mounted.since)
    expect(atSecond(updated.updatedAt)).toBeGreaterThan(10)
    await sandbox.request('DELETE', `${configMaps}/web`)
    await sandbox.clock.advance(120_000)
    const without = volume(await view(), 'all')
    expect([without.state, without.since]).toEqual(['mounted', mounted.since])
    expect(without.failure?.message).toBe('configmap "web" not found')
    expect(without.source).toMatchObject({ parts: [{}, { object: { state: 'missing' } }, {}] })
  })
})

describe('the environment of a container', () => {
  const env = [
    { name: 'LEVEL', value: 'info' },
    { name: 'URL', valueFrom: { configMapKeyRef: { name: 'web', key: 'url' } } },
    { name: 'FLAGS', valueFrom: { configMapKeyRef: { name: 'flags', key: 'x', optional: true } } },
    { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'login', key: 'token' } } },
    { name: 'HEADER', value: 'Bearer $(TOKEN)' },
    { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
    {
      name: 'CPU',
      valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } },
    },
  ]
  const resources = { limits: { cpu: '200m' } }

  async function createObjects(): Promise<void> {
    await sandbox.request('POST', configMaps, object('ConfigMap', 'web', { data: { url: 'a' } }))
  }

  it('says which key is missing before the container starts, then what the container got, and hides Secrets', async () => {
    start()
    await createObjects()
    await sandbox.createPod(podOf({ env, resources }))
    await sandbox.clock.advance(5000)
    const waiting = await view()
    expect(waiting.environments[0]).toMatchObject({ container: 'c', isGiven: false, refusal: '' })
    expect(shortOf(waiting).filter((one) => !JSON.stringify(one).includes('"IP"'))).toEqual([
      ['LEVEL', 'found', 'info'],
      ['URL', 'found', 'a'],
      ['FLAGS', 'absent', ''],
      ['TOKEN', 'objectMissing', ''],
      ['HEADER', 'found', '(hidden)'],
      ['CPU', 'found', '200'],
    ])
    expect(own(waiting)[3]?.message).toBe('secret "login" not found')
    const data = { other: 'eA==' }
    await sandbox.request('POST', secrets, object('Secret', 'login', { data }))
    await sandbox.clock.advance(1000)
    expect(own(await view())[3]).toMatchObject({
      state: 'keyMissing',
      message: "couldn't find key token in Secret default/login",
    })
    const whole = object('Secret', 'login', { data: { token: 'czNjcmV0' } })
    await sandbox.request('PUT', `${secrets}/login`, whole)
    await sandbox.clock.advance(60_000)
    const running = await view()
    expect(running.environments[0]?.isGiven).toBe(true)
    expect(shortOf(running)).toEqual([
      ['LEVEL', 'found', 'info'],
      ['URL', 'found', 'a'],
      ['FLAGS', 'absent', ''],
      ['TOKEN', 'found', '(hidden)'],
      ['HEADER', 'found', '(hidden)'],
      ['IP', 'found', expect.stringMatching(/^10\./)],
      ['CPU', 'found', '200'],
    ])
    expect(JSON.stringify(running)).not.toContain('s3cret')
    const { valueOf } = sandbox.node().kubelet.volumesAndEnvironment
    expect(await valueOf(kubeletPod(), 'c', 'HEADER')).toEqual({
      ok: true,
      value: { value: 'Bearer s3cret' },
    })
    expect(await valueOf(kubeletPod(), 'c', 'NONE')).toMatchObject({ ok: false })
    expect(await valueOf(kubeletPod(), 'd', 'HEADER')).toMatchObject({ ok: false })
  })

  it('keeps the values of the running container when its ConfigMap changes, and says so', async () => {
    start()
    await createObjects()
    const envFrom = [{ prefix: 'P_', configMapRef: { name: 'web' } }]
    await sandbox.createPod(podOf({ envFrom }))
    await sandbox.clock.advance(10_000)
    expect(shortOf(await view())).toEqual([['P_url', 'found', 'a']])
    const changed = object('ConfigMap', 'web', { data: { url: 'b', more: 'c' } })
    await sandbox.request('PUT', `${configMaps}/web`, changed)
    await sandbox.clock.advance(1000)
    expect(shortOf(await view())).toEqual([
      ['P_url', 'found', 'a', 'outdated'],
      ['P_more', 'found', '', 'outdated'],
    ])
    await sandbox.request('PUT', `${configMaps}/web`, object('ConfigMap', 'web', { data: {} }))
    await sandbox.clock.advance(1000)
    expect(own(await view())).toMatchObject([
      { name: 'P_url', value: 'a', source: { kind: 'former' }, isOutdated: true },
    ])
  })

  it('hides what may be from a Secret of envFrom that has lost its key', async () => {
    start()
    await createObjects()
    await sandbox.request('POST', secrets, object('Secret', 's', { data: { url: 'czNjcmV0' } }))
    const envFrom = [{ configMapRef: { name: 'web' } }, { secretRef: { name: 's' } }]
    await sandbox.createPod(podOf({ envFrom, env: [{ name: 'COPY', value: '$(url)' }] }))
    await sandbox.clock.advance(10_000)
    expect(shortOf(await view())).toEqual([
      ['url', 'found', '(hidden)'],
      ['COPY', 'found', '(hidden)'],
    ])
    await sandbox.request('PUT', `${secrets}/s`, object('Secret', 's', { data: {} }))
    await sandbox.clock.advance(1000)
    const after = await view()
    expect(shortOf(after)).toEqual([
      ['url', 'found', '(hidden)', 'outdated'],
      ['COPY', 'found', '(hidden)', 'outdated'],
    ])
    expect(JSON.stringify(after)).not.toContain('s3cret')
  })

  it('is known from the spec alone where no kubelet has the pod', async () => {
    start()
    const pod = podOf({ env }, { volumes: [{ name: 'a', hostPath: { path: '/x', type: 'File' } }] })
    const seen = await specVolumes(pod)
    expect(seen.isKnown).toBe(false)
    expect(seen.volumes).toMatchObject([
      { state: 'unused', source: { kind: 'hostPath', path: '/x', type: 'File' } },
    ])
    expect(shortOf(seen).slice(0, 2)).toEqual([
      ['LEVEL', 'found', 'info'],
      ['URL', 'unread', ''],
    ])
  })
})
