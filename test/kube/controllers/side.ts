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
  readonly stop: () => Promise<void>
}

/** On both sides; nothing but the controllers and the fake kubelet uses them. */
const nodeNames = ['n1', 'n2'] as const

/** The sandbox on its virtual clock. */
export async function startSandboxSide(seed: number): Promise<Side> {
  const cluster = await clusterUnderTest(seed)
  const { client, clock, stop } = cluster
  for (const name of nodeNames) {
    await client.post('/api/v1/nodes', readyNode(name))
    await keepAlive(cluster, name)
  }
  await clock.advance(1000)
  return {
    name: 'the sandbox',
    quietMs: 300,
    quietClaimsMs: 15_300,
    send: async (method, path, body, contentType = 'application/json') => {
      const { code, body: answered } = await client.send(method, path, {
        ...(body === undefined ? {} : { body }),
        headers: { 'content-type': contentType },
      })
      return { code, body: answered }
    },
    now: () => clock.now(),
    pass: (ms) => clock.advance(ms),
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
  const dispatcher = new Agent({ connect: { ca: plane.caPem, cert, key }, connections: 32 })
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
  return {
    name: 'kube-controller-manager',
    // Its controllers wait for the processor too.
    quietMs: 450,
    quietClaimsMs: 2400,
    send,
    now: () => Date.now(),
    pass: (ms) =>
      new Promise((resolve) => {
        setTimeout(resolve, ms)
      }),
    stop: async () => {
      stopNodes()
      await dispatcher.destroy()
      await plane.stop()
    },
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

/** What a sequence of acts is about, by the path below its namespace's API roots. */
const watched = [
  '/apis/apps/v1/namespaces/NS/deployments',
  '/apis/apps/v1/namespaces/NS/replicasets',
  '/apis/apps/v1/namespaces/NS/statefulsets',
  '/apis/apps/v1/namespaces/NS/daemonsets',
  '/apis/apps/v1/namespaces/NS/controllerrevisions',
  '/apis/batch/v1/namespaces/NS/jobs',
  '/apis/batch/v1/namespaces/NS/cronjobs',
  '/api/v1/namespaces/NS/replicationcontrollers',
  '/api/v1/namespaces/NS/pods',
  '/api/v1/namespaces/NS/services',
  '/api/v1/namespaces/NS/endpoints',
  '/apis/discovery.k8s.io/v1/namespaces/NS/endpointslices',
  '/api/v1/namespaces/NS/persistentvolumeclaims',
  '/apis/policy/v1/namespaces/NS/poddisruptionbudgets',
  '/api/v1/namespaces/NS/configmaps',
] as const

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

/** The volumes that a sequence has made or bound: those are named after it, or refer to one of its claims. */
async function volumesOf(side: Pick<Side, 'send'>, namespace: string) {
  const path = '/api/v1/persistentvolumes'
  const { body } = await side.send('GET', path)
  return objectsAt(body, 'items').flatMap((object) => {
    const name = textAt(objectAt(object, 'metadata'), 'name')
    const claim = objectAt(objectAt(object, 'spec'), 'claimRef')
    const isOwn = name.startsWith(`${namespace}-`) || claim['namespace'] === namespace
    return isOwn ? [{ path: `${path}/${name}`, object }] : []
  })
}

/** The same while nothing changes. */
export async function versionsIn(side: Pick<Side, 'send'>, namespace: string): Promise<string> {
  const objects = await objectsIn(side, namespace)
  return objects
    .map(({ path, object }) => `${path} ${textAt(objectAt(object, 'metadata'), 'resourceVersion')}`)
    .join('\n')
}
