import { err, ok } from '../../shared/result.ts'
import type { MuseumDoor } from '../session/museum-door.ts'
import type { Exhibit } from './exhibit.ts'
import { exhibitView, playExhibit } from './play-exhibit.ts'
import type { MuseumDeps } from './play-exhibit.ts'

/** The exhibits of a museum, each of which opens as a cluster of its own. */
export class Museum implements MuseumDoor {
  readonly exhibits: MuseumDoor['exhibits']
  readonly #exhibits: readonly Exhibit[]
  readonly #deps: MuseumDeps
  /** By id: when the last opening of it has left its folder. */
  readonly #left = new Map<string, Promise<void>>()

  /** In the order in which they are listed. */
  constructor(exhibits: readonly Exhibit[], deps: MuseumDeps) {
    this.exhibits = exhibits.map(exhibitView)
    this.#exhibits = exhibits
    this.#deps = deps
  }

  /** One that is open or opening already: waits until that one has been stopped, since both would use one folder. */
  readonly open: MuseumDoor['open'] = async (id) => {
    const exhibit = this.#exhibits.find((one) => one.id === id)
    if (exhibit === undefined) return err(`No gotcha is named ${id}.`)
    const before = this.#left.get(id)
    let leave = (): void => undefined
    this.#left.set(
      id,
      new Promise((resolve) => {
        leave = resolve
      }),
    )
    await before
    const played = await playExhibit(exhibit, this.#deps)
    if (!played.ok) {
      leave()
      return played
    }
    const { cluster } = played.value
    const stop = (): Promise<void> => cluster.stop().finally(leave)
    return ok({ ...cluster, stop })
  }
}
