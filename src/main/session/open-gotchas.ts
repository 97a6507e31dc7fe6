import type { ActError, Receipt, Requests } from '../../shared/ipc/contract.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { gotchaClusterId } from './gotcha-opener.ts'
import type { GotchaOpener } from './gotcha-opener.ts'
import type { OpenCluster } from './cluster/open-cluster.ts'

/** Gotchas that are open at a time, at most: each is a whole cluster. */
const maxOpen = 4

type Opening = Promise<Result<OpenCluster, string>>

interface OpenGotchasDeps {
  /** Undefined: this session has no gotchas. */
  readonly opener: GotchaOpener | undefined
  readonly onOpen: (cluster: OpenCluster) => void
  readonly onClose: (id: string) => void
}

/** Opens and closes gotchas for the pages; each is open once, whichever page asks. */
export class OpenGotchas {
  readonly #deps: OpenGotchasDeps
  /** By the cluster's id: opening or open. */
  readonly #open = new Map<string, Opening>()
  /** A cluster that is closing still counts. */
  readonly #closing = new Set<Promise<void>>()
  #isStopped = false

  constructor(deps: OpenGotchasDeps) {
    this.#deps = deps
  }

  async open(id: string): Promise<Requests['gotchas.open']['reply']> {
    const { opener } = this.#deps
    if (this.#isStopped || opener?.gotchas.some((gotcha) => gotcha.id === id) !== true)
      return refused('not-found', `No gotcha is named ${id}.`)
    const cluster = gotchaClusterId(id)
    let opening = this.#open.get(cluster)
    if (opening === undefined) {
      if (this.#open.size + this.#closing.size >= maxOpen)
        return refused('refused', `${maxOpen} gotchas are open. Close one first.`)
      opening = this.#begin(cluster, opener.open(id))
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
    const closing = this.#stopCluster(cluster, opening)
    this.#closing.add(closing)
    try {
      await closing
    } finally {
      this.#closing.delete(closing)
    }
    return ok({ message: 'Gotcha closed' })
  }

  /** Closes all and waits for those that are closing. Throws what one of them threw, after all have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const closing = [...this.#closing, ...Array.from(this.#open.keys(), (id) => this.close(id))]
    const ended = await Promise.allSettled(closing)
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  }

  async #stopCluster(cluster: string, opening: Opening): Promise<void> {
    const opened = await opening
    if (!opened.ok) return
    this.#deps.onClose(cluster)
    await opened.value.stop()
  }

  #begin(cluster: string, work: Opening): Opening {
    const opening = work
      .catch((error: unknown) => err(`The gotcha could not be opened: ${String(error)}.`))
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
