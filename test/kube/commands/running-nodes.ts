import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject, listAt, objectAt, objectsAt, textAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import { toMicroTime } from '../../../src/shared/kubernetes/timestamps.ts'
import { statusOf } from '../controllers/fake-kubelet.ts'
import type { ServerUnderTest, WireRequest } from '../servers.ts'

// What kubelets do for a control plane, without containers: each node renews its lease, each pod runs as its image says and
// ends at once when it is deleted.

const renewEveryMs = 5000
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
const mergePatch = 'application/merge-patch+json'

/** Acts for the kubelets of all nodes of a server until `stop` is called. */
export class RunningNodes {
  readonly #server: ServerUnderTest
  readonly #known = new Set<string>()
  #addresses = 0
  #isStopped = false
  #closeWatch: () => void = () => undefined
  #ended: Promise<unknown> = Promise.resolve()

  constructor(server: ServerUnderTest) {
    this.#server = server
  }

  start(): void {
    this.#ended = Promise.all([this.#renewLeases(), this.#runPods()])
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#closeWatch()
    await this.#ended
  }

  async #send(
    method: WireRequest['method'],
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<JsonObject> {
    const headers = { 'content-type': type }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await this.#server.send({ method, path, headers, ...sent })
    const parsed: unknown = await answer.body.json()
    return isJsonObject(parsed) ? parsed : {}
  }

  async #renewLeases(): Promise<void> {
    while (!this.#isStopped) {
      const nodes = objectsAt(await this.#send('GET', '/api/v1/nodes'), 'items')
      for (const node of nodes) await this.#renewLease(textAt(objectAt(node, 'metadata'), 'name'))
      for (let waited = 0; waited < renewEveryMs && !this.#isStopped; waited += 100)
        await sleep(100)
    }
  }

  async #renewLease(name: string): Promise<void> {
    const renewTime = toMicroTime(Date.now())
    const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime }
    if (!this.#known.has(name)) await this.#send('POST', leases, { metadata: { name }, spec })
    this.#known.add(name)
    await this.#send('PATCH', `${leases}/${name}`, { spec }, mergePatch)
  }

  async #runPods(): Promise<void> {
    while (!this.#isStopped) {
      const { body } = await this.#server.send({
        method: 'GET',
        path: '/api/v1/pods?watch=true',
        headers: { accept: 'application/json' },
      })
      this.#closeWatch = () => {
        body.destroy()
      }
      await this.#readPods(body)
    }
  }

  async #readPods(body: AsyncIterable<unknown>): Promise<void> {
    let rest = ''
    try {
      for await (const chunk of body) {
        const lines = (rest + String(chunk)).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const event: unknown = JSON.parse(line)
          if (isJsonObject(event) && event['type'] !== 'DELETED')
            await this.#handle(objectAt(event, 'object'))
        }
      }
    } catch (error) {
      if (!this.#isStopped) throw error
    }
  }

  async #handle(pod: JsonObject): Promise<void> {
    const metadata = objectAt(pod, 'metadata')
    if (textAt(objectAt(pod, 'spec'), 'nodeName') === '') return
    const path = `/api/v1/namespaces/${textAt(metadata, 'namespace')}/pods/${textAt(metadata, 'name')}`
    const isGone = metadata['deletionGracePeriodSeconds'] === 0
    if (textAt(metadata, 'deletionTimestamp') !== '') {
      const preconditions = { uid: textAt(metadata, 'uid') }
      const waits = isGone && listAt(metadata, 'finalizers').length > 0
      if (!waits) await this.#send('DELETE', path, { gracePeriodSeconds: 0, preconditions })
      return
    }
    if (textAt(objectAt(pod, 'status'), 'phase') !== 'Pending') return
    this.#addresses++
    const address = `10.1.${this.#addresses >> 8}.${this.#addresses & 255}`
    const status = statusOf(pod, address, Date.now())
    const uid = textAt(metadata, 'uid')
    if (status !== undefined)
      await this.#send('PATCH', `${path}/status`, { metadata: { uid }, status }, mergePatch)
  }
}
