import { objectAt, textAt, type JsonObject } from '../../src/shared/json.ts'
import type { SandboxUnderTest } from './sandbox-under-test.ts'

/** The current time in seconds, in the API's format. */
function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z')
}

/** True if an object is being deleted. */
export function isDeleting(object: JsonObject | undefined): boolean {
  return textAt(objectAt(object ?? {}, 'metadata'), 'deletionTimestamp') !== ''
}

/** A namespace for one test, with what the tests of commands do in it. */
export class TestNamespace {
  readonly namespace: string
  readonly #sandbox: SandboxUnderTest

  constructor(sandbox: SandboxUnderTest, namespace: string) {
    this.#sandbox = sandbox
    this.namespace = namespace
  }

  pathOf(name: string, resource = 'pods'): string {
    return `/api/v1/namespaces/${this.namespace}/${resource}/${name}`
  }

  async createPod(
    name: string,
    more: { labels?: Record<string, string>; node?: string } = {},
  ): Promise<JsonObject> {
    return this.#sandbox.ask('POST', `/api/v1/namespaces/${this.namespace}/pods`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, ...(more.labels === undefined ? {} : { labels: more.labels }) },
      spec: {
        containers: [{ name: 'c', image: 'registry.example/app:1' }],
        ...(more.node === undefined ? {} : { nodeName: more.node }),
      },
    })
  }

  /** Writes the status of a kubelet once the only container runs. */
  async setRunning(name: string): Promise<void> {
    const since = now()
    const condition = (type: string): object => ({
      type,
      status: 'True',
      lastTransitionTime: since,
    })
    const status = {
      phase: 'Running',
      podIP: '10.88.0.7',
      podIPs: [{ ip: '10.88.0.7' }],
      startTime: since,
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
      containerStatuses: [
        {
          name: 'c',
          image: 'registry.example/app:1',
          imageID: 'sha256:1',
          containerID: 'sim://1',
          ready: true,
          started: true,
          restartCount: 0,
          state: { running: { startedAt: since } },
        },
      ],
    }
    await this.#sandbox.ask(
      'PATCH',
      `${this.pathOf(name)}/status`,
      { status },
      'application/strategic-merge-patch+json',
    )
  }

  /** Writes an event like a kubelet. */
  async recordEvent(pod: JsonObject, reason: string, message: string): Promise<void> {
    const at = now()
    const metadata = objectAt(pod, 'metadata')
    const name = textAt(metadata, 'name')
    await this.#sandbox.ask('POST', `/api/v1/namespaces/${this.namespace}/events`, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${reason.toLowerCase()}`, namespace: this.namespace },
      involvedObject: {
        apiVersion: 'v1',
        kind: 'Pod',
        namespace: this.namespace,
        name,
        uid: textAt(metadata, 'uid'),
      },
      reason,
      message,
      source: { component: 'kubelet', host: 'n1' },
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
      type: 'Normal',
    })
  }

  /** Deletes a pod like a kubelet once its containers have terminated. */
  async finishDeletion(name: string): Promise<void> {
    const path = this.pathOf(name)
    await this.#sandbox.until(path, isDeleting)
    await this.#sandbox.ask('DELETE', path, { gracePeriodSeconds: 0 })
  }
}

/** Creates a namespace and its default service account, like a control plane. */
export async function createTestNamespace(
  sandbox: SandboxUnderTest,
  namespace: string,
): Promise<TestNamespace> {
  await sandbox.ask('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
  await sandbox.ask('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, {
    metadata: { name: 'default' },
  })
  return new TestNamespace(sandbox, namespace)
}

/** A node as a kubelet registers it, with its lease. */
export async function createNode(sandbox: SandboxUnderTest, name: string): Promise<void> {
  const at = now()
  await sandbox.ask('POST', '/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'node-role.kubernetes.io/worker': '' } },
    status: {
      capacity: { cpu: '2', memory: '4Gi', pods: '110' },
      allocatable: { cpu: '2', memory: '4Gi', pods: '110' },
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'kubelet is posting ready status',
          lastHeartbeatTime: at,
          lastTransitionTime: at,
        },
      ],
      nodeInfo: {
        kubeletVersion: 'v1.34.0',
        osImage: 'Simulated',
        kernelVersion: '6.1',
        containerRuntimeVersion: 'sim://1',
      },
    },
  })
  await sandbox.ask('POST', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'kube-node-lease' },
    spec: {
      holderIdentity: name,
      leaseDurationSeconds: 40,
      renewTime: new Date().toISOString().replace('Z', '000Z'),
    },
  })
}
