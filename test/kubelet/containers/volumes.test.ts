import { afterEach, describe, expect, it } from 'vitest'
import { isJsonObject, objectsAt, textAt } from '../../../src/shared/json.ts'
import type { KubeObject, Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { TraceEvent } from '../../../src/shared/model/trace-event.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type { SimulatedRuntime } from '../../../src/main/runtimes/simulated/simulated-runtime.ts'
import { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'

const pods = '/api/v1/namespaces/default/pods'
const configMaps = '/api/v1/namespaces/default/configmaps'
const mountPath = '/etc/data'

let sandbox: MemorySandbox
let events: TraceEvent[]

function start(): void {
  const log = new FakeLog()
  sandbox = new MemorySandbox({ seed: 1, startAt: Date.UTC(2026, 0, 1), nodeNames: ['n1'], log })
  events = []
  sandbox.trace.listen((event) => events.push(event))
  sandbox.start()
}

function object(kind: string, name: string, fields: object): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, uid: '' }, ...fields }
}

interface PodParts {
  readonly script?: string
  readonly mount?: object
  readonly spec?: object
}

/** A pod whose only container mounts the volume. */
function podWith(source: object, { script, mount, spec }: PodParts = {}): Pod {
  const command = ['sh', '-c', script ?? 'sleep 100000']
  const volumeMounts = [{ name: 'data', mountPath, ...mount }]
  const containers = [{ name: 'c', image: 'busybox:1.36', command, volumeMounts }]
  const tolerations = [{ operator: 'Exists' as const }]
  const volumes = [{ name: 'data', ...source }]
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', uid: '', namespace: 'default', labels: { app: 'web' } },
    spec: {
      nodeName: 'n1',
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      containers,
      tolerations,
      volumes,
      ...spec,
    },
  }
}

async function read(path: string): Promise<Pod> {
  const answer = await sandbox.request('GET', path)
  if (answer.kind !== 'object') throw new Error('no object')
  // As a KubeObject it has no type of its own.
  return answer.body as unknown as Pod
}

function runtime(): SimulatedRuntime {
  return sandbox.node().runtime as SimulatedRuntime
}

/** What the command prints in the pod's container. */
async function output(...command: readonly string[]): Promise<string> {
  const listed = await runtime().listContainers({ state: 'running' })
  if (!listed.ok || listed.value[0] === undefined) throw new Error('no container')
  const call = runtime().execSync(listed.value[0].id, command, 0)
  await sandbox.clock.advance(1000)
  const result = await call
  return result.ok ? Buffer.from(result.value.stdout).toString() : result.error.message
}

function seen(kind: TraceEvent['kind']): readonly unknown[] {
  return events.filter((event) => event.kind === kind).map(({ data }) => data)
}

async function messagesOf(reason: string): Promise<readonly string[]> {
  const answer = await sandbox.request('GET', '/api/v1/namespaces/default/events')
  if (answer.kind !== 'object' || !isJsonObject(answer.body)) throw new Error('no list')
  return objectsAt(answer.body, 'items')
    .filter((event) => textAt(event, 'reason') === reason)
    .map((event) => textAt(event, 'message'))
}

afterEach(() => {
  sandbox.stop()
})

