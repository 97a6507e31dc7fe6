import type { ActError, Receipt, Requests } from '../../../shared/ipc/contract.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { OpenCluster } from '../cluster/open-cluster.ts'

/** Recordings that are open at a time, at most: each is held in memory. */
const maxOpen = 4

interface PageRecordingsDeps {
  readonly onOpen: (cluster: OpenCluster) => void
  readonly onClose: (id: string) => void
}

/** The recordings that pages have opened, each once. */
export class PageRecordings {
  readonly #deps: PageRecordingsDeps
  /** By their path. */
  readonly #open = new Map<string, OpenCluster>()

  constructor(deps: PageRecordingsDeps) {
    this.#deps = deps
  }

  async open(path: string): Promise<Requests['recording.open']['reply']> {
    const known = this.#open.get(path)
    if (known !== undefined) return ok({ cluster: known.session.id })
    if (this.#open.size >= maxOpen)
      return refused('refused', `${maxOpen} recordings are open. Close one first.`)
    const { openRecording } = await import('./recorded-cluster.ts')
    const opened = await openRecording(path, { isPageOpened: true })
    if (!opened.ok) return refused('failed', opened.error.message)
    const other = this.#open.get(path)
    if (other !== undefined) return ok({ cluster: other.session.id })
    this.#open.set(path, opened.value)
    this.#deps.onOpen(opened.value)
    return ok({ cluster: opened.value.session.id })
  }

  /** Undefined: no page has opened this one. */
  async close(id: string): Promise<Result<Receipt, ActError> | undefined> {
    for (const [path, cluster] of this.#open) {
      if (cluster.session.id !== id) continue
      this.#open.delete(path)
      this.#deps.onClose(id)
      await cluster.stop()
      return ok({ message: `Closed ${path}` })
    }
    return undefined
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#open.values()].map(async ({ session }) => this.close(session.id)))
  }
}

function refused(kind: ActError['kind'], message: string): Result<never, ActError> {
  return err({ kind, message })
}
