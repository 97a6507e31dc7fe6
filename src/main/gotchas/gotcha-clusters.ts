import { err, ok } from '../../shared/result.ts'
import type { GotchaOpener } from '../session/gotcha-opener.ts'
import type { Gotcha } from './gotcha.ts'
import { gotchaView, startGotcha } from './start-gotcha.ts'
import type { GotchaDeps } from './start-gotcha.ts'

/** Opens each gotcha as a cluster of its own. */
export class GotchaClusters implements GotchaOpener {
  readonly gotchas: GotchaOpener['gotchas']
  readonly #gotchas: readonly Gotcha[]
  readonly #deps: GotchaDeps
  /** By id: settles when the last cluster of the gotcha has stopped, or could not be opened. */
  readonly #stopped = new Map<string, Promise<void>>()

  /** In the order in which they are listed. */
  constructor(gotchas: readonly Gotcha[], deps: GotchaDeps) {
    this.gotchas = gotchas.map(gotchaView)
    this.#gotchas = gotchas
    this.#deps = deps
  }

  /** If the gotcha is open or opening, waits until that cluster has stopped: both use the same folder. */
  readonly open: GotchaOpener['open'] = async (id) => {
    const gotcha = this.#gotchas.find((one) => one.id === id)
    if (gotcha === undefined) return err(`No gotcha is named ${id}.`)
    const before = this.#stopped.get(id)
    let settle = (): void => undefined
    this.#stopped.set(
      id,
      new Promise((resolve) => {
        settle = resolve
      }),
    )
    await before
    const started = await startGotcha(gotcha, this.#deps)
    if (!started.ok) {
      settle()
      return started
    }
    const { cluster } = started.value
    const stop = (): Promise<void> => cluster.stop().finally(settle)
    return ok({ ...cluster, stop })
  }
}
