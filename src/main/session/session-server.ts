import type {
  ActError,
  ActReceipt,
  NodeRef,
  RequestHandlers,
  RequestName,
  Requests,
} from '../../shared/ipc/contract.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { Log } from '../kubelet/ports.ts'
import type { ClockCommands } from './cluster/clock-commands.ts'
import type { ServedCluster } from './cluster/open-cluster.ts'
import type { Hub, HubConnection } from './hub.ts'
import type { ManifestDesk } from './manifests/manifest-desk.ts'
import { MuseumDesk } from './museum-desk.ts'
import type { MuseumDoor } from './museum-door.ts'
import type { PodCommands } from './cluster/pod-commands.ts'
import type { SessionChannel, SessionConnection } from './session-channel.ts'

type Handlers<K extends RequestName> = Pick<RequestHandlers<HubConnection>, K>

type ActResult = Result<ActReceipt, ActError>

const waitsForClock = 'the clock is paused; the effects wait until it runs'

type ManifestRequest = Extract<RequestName, `manifests.${string}`>

const notFound = err({ kind: 'not-found', message: 'This cluster is no longer open.' } as const)

/** The contract's requests, answered from the clusters and the hub. One handler each; a missing one does not compile. */
export class SessionServer implements SessionChannel {
  readonly #hub: Hub
  readonly #log: Log
  readonly #clusters = new Map<string, ServedCluster>()
  readonly #museum: MuseumDesk
  readonly #handlers: RequestHandlers<HubConnection>

