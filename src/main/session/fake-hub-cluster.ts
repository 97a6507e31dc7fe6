import type { RequestName, Requests } from '../../shared/ipc/contract.ts'
import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { FlowView } from '../../shared/model/flow.ts'
import type { PodDetail } from '../../shared/model/pod-detail.ts'
import type { PodKey, PodRow } from '../../shared/model/pod-row.ts'
import type { Clock } from '../kubelet/ports.ts'
import { Hub } from './hub.ts'
import type { ClusterChange } from '../../shared/model/cluster-change.ts'
import type { HubConnection, HubCluster } from './hub.ts'
import type { SessionChannel, SessionConnection } from './session-channel.ts'

/** A cluster whose rows a test changes; counts how often rows are read. */
export class FakeHubCluster implements HubCluster {
  readonly id = 'sandbox'
  readonly #rows = new Map<PodKey, PodRow>()
  #listener: (change: ClusterChange) => void = () => undefined
  reads = 0

  readonly rows = (): readonly PodRow[] => [...this.#rows.values()]
  readonly row = (key: PodKey): PodRow | undefined => {
    this.reads++
    return this.#rows.get(key)
  }
  // The hub reads only ids and times.
  readonly view = (): ClusterView => ({ id: this.id }) as ClusterView
  readonly flow = (): FlowView => ({ now: this.now() }) as FlowView
  readonly detail = (key: PodKey): PodDetail | undefined => {
    const row = this.#rows.get(key)
    return row === undefined ? undefined : ({ row } as PodDetail)
  }
  readonly now = (): number => 0
  readonly onChange = (listener: (change: ClusterChange) => void): (() => void) => {
    this.#listener = listener
    return () => undefined
  }

  static keyOf(uid: string): PodKey {
    return `sandbox/n/${uid}`
  }

  put(uid: string, status: string): void {
    const key = FakeHubCluster.keyOf(uid)
    // The hub passes rows on unread.
    this.#rows.set(key, { key, uid, status } as PodRow)
    this.#listener({ kind: 'row', key })
  }

  remove(uid: string): void {
    this.#rows.delete(FakeHubCluster.keyOf(uid))
    this.#listener({ kind: 'row', key: FakeHubCluster.keyOf(uid) })
  }

  touchView(): void {
    this.#listener({ kind: 'view' })
  }

  move(): void {
    this.#listener({ kind: 'flow', node: 'n' })
  }
}

/** A hub with that cluster. */
export function fakeHub(clock: Clock, cluster: FakeHubCluster): Hub {
  const program = { version: '1', host: 'web', readOnly: false, openPod: '' } as const
  const hub = new Hub({ epoch: 'e', program, clock })
  hub.add(cluster)
  return hub
}

async function answer(
  connection: HubConnection,
  name: RequestName,
  args: unknown,
): Promise<unknown> {
  if (name === 'view.open') return connection.open()
  if (name !== 'view.acknowledge') throw new Error(`${name} is not asked here`)
  // The guards have checked it.
  const { epoch, number } = args as Requests['view.acknowledge']['args']
  connection.acknowledge(epoch, number)
  return null
}

/** A session that answers only `view.open` and `view.acknowledge`. */
export function hubChannel(hub: Hub): SessionChannel {
  return {
    connect: (send) => {
      const connection = hub.connect(send)
      return {
        // Each reply has the type of its name; the compiler does not narrow a generic name.
        request: ((name: RequestName, args: unknown) =>
          answer(connection, name, args)) as SessionConnection['request'],
        close: () => {
          connection.close()
        },
      }
    },
  }
}
