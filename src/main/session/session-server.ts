import type { RequestHandlers, RequestName, Requests } from '../../shared/ipc/contract.ts'
import { err } from '../../shared/result.ts'
import type { Log } from '../kubelet/ports.ts'
import type { ClusterSession } from './cluster-session.ts'
import type { Hub, HubConnection } from './hub.ts'
import type { PodCommands } from './pod-commands.ts'
import type { SessionChannel, SessionConnection } from './session-channel.ts'

export interface ServedCluster {
  readonly session: ClusterSession
  readonly commands: PodCommands
}

const notFound = err({ kind: 'not-found', message: 'This cluster is not open any more.' } as const)

/** The contract's requests, answered from the clusters and the hub. One handler each; a missing one does not compile. */
export class SessionServer implements SessionChannel {
  readonly #hub: Hub
  readonly #log: Log
  readonly #clusters = new Map<string, ServedCluster>()
  readonly #handlers: RequestHandlers<HubConnection>

  constructor(deps: { readonly hub: Hub; readonly log: Log }) {
    this.#hub = deps.hub
    this.#log = deps.log
    this.#handlers = this.#makeHandlers()
  }

  add(cluster: ServedCluster): void {
    this.#clusters.set(cluster.session.id, cluster)
    this.#hub.add(cluster.session)
  }

  readonly connect: SessionChannel['connect'] = (send): SessionConnection => {
    const connection = this.#hub.connect(send)
    return {
      request: <K extends RequestName>(name: K, args: Requests[K]['args']) =>
        this.#handlers[name](args, connection),
      close: () => {
        connection.close()
      },
    }
  }

  #commands(key: string): PodCommands | undefined {
    return this.#clusters.get(key.slice(0, Math.max(0, key.indexOf('/'))))?.commands
  }

  #makeHandlers(): RequestHandlers<HubConnection> {
    return {
      'view.open': (_args, connection) => Promise.resolve(connection.open()),
      'view.acknowledge': ({ epoch, number }, connection) => {
        connection.acknowledge(epoch, number)
        return Promise.resolve(null)
      },
      'pod.watch': ({ key }, connection) => Promise.resolve(connection.watch(key) ?? null),
      'pod.describe': ({ key }) => Promise.resolve(this.#hub.detail(key) ?? null),
      'uid.translate': ({ cluster, uid }) =>
        Promise.resolve(this.#clusters.get(cluster)?.session.translate(uid) ?? null),
      'pod.kill': ({ key, gracePeriodSeconds }) =>
        Promise.resolve(this.#commands(key)?.kill(key, gracePeriodSeconds) ?? notFound),
      'pod.evictByKubelet': ({ key }) =>
        Promise.resolve(this.#commands(key)?.evictByKubelet(key) ?? notFound),
      'pod.evictThroughApi': async ({ key, gracePeriodSeconds }) =>
        (await this.#commands(key)?.evictThroughApi(key, gracePeriodSeconds)) ?? notFound,
      'log.write': ({ level, message, detail }) => {
        this.#log[level](`page: ${message}`, { detail })
        return Promise.resolve(null)
      },
    }
  }
}
