import type { ActError, Receipt, Requests } from '../../shared/ipc/contract.ts'
import type { ExhibitView } from '../../shared/model/museum.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { exhibitCluster } from './museum-door.ts'
import type { MuseumDoor } from './museum-door.ts'
import type { OpenCluster } from './cluster/open-cluster.ts'

/** Most exhibits that stand open at a time: each is a whole cluster. */
const mostOpen = 4

type OpenAnswer = Requests['museum.open']['reply']

/** Opens and closes exhibits for the pages; each stands open once, whoever asked for it. */
export class MuseumDesk {
  readonly #door: MuseumDoor | undefined
  readonly #onOpen: (cluster: OpenCluster) => void
  readonly #onClose: (id: string) => void
  /** By the cluster's id; settled or on the way. */
  readonly #open = new Map<string, Promise<Result<OpenCluster, string>>>()
  /** What is being closed still costs what it costs open. */
  readonly #closing = new Set<Promise<void>>()
  #isStopped = false

  constructor(deps: {
    /** Undefined: there is no museum here. */
    readonly door: MuseumDoor | undefined
    readonly onOpen: (cluster: OpenCluster) => void
    readonly onClose: (id: string) => void
  }) {
    this.#door = deps.door
    this.#onOpen = deps.onOpen
    this.#onClose = deps.onClose
  }

  list(): readonly ExhibitView[] {
    return this.#door?.exhibits ?? []
  }

  async open(id: string): Promise<OpenAnswer> {
    const exhibit = this.list().find((one) => one.id === id)
    if (this.#door === undefined || exhibit === undefined || this.#isStopped)
      return refused('not-found', `No gotcha is named ${id}.`)
    const cluster = exhibitCluster(id)
    let opening = this.#open.get(cluster)
    if (opening === undefined) {
      if (this.#open.size + this.#closing.size >= mostOpen)
        return refused('refused', `${mostOpen} gotchas are open. Close one first.`)
      opening = this.#begin(cluster, this.#door.open(id))
    }
    const opened = await opening
    if (!opened.ok) return refused('failed', opened.error)
    return this.#open.get(cluster) === opening
      ? ok({ cluster })
      : refused('not-found', 'The gotcha was closed while it was opening.')
  }

  async close(cluster: string): Promise<Result<Receipt, ActError>> {
    const opening = this.#open.get(cluster)
    if (opening === undefined) return refused('not-found', 'This gotcha is no longer open.')
    this.#open.delete(cluster)
    const closing = this.#end(cluster, opening)
    this.#closing.add(closing)
    try {
      await closing
    } finally {
      this.#closing.delete(closing)
    }
    return ok({ message: 'Gotcha closed' })
  }

  /** Closes all, also those that are being closed already. Throws what one of them threw, once all have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const closing = [...this.#closing, ...Array.from(this.#open.keys(), (id) => this.close(id))]
    const ended = await Promise.allSettled(closing)
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  }

  async #end(cluster: string, opening: Promise<Result<OpenCluster, string>>): Promise<void> {
    const opened = await opening
    if (!opened.ok) return
    this.#onClose(cluster)
    await opened.value.stop()
  }

  #begin(
    cluster: string,
    work: Promise<Result<OpenCluster, string>>,
  ): Promise<Result<OpenCluster, string>> {
    const opening = work
      .catch((error: unknown) => err(`The gotcha could not be opened: ${String(error)}.`))
      .then((opened) => {
        // Closed again while it was on its way: whoever closed it waits for it, to stop it.
        if (this.#open.get(cluster) !== opening) return opened
        if (opened.ok) this.#onOpen(opened.value)
        else this.#open.delete(cluster)
        return opened
      })
    this.#open.set(cluster, opening)
    return opening
  }
}

function refused(kind: ActError['kind'], message: string): Result<never, ActError> {
  return err({ kind, message })
}
