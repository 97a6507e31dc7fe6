import type { ActError, Receipt, Requests } from '../../../shared/ipc/contract.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { OpenCluster } from '../cluster/open-cluster.ts'

/** Scenarios that are open at a time, at most: each is a whole cluster. */
const maxOpen = 4

type Opening = Promise<Result<OpenCluster, string>>

interface OpenScenariosDeps {
  readonly onOpen: (cluster: OpenCluster) => void
  readonly onClose: (id: string) => void
}

/** Opens and closes scenarios for the pages; each is open once, whichever page asks. */
export class OpenScenarios {
  readonly #deps: OpenScenariosDeps
  /** By the cluster's id: opening or open. */
  readonly #open = new Map<string, Opening>()
  /** Clusters that are closing still count; by id, because the next one has the same folder. */
  readonly #closing = new Map<string, Promise<void>>()
  #isStopped = false

  constructor(deps: OpenScenariosDeps) {
    this.#deps = deps
  }

  /** Whether a cluster with this id is open, opens or closes. */
  isTaken(cluster: string): boolean {
    return this.#open.has(cluster) || this.#closing.has(cluster)
  }

  /** `start` is called unless the cluster is open already; its cluster has this id. */
  async open(cluster: string, start: () => Opening): Promise<Requests['scenario.open']['reply']> {
    if (this.#isStopped) return refused('refused', 'Nodescope is stopping.')
    let opening = this.#open.get(cluster)
    if (opening === undefined) {
      if (this.#open.size + this.#closing.size >= maxOpen && !this.#closing.has(cluster))
        return refused('refused', `${maxOpen} scenarios are open. Close one first.`)
      opening = this.#begin(cluster, start)
    }
    const opened = await opening
    if (!opened.ok) return refused('failed', opened.error)
    return this.#open.get(cluster) === opening
      ? ok({ cluster })
      : refused('not-found', 'The scenario was closed while it was opening.')
  }

  async close(cluster: string): Promise<Result<Receipt, ActError>> {
    const opening = this.#open.get(cluster)
    if (opening === undefined) return refused('not-found', 'This scenario is no longer open.')
    this.#open.delete(cluster)
    const closing = this.#stopCluster(cluster, opening)
    this.#closing.set(cluster, closing)
    try {
      await closing
    } finally {
      if (this.#closing.get(cluster) === closing) this.#closing.delete(cluster)
    }
    return ok({ message: 'Scenario closed' })
  }

  /** Closes all and waits for those that are closing. Throws what one of them threw, after all have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const closing = [
      ...this.#closing.values(),
      ...Array.from(this.#open.keys(), (id) => this.close(id)),
    ]
    const ended = await Promise.allSettled(closing)
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  }

  async #stopCluster(cluster: string, opening: Opening): Promise<void> {
    const opened = await opening
    if (!opened.ok) return
    this.#deps.onClose(cluster)
    await opened.value.stop()
  }

  async #started(cluster: string, start: () => Opening): Opening {
    await this.#closing.get(cluster)?.catch(() => undefined)
    return start()
  }

  #begin(cluster: string, start: () => Opening): Opening {
    const opening = this.#started(cluster, start)
      .catch((error: unknown) => err(`The scenario cannot be opened: ${String(error)}.`))
      .then((opened) => {
        // If it was closed meanwhile, `close` waits for it and stops it.
        if (this.#open.get(cluster) !== opening) return opened
        if (opened.ok) this.#deps.onOpen(opened.value)
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
