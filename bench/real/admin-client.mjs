import { Agent } from 'undici'

const podsPath = '/api/v1/namespaces/default/pods'
const json = { 'content-type': 'application/json', accept: 'application/json' }
const mergePatch = { ...json, 'content-type': 'application/merge-patch+json' }
const strategicPatch = { ...json, 'content-type': 'application/strategic-merge-patch+json' }
const leasesPath = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
/** The resources that a node's programs request, without those of the server's own requests. */
const countedResources = new Set(['pods', 'nodes', 'leases', 'events'])

function podName(index) {
  return `bench-${String(index).padStart(5, '0')}`
}

/** An ordinary pod like one of a Deployment, already bound. */
function pod(index, nodeName) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podName(index),
      labels: { app: 'bench', 'pod-template-hash': '7d4b9c6f8' },
    },
    spec: {
      nodeName,
      // Not every contender mounts volumes, so the pods have none.
      automountServiceAccountToken: false,
      containers: [
        {
          name: 'main',
          image: 'registry.k8s.io/pause:3.10',
          env: [{ name: 'INDEX', value: String(index) }],
          ports: [{ containerPort: 8080 }],
        },
      ],
    },
  }
}

/** As a kubelet registers its node. */
function node(name) {
  const capacity = { cpu: '16', memory: '65536Mi', pods: '250', 'ephemeral-storage': '200Gi' }
  const condition = (type, status) => ({
    type,
    status,
    reason: type === 'Ready' ? 'KubeletReady' : `KubeletHasNo${type}`,
    message: `kubelet reports ${type} as ${status}`,
    lastHeartbeatTime: apiTime(Date.now()),
    lastTransitionTime: apiTime(Date.now()),
  })
  return {
    metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' } },
    status: {
      capacity,
      allocatable: capacity,
      conditions: [
        ...['MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) =>
          condition(type, 'False'),
        ),
        condition('Ready', 'True'),
      ],
      addresses: [{ type: 'Hostname', address: name }],
    },
  }
}

function apiTime(ms) {
  return new Date(ms).toISOString().replace(/\.\d+/, '')
}

/** When the pods were started, for the kubelet. */
const startTime = apiTime(Date.now())
/** The last exits of containers, by the index of the pod. */
const exits = new Map()

/** A kubelet's status of a pod that `pod` made: by turns it runs, and waits to start again after an exit. */
function changedStatus(index, round) {
  const now = apiTime(Date.now())
  const isRunning = round % 2 === 0
  const restartCount = round >> 1
  const containerID = `containerd://${String(index).padStart(40, '0')}${String(restartCount).padStart(24, '0')}`
  const times = { startedAt: now, finishedAt: now }
  if (!isRunning)
    exits.set(index, { terminated: { exitCode: 1, reason: 'Error', containerID, ...times } })
  const message = 'back-off 5m0s restarting failed container=main'
  const podIP = `10.${index >> 8}.${index & 255}.7`
  return {
    status: {
      phase: 'Running',
      podIP,
      podIPs: [{ ip: podIP }],
      startTime,
      conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
        type,
        status: isRunning || !type.endsWith('Ready') ? 'True' : 'False',
        lastTransitionTime: now,
      })),
      containerStatuses: [
        {
          name: 'main',
          image: 'registry.k8s.io/pause:3.10',
          imageID: `registry.k8s.io/pause@sha256:${'ee6521f2'.repeat(8)}`,
          containerID,
          ready: isRunning,
          started: isRunning,
          restartCount,
          state: isRunning
            ? { running: { startedAt: now } }
            : { waiting: { reason: 'CrashLoopBackOff', message } },
          lastState: exits.get(index) ?? {},
        },
      ],
    },
  }
}

/** An administrator's requests to a control plane, which are not part of the measurement. */
export class AdminClient {
  #url
  #dispatcher
  #credentials

