import { writeFile } from 'node:fs/promises'
import { KubeClient } from './kube-client.ts'
import { hasKubectl, kubectl } from './kubectl.ts'

/** The fields of a pod that the tests use. */
export interface PodObject {
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly uid: string
    readonly deletionTimestamp?: string
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: { readonly nodeName?: string }
  readonly status: {
    readonly phase?: string
    readonly reason?: string
    readonly message?: string
    readonly startTime?: string
    readonly conditions?: readonly {
      readonly type: string
      readonly status: string
      readonly reason?: string
    }[]
    readonly containerStatuses?: readonly {
      readonly name: string
      readonly ready: boolean
      readonly restartCount: number
      readonly state: {
        readonly running?: { readonly startedAt: string }
        readonly terminated?: { readonly exitCode: number; readonly reason?: string }
      }
    }[]
  }
}

/**
 * A user's actions on the API server: with kubectl if it is installed, else with the same requests.
 * Reads always use requests, so that they do not depend on kubectl's version.
 */
export class KubeUser {
  readonly kubeconfig: string
  readonly client: KubeClient

  constructor(kubeconfig: string, client: KubeClient) {
    this.kubeconfig = kubeconfig
    this.client = client
  }

  static async read(kubeconfig: string): Promise<KubeUser> {
    return new KubeUser(kubeconfig, await KubeClient.read(kubeconfig))
  }

  /** The pod; undefined if there is none. */
  async pod(namespace: string, name: string): Promise<PodObject | undefined> {
    const answer = await this.client.request('GET', podPath(namespace, name))
    if (answer.status === 404) return undefined
    expectStatus(answer.status, [200], answer.body)
    return answer.body as PodObject // the API server's own form
  }

  /** The pods that are bound to a node. */
  async podsOn(node: string): Promise<readonly PodObject[]> {
    const answer = await this.client.request(
      'GET',
      `/api/v1/pods?fieldSelector=spec.nodeName%3D${node}`,
    )
    expectStatus(answer.status, [200], answer.body)
    return (answer.body as { readonly items: readonly PodObject[] }).items // the API server's own form
  }

  async createPod(manifest: {
    readonly metadata: {
      readonly namespace: string
      readonly name: string
      readonly labels?: Readonly<Record<string, string>>
    }
  }): Promise<void> {
    const { namespace } = manifest.metadata
    if (hasKubectl) {
      const file = `${this.kubeconfig}.${manifest.metadata.name}.json`
      await writeFile(file, JSON.stringify(manifest))
      await kubectl(this.kubeconfig, ['create', '-f', file])
      return
    }
    const answer = await this.client.request(
      'POST',
      `/api/v1/namespaces/${namespace}/pods`,
      manifest,
    )
    expectStatus(answer.status, [201], answer.body)
  }

  /** Deletes a pod without waiting. */
  async deletePod(namespace: string, name: string, gracePeriodSeconds?: number): Promise<void> {
    if (hasKubectl) {
      const grace = gracePeriodSeconds === undefined ? [] : [`--grace-period=${gracePeriodSeconds}`]
      await kubectl(this.kubeconfig, [
        '-n',
        namespace,
        'delete',
        'pod',
        name,
        '--wait=false',
        ...grace,
      ])
      return
    }
    const answer = await this.client.request('DELETE', podPath(namespace, name), {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    })
    expectStatus(answer.status, [200, 202], answer.body)
  }
}

function podPath(namespace: string, name: string): string {
  return `/api/v1/namespaces/${namespace}/pods/${name}`
}

function expectStatus(status: number, wanted: readonly number[], body: unknown): void {
  if (!wanted.includes(status))
    throw new Error(`the server said ${status}: ${JSON.stringify(body)}`)
}
