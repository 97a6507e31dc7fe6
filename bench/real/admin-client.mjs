import { Agent } from 'undici'

const podsPath = '/api/v1/namespaces/default/pods'
const json = { 'content-type': 'application/json', accept: 'application/json' }
const mergePatch = { ...json, 'content-type': 'application/merge-patch+json' }
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

/** An administrator's requests to a control plane, which are not part of the measurement. */
export class AdminClient {
  #url
  #dispatcher

  constructor({ url, caPem, admin }) {
    const { certificatePem: cert, keyPem: key } = admin
    this.#url = url
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
      headers,
      body: object === undefined ? undefined : JSON.stringify(object),
    })
    const text = await body.text()
    if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${text}`)
    return text
  }

  /** A node without a kubelet. */
  async createNode(name) {
    await this.send('POST', '/api/v1/nodes', { metadata: { name } })
  }

  /** Changes the status of a pod that `createPods` made. */
  async patchStatus(index, change) {
    // Which the row of the pod shows.
    const status = { phase: 'Running', reason: `Change${change}` }
    await this.send('PATCH', `${podsPath}/${podName(index)}/status`, { status }, mergePatch)
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