  /** By a client certificate or a token. */
  constructor({ url, caPem, admin, token }) {
    const { certificatePem: cert, keyPem: key } = admin ?? {}
    this.#url = url
    this.#credentials = token === undefined ? {} : { authorization: `Bearer ${token}` }
    this.#dispatcher = new Agent({
      connect: { ca: caPem, cert, key },
      bodyTimeout: 0,
      connections: null,
    })
  }

  async send(method, path, object, headers = json) {
    const { statusCode, body } = await this.#dispatcher.request({
      origin: this.#url,
      path,
      method,
      headers: { ...headers, ...this.#credentials },
      body: object === undefined ? undefined : JSON.stringify(object),
    })
    const text = await body.text()
    if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${text}`)
    return text
  }

  /** A node without a kubelet, with its lease. */
  async createNode(name) {
    await this.send('POST', '/api/v1/nodes', node(name))
    const spec = { holderIdentity: name, leaseDurationSeconds: 40 }
    await this.send('POST', leasesPath, { metadata: { name }, spec })
    await this.renewLease(name)
  }

  async renewLease(name) {
    const renewTime = apiTime(Date.now()).replace('Z', '.000000Z')
    await this.send('PATCH', `${leasesPath}/${name}`, { spec: { renewTime } }, mergePatch)
  }

  /** Changes the status of a pod that `createPods` made; `round`: how often that was done before. */
  async patchStatus(index, round) {
    const path = `${podsPath}/${podName(index)}/status`
    await this.send('PATCH', path, changedStatus(index, round), strategicPatch)
  }

  /** Pods that are bound to a node, or each to the one that `nodeName` gives for its index, sixteen requests at a time. */
  async createPods(count, nodeName) {
    let next = 0
    const create = async () => {
      while (next < count) {
        const index = next++
        const node = typeof nodeName === 'function' ? nodeName(index) : nodeName
        await this.send('POST', podsPath, pod(index, node))
      }
    }
    await Promise.all(Array.from({ length: 16 }, create))
  }

  /** Resolves once this many pods are Running. */
  async untilRunning(count) {
    const query = 'watch=true&fieldSelector=status.phase%3DRunning&resourceVersion=0'
    const { statusCode, body } = await this.#dispatcher.request({
      origin: this.#url,
      path: `${podsPath}?${query}`,
      method: 'GET',
      headers: json,
    })
    if (statusCode !== 200) throw new Error(`watch of pods: ${statusCode} ${await body.text()}`)
    // Leaving the loop early is not an error.
    body.on('error', () => undefined)
    let running = 0
    let rest = ''
    for await (const chunk of body.setEncoding('utf8')) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      // A pod becomes Running once; the rest of the line is not parsed.
      running += lines.filter((line) => line.startsWith('{"type":"ADDED"')).length
      if (running >= count) break
    }
  }

  /** Requests that the server has answered so far, by verb and resource; watches count when they end. */
  async requestsSoFar() {
    const metrics = await this.send('GET', '/metrics')
    const counts = new Map()
    for (const line of metrics.split('\n')) {
      if (!line.startsWith('apiserver_request_total{')) continue
      const labels = new Map(
        [...line.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text]),
      )
      const [verb, resource] = [labels.get('verb'), labels.get('resource')]
      if (verb === 'WATCH' || !countedResources.has(resource)) continue
      const part = labels.get('subresource')
      const name = `${verb} ${resource}${part === '' ? '' : `/${part}`}`
      counts.set(name, (counts.get(name) ?? 0) + Number(line.slice(line.lastIndexOf(' '))))
    }
    return counts
  }

  async close() {
    await this.#dispatcher.destroy()
  }
}

/** The requests between two samples, most frequent first. */
export function requestsBetween(before, after) {
  return [...after]
    .map(([name, count]) => [name, count - (before.get(name) ?? 0)])
    .filter(([, count]) => count > 0)
    .toSorted(([, left], [, right]) => right - left)
}