describe('containers#volumes', () => {
  it('waits for a ConfigMap, tells that it is missing, and starts the container when it is there', async () => {
    start()
    await sandbox.createPod(podWith({ configMap: { name: 'web' } }))
    await sandbox.clock.advance(10_000)
    expect((await read(`${pods}/p`)).status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe(
      'ContainerCreating',
    )
    expect(await messagesOf('FailedMount')).toEqual([
      'MountVolume.SetUp failed for volume "data" : configmap "web" not found',
    ])
    await sandbox.request('POST', configMaps, object('ConfigMap', 'web', { data: { key: 'one' } }))
    await sandbox.clock.advance(20_000)
    expect((await read(`${pods}/p`)).status?.phase).toBe('Running')
    expect(await output('cat', `${mountPath}/key`)).toBe('one')
    expect(seen('volume.mounted')).toEqual([{ volume: 'data', plugin: 'kubernetes.io/configmap' }])
  })

  it('writes a changed ConfigMap into the volume at a sync, never through a subPath', async () => {
    start()
    const web = object('ConfigMap', 'web', { data: { key: 'one', old: 'x' } })
    await sandbox.request('POST', configMaps, web)
    const pod = podWith({ configMap: { name: 'web' } })
    const mounts = [
      { name: 'data', mountPath },
      { name: 'data', mountPath: '/etc/fixed', subPath: 'key' },
    ]
    const containers = pod.spec.containers.map((one) => ({ ...one, volumeMounts: mounts }))
    await sandbox.createPod({ ...pod, spec: { ...pod.spec, containers } })
    await sandbox.clock.advance(5000)
    const changed = object('ConfigMap', 'web', { data: { key: 'two', new: 'y' } })
    await sandbox.request('PUT', `${configMaps}/web`, changed)
    await sandbox.clock.advance(1000)
    expect(await output('cat', `${mountPath}/key`)).toBe('one')
    await sandbox.clock.advance(100_000)
    expect(await output('cat', `${mountPath}/key`)).toBe('two')
    expect(await output('cat', '/etc/fixed')).toBe('one')
    expect(await output('ls', mountPath)).toBe('key\nnew\n')
    expect(seen('volume.updated')).toHaveLength(1)
  })

  it('keeps an emptyDir over restarts of containers and of the kubelet, and removes it with the pod', async () => {
    start()
    const script = `echo run >> ${mountPath}/log; sleep 5; exit 1`
    const spec = { restartPolicy: 'OnFailure' }
    await sandbox.createPod(podWith({ emptyDir: {} }, { script, spec }))
    await sandbox.clock.advance(12_000)
    const { uid } = (await read(`${pods}/p`)).metadata
    const path = `/var/lib/kubelet/pods/${uid}/volumes/kubernetes.io~empty-dir/data`
    expect(await runtime().hostFiles.readText(`${path}/log`)).toMatchObject({ value: 'run\nrun\n' })
    sandbox.node().stopKubelet()
    sandbox.node().startKubelet()
    await sandbox.clock.advance(30_000)
    const kept = await runtime().hostFiles.readText(`${path}/log`)
    expect(kept.ok && kept.value.startsWith('run\nrun\nrun\n')).toBe(true)
    await sandbox.request('DELETE', `${pods}/p`)
    await sandbox.clock.advance(60_000)
    expect(seen('volume.unmounted')).toEqual([{ volume: 'data' }])
    expect(await runtime().hostFiles.list('/var/lib/kubelet/pods')).toMatchObject({ value: [] })
  })

  it('removes the volumes of pods that went while no kubelet ran', async () => {
    start()
    await sandbox.createPod(podWith({ emptyDir: {} }))
    await sandbox.clock.advance(5000)
    sandbox.node().stopKubelet()
    await sandbox.request(
      'DELETE',
      `${pods}/p`,
      object('DeleteOptions', '', { gracePeriodSeconds: 0 }),
    )
    sandbox.node().startKubelet()
    await sandbox.clock.advance(60_000)
    expect(await runtime().hostFiles.list('/var/lib/kubelet/pods')).toMatchObject({ value: [] })
  })

  it.each([
    ['Directory', '/nothing', 'hostPath type check failed: /nothing is not a directory'],
    ['File', '/etc', 'hostPath type check failed: /etc is not a file'],
    ['Socket', '/etc', 'hostPath type check failed: /etc is not a socket file'],
  ])('refuses a hostPath that is no %s', async (type, path, message) => {
    start()
    await sandbox.createPod(podWith({ hostPath: { path, type } }))
    await sandbox.clock.advance(3000)
    expect(await messagesOf('FailedMount')).toEqual([
      `MountVolume.SetUp failed for volume "data" : ${message}`,
    ])
  })

  it('gives a pod its labels, a secret and a token in one projected volume', async () => {
    start()
    const secret = object('Secret', 's', { data: { user: 'YWRtaW4=' } })
    await sandbox.request('POST', '/api/v1/namespaces/default/secrets', secret)
    const sources = [
      {
        downwardAPI: {
          items: [{ path: 'pod/labels', fieldRef: { fieldPath: 'metadata.labels' } }],
        },
      },
      { secret: { name: 's', items: [{ key: 'user', path: 'name', mode: 0o400 }] } },
      { serviceAccountToken: { path: 'token' } },
    ]
    await sandbox.createPod(podWith({ projected: { sources } }))
    await sandbox.clock.advance(5000)
    expect(await output('cat', `${mountPath}/pod/labels`)).toBe('app="web"')
    expect(await output('cat', `${mountPath}/name`)).toBe('admin')
    expect((await output('cat', `${mountPath}/token`)).split('.')).toHaveLength(3)
  })

  it('makes no container whose subPath leads out of the volume, and says so before it looks at the user', async () => {
    start()
    const script = `ln -s / ${mountPath}/out; sleep 2`
    const pod = podWith({ emptyDir: {} }, { script })
    const [container] = pod.spec.containers
    const mounts = [{ name: 'data', mountPath: '/x', subPath: 'out/etc' }]
    // The image's user is root.
    const securityContext = { runAsNonRoot: true }
    const settings = { command: ['true'], volumeMounts: mounts, securityContext }
    const second = { ...container, name: 'd', ...settings }
    const initContainers = container === undefined ? [] : [container]
    await sandbox.createPod({
      ...pod,
      spec: { ...pod.spec, initContainers, containers: [second] },
    })
    await sandbox.clock.advance(25_000)
    const waiting = (await read(`${pods}/p`)).status?.containerStatuses?.[0]?.state?.waiting
    expect(waiting).toEqual({
      reason: 'CreateContainerConfigError',
      message: 'failed to prepare subPath for volumeMount "data" of container "d"',
    })
  })
})