  constructor(deps: {
    readonly hub: Hub
    readonly log: Log
    readonly museum?: MuseumDoor | undefined
  }) {
    this.#hub = deps.hub
    this.#log = deps.log
    this.#museum = new MuseumDesk({
      door: deps.museum,
      onOpen: (cluster) => {
        this.add(cluster)
      },
      onClose: (id) => {
        this.#clusters.delete(id)
        this.#hub.remove(id)
      },
    })
    this.#handlers = this.#makeHandlers()
  }

  add(cluster: ServedCluster): void {
    this.#clusters.set(cluster.session.id, cluster)
    this.#hub.add(cluster.session)
  }

  /** Closes what pages have opened. */
  async stop(): Promise<void> {
    await this.#museum.stop()
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

  #of(key: string): ServedCluster | undefined {
    return this.#clusters.get(key.slice(0, Math.max(0, key.indexOf('/'))))
  }

  /** A click comes from outside the cluster: at its time, and while the clock stands only begun. */
  async #act(
    key: string,
    act: (commands: PodCommands) => ActResult | Promise<ActResult>,
  ): Promise<ActResult> {
    const cluster = this.#of(key)
    if (cluster === undefined) return notFound
    cluster.clock.arrive()
    const result = await act(cluster.commands)
    if (!result.ok || !cluster.session.isPaused) return result
    return ok({ ...result.value, message: `${result.value.message}; ${waitsForClock}` })
  }

  #desk({ cluster, node }: NodeRef): ManifestDesk | undefined {
    return this.#clusters.get(cluster)?.manifests.get(node)
  }

  #makeHandlers(): RequestHandlers<HubConnection> {
    return {
      ...this.#viewHandlers(),
      ...this.#actHandlers(),
      ...this.#inquiryHandlers(),
      ...this.#clockHandlers(),
      ...this.#nodeHandlers(),
      ...this.#manifestHandlers(),
      'log.write': ({ level, message, detail }) => {
        this.#log[level](`page: ${message}`, { detail })
        return Promise.resolve(null)
      },
    }
  }

  #viewHandlers(): Handlers<
    'view.open' | 'view.acknowledge' | 'pod.watch' | 'pod.describe' | 'flow.watch'
  > {
    return {
      'view.open': (_args, connection) => Promise.resolve(connection.open()),
      'view.acknowledge': ({ epoch, number }, connection) => {
        connection.acknowledge(epoch, number)
        return Promise.resolve(null)
      },
      'pod.watch': ({ key }, connection) => Promise.resolve(connection.watch(key) ?? null),
      'pod.describe': ({ key }) => Promise.resolve(this.#hub.detail(key) ?? null),
      'flow.watch': ({ node }, connection) => Promise.resolve(connection.watchFlow(node) ?? null),
    }
  }

  #actHandlers(): Handlers<
    | 'pod.kill'
    | 'pod.evictByKubelet'
    | 'pod.evictThroughApi'
    | 'pod.delete'
    | 'pod.forceDelete'
    | 'pod.deleteMirror'
  > {
    return {
      'pod.kill': ({ key, gracePeriodSeconds }) =>
        this.#act(key, (commands) => commands.kill(key, gracePeriodSeconds)),
      'pod.evictByKubelet': ({ key }) => this.#act(key, (commands) => commands.evictByKubelet(key)),
      'pod.evictThroughApi': ({ key, gracePeriodSeconds }) =>
        this.#act(key, (commands) => commands.evictThroughApi(key, gracePeriodSeconds)),
      'pod.delete': ({ key, gracePeriodSeconds }) =>
        this.#act(key, (commands) => commands.delete('delete', key, gracePeriodSeconds)),
      'pod.forceDelete': ({ key }) =>
        this.#act(key, (commands) => commands.delete('forceDelete', key, 0)),
      'pod.deleteMirror': ({ key, force }) =>
        this.#act(key, (commands) => commands.delete('deleteMirror', key, force ? 0 : null)),
    }
  }

  #inquiryHandlers(): Handlers<
    'uid.translate' | 'pod.objects' | 'pod.events' | 'mirror.history' | 'trace.related'
  > {
    return {
      'uid.translate': ({ cluster, uid }) =>
        Promise.resolve(this.#clusters.get(cluster)?.session.translate(uid) ?? null),
      'pod.objects': async ({ key }) => (await this.#of(key)?.inquiry.objects(key)) ?? null,
      'pod.events': async ({ key }) => (await this.#of(key)?.inquiry.events(key)) ?? null,
      'mirror.history': ({ key }) =>
        Promise.resolve(this.#of(key)?.inquiry.mirrorHistory(key) ?? []),
      'trace.related': ({ cluster, seq }) =>
        Promise.resolve(this.#clusters.get(cluster)?.inquiry.related(seq) ?? null),
    }
  }

  #clockHandlers(): Handlers<
    'clock.pause' | 'clock.run' | 'clock.step' | 'clock.setSpeed' | 'cluster.retry'
  > {
    const clock = (cluster: string): ClockCommands | undefined => this.#clusters.get(cluster)?.clock
    return {
      'clock.pause': ({ cluster }) => Promise.resolve(clock(cluster)?.pause() ?? notFound),
      'clock.run': ({ cluster }) => Promise.resolve(clock(cluster)?.run() ?? notFound),
      'clock.step': async ({ cluster }) => (await clock(cluster)?.step()) ?? notFound,
      'clock.setSpeed': ({ cluster, speed }) =>
        Promise.resolve(clock(cluster)?.setSpeed(speed) ?? notFound),
      'cluster.retry': ({ cluster }) => {
        const served = this.#clusters.get(cluster)
        if (served === undefined) return Promise.resolve(notFound)
        served.retryNow()
        return Promise.resolve(ok(null))
      },
    }
  }

  #nodeHandlers(): Handlers<
    | 'node.act'
    | 'cluster.cutOff'
    | 'cluster.reconnect'
    | 'museum.list'
    | 'museum.open'
    | 'museum.close'
  > {
    return {
      'node.act': (args) => {
        const cluster = this.#clusters.get(args.cluster)
        cluster?.clock.arrive()
        return Promise.resolve(cluster?.nodes.act(args) ?? notFound)
      },
      'cluster.cutOff': ({ cluster }) =>
        Promise.resolve(this.#clusters.get(cluster)?.link.cutOff() ?? notFound),
      'cluster.reconnect': ({ cluster }) =>
        Promise.resolve(this.#clusters.get(cluster)?.link.reconnect() ?? notFound),
      'museum.list': () => Promise.resolve(this.#museum.list()),
      'museum.open': ({ id }) => this.#museum.open(id),
      'museum.close': ({ cluster }) => this.#museum.close(cluster),
    }
  }

  #manifestHandlers(): Handlers<ManifestRequest> {
    return {
      'manifests.list': async (args) => (await this.#desk(args)?.list()) ?? null,
      'manifests.read': async (args) => (await this.#desk(args)?.read(args.name)) ?? notFound,
      'manifests.check': async (args) =>
        (await this.#desk(args)?.check(args.name, args.text)) ?? notFound,
      'manifests.write': async (args) =>
        (await this.#desk(args)?.write(args.name, args.text, { create: args.create })) ?? notFound,
      'manifests.remove': async (args) => (await this.#desk(args)?.remove(args.name)) ?? notFound,
      'manifests.undo': async (args) => (await this.#desk(args)?.undo(args.id)) ?? notFound,
      'manifests.restore': async (args) => (await this.#desk(args)?.restore(args.name)) ?? notFound,
    }
  }
}
