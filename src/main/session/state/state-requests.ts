import type { ActError, Receipt, Requests, SavedFile } from '../../../shared/ipc/contract.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { savedFile } from '../saved-file.ts'
import type { SaveFile } from '../session-ports.ts'
import type { StateCommands, StateCommandsDeps } from './state-commands.ts'

/** Undefined: this program has no sandbox of its own. */
export type LoadState = (
  deps: Pick<StateCommandsDeps, 'onOpen' | 'onClose'>,
) => Promise<StateCommands | undefined>

/** Longest state file that a page sends, in UTF-16 units. */
const maxLength = 64 * 1_048_576

const noSandbox: ActError = {
  kind: 'refused',
  message: 'This Nodescope has no sandbox of its own: it was started for another cluster.',
}

function receiptOf(done: Result<string, string>): Result<Receipt, ActError> {
  return done.ok ? ok({ message: done.value }) : err({ kind: 'failed', message: done.error })
}

/** The requests of one page about the state of the program's own sandbox. */
export class StateRequests {
  readonly #deps: {
    readonly load: () => Promise<StateCommands | undefined>
    readonly saveFile: SaveFile | undefined
  }
  /** The pieces of a file that is being imported. */
  #pieces: string[] = []

  constructor(deps: {
    readonly load: () => Promise<StateCommands | undefined>
    readonly saveFile: SaveFile | undefined
  }) {
    this.#deps = deps
  }

  async export(): Promise<Result<SavedFile, ActError>> {
    const state = await this.#deps.load()
    if (state === undefined) return err(noSandbox)
    const text = await state.export()
    if (!text.ok) return err({ kind: 'failed', message: text.error })
    return savedFile('sandbox-state.yaml', text.value, this.#deps.saveFile)
  }

  async reset(): Promise<Result<Receipt, ActError>> {
    const state = await this.#deps.load()
    return state === undefined ? err(noSandbox) : receiptOf(await state.reset())
  }

  async import({
    name,
    text,
    isFirst,
    isLast,
  }: Requests['state.import']['args']): Promise<Requests['state.import']['reply']> {
    const state = await this.#deps.load()
    if (state === undefined) return err(noSandbox)
    if (isFirst) this.#pieces = []
    this.#pieces.push(text)
    const length = this.#pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (length > maxLength) {
      this.#pieces = []
      return err({ kind: 'refused', message: `${name} is larger than 64 MiB.` })
    }
    if (!isLast) return ok(null)
    const whole = this.#pieces.join('')
    this.#pieces = []
    return receiptOf(await state.import(name, whole))
  }
}
