import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { isJsonObject, objectAt, objectsAt, textAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import {
  clusterUnderTest,
  keepAlive,
  readyNode,
} from '../../../src/main/sandbox/control-plane/fake-cluster.ts'
import { toMicroTime, toTimestamp } from '../../../src/shared/kubernetes/timestamps.ts'
import { startControlPlane } from '../control-plane.ts'
import { ChangeWatch } from './change-watch.ts'
import { isVolumeOf, watched } from './watched.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A cluster with its controllers and without kubelets. */
export interface Side {
  readonly name: string
  readonly send: (
    method: Method,
    path: string,
    body?: unknown,
    contentType?: string,
  ) => Promise<{ readonly code: number; readonly body: JsonObject }>
  /** How long nothing changes when the controllers have come to rest, unless a sequence says more. */
  readonly quietMs: number
  /** The same if the controller of volume claims has also looked at all of them again. */
  readonly quietClaimsMs: number
  /** ms since the epoch. */
  readonly now: () => number
  /** Lets time go by. */
  readonly pass: (ms: number) => Promise<void>
  /** Changes nothing until nothing in the namespace has changed for a while. */
  readonly untilQuiet: (namespace: string, quietMs: number) => Promise<void>
  readonly stop: () => Promise<void>
}

/** On both sides; nothing but the controllers and the fake kubelet uses them. */
const nodeNames = ['n1', 'n2'] as const

const pollMs = 60

/** The sandbox on its virtual clock. */
export async function startSandboxSide(seed: number): Promise<Side> {
  const cluster = await clusterUnderTest(seed)
  const { client, clock, stop } = cluster
  for (const name of nodeNames) {
    await client.post('/api/v1/nodes', readyNode(name))
    await keepAlive(cluster, name)
  }
  await clock.advance(1000)
  const send: Side['send'] = async (method, path, body, contentType = 'application/json') => {
    const { code, body: answered } = await client.send(method, path, {
      ...(body === undefined ? {} : { body }),
      headers: { 'content-type': contentType },
    })
    return { code, body: answered }
  }
  const pass = (ms: number): Promise<void> => clock.advance(ms)
  return {
    name: 'the sandbox',
    quietMs: 300,
    quietClaimsMs: 15_300,
    send,
    now: () => clock.now(),
    pass,
    untilQuiet: (namespace, quietMs) => untilQuiet({ send, pass }, namespace, quietMs),
    stop: () => {
      stop()
      return Promise.resolve()
    },
  }
}

/** kube-apiserver with kube-controller-manager, in real time. */
export async function startRealSide(): Promise<Side> {
  const plane = await startControlPlane({ environment: process.env, controllers: true })
  const { certificatePem: cert, keyPem: key } = plane.admin
  const dispatcher = new Agent({ connect: { ca: plane.caPem, cert, key }, bodyTimeout: 0 })
  const send: Side['send'] = async (method, path, body, contentType = 'application/json') => {
    const { statusCode, body: answer } = await request(`${plane.url}${path}`, {
      method,
      dispatcher,
      headers: { 'content-type': contentType },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const parsed: unknown = await answer.json()
    return { code: statusCode, body: isJsonObject(parsed) ? parsed : {} }
  }
  const stopNodes = await startNodes(send)
  await untilControllersWork(send)
  const changes = await new ChangeWatch().start(
    async (path) => (await request(`${plane.url}${path}`, { dispatcher })).body,
  )
  return {
    name: 'kube-controller-manager',
    // Its controllers wait for the processor too.
    quietMs: 700,
    quietClaimsMs: 2400,
    send,
    now: () => Date.now(),
    pass: (ms) => sleep(ms),
    untilQuiet: (namespace, quietMs) => changes.untilQuiet(namespace, quietMs),
    stop: async () => {
      stopNodes()
      changes.stop()
      await dispatcher.destroy()
      await plane.stop()
    },
  }
}

/** Waits until the pods of a Deployment and of a Job are made: before that a controller rests because it has not begun. */
async function untilControllersWork(send: Side['send']): Promise<void> {
  const namespace = 'until-controllers-work'
  await send('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
  const labels = { app: namespace }
  const template = (restartPolicy: string) => ({
    metadata: { labels },
    spec: { restartPolicy, containers: [{ name: 'c', image: 'registry.example/run:1' }] },
  })
  await send('POST', `/apis/apps/v1/namespaces/${namespace}/deployments`, {
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: labels }, template: template('Always') },
  })
  await send('POST', `/apis/batch/v1/namespaces/${namespace}/jobs`, {
    metadata: { name: 'job' },
    spec: { template: template('Never') },
  })
  const limit = performance.now() + 60_000
  for (;;) {
    const { body } = await send('GET', `/api/v1/namespaces/${namespace}/pods`)
    if (objectsAt(body, 'items').length >= 2) return
    if (performance.now() > limit) throw new Error('kube-controller-manager makes no pods')
    await sleep(50)
  }
}

/** Creates the nodes and renews their leases until the returned function is called. */
async function startNodes(send: Side['send']): Promise<() => void> {
  const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
  for (const name of nodeNames) {
    const node = readyNode(name)
    await send('POST', '/api/v1/nodes', node)
    const lastHeartbeatTime = toTimestamp(Date.now())
    const conditions = objectsAt(objectAt(node, 'status'), 'conditions').map((one) => ({
      ...one,
      lastHeartbeatTime,
    }))
    const status = { ...objectAt(node, 'status'), conditions }
    await send('PATCH', `/api/v1/nodes/${name}/status`, { status }, 'application/merge-patch+json')
    await send('POST', leases, { metadata: { name } })
  }
  const renew = async (): Promise<void> => {
    const renewTime = toMicroTime(Date.now())
    for (const name of nodeNames) {
      const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime }
      await send('PATCH', `${leases}/${name}`, { spec }, 'application/merge-patch+json')
    }
  }
  await renew()
  const timer = setInterval(() => void renew().catch(() => undefined), 5000)
  return () => {
    clearInterval(timer)
  }
}

/** All objects of a namespace, without events, each with its path. */
export async function objectsIn(
  side: Pick<Side, 'send'>,
  namespace: string,
): Promise<readonly { readonly path: string; readonly object: JsonObject }[]> {
  const lists = await Promise.all(
    watched.map(async (pattern) => {
      const path = pattern.replace('NS', namespace)
      const { body } = await side.send('GET', path)
      return objectsAt(body, 'items').map((object) => {
        const name = textAt(objectAt(object, 'metadata'), 'name')
        return { path: `${path}/${name}`, object }
      })
    }),
  )
  return [...lists.flat(), ...(await volumesOf(side, namespace))]
}

/** The volumes of a sequence. */
async function volumesOf(side: Pick<Side, 'send'>, namespace: string) {
  const path = '/api/v1/persistentvolumes'
  const { body } = await side.send('GET', path)
  return objectsAt(body, 'items')
    .filter((object) => isVolumeOf(namespace, object))
    .map((object) => ({ path: `${path}/${textAt(objectAt(object, 'metadata'), 'name')}`, object }))
}

/** The same while nothing changes. */
async function versionsIn(side: Pick<Side, 'send'>, namespace: string): Promise<string> {
  const objects = await objectsIn(side, namespace)
  return objects
    .map(({ path, object }) => `${path} ${textAt(objectAt(object, 'metadata'), 'resourceVersion')}`)
    .join('\n')
}

/** On a virtual clock: asks again until nothing has changed for a while. */
async function untilQuiet(
  { send, pass }: Pick<Side, 'send' | 'pass'>,
  namespace: string,
  quietMs: number,
): Promise<void> {
  let before = await versionsIn({ send }, namespace)
  for (let quiet = 0; quiet < quietMs;) {
    await pass(pollMs)
    const now = await versionsIn({ send }, namespace)
    quiet = now === before ? quiet + pollMs : 0
    before = now
  }
}
