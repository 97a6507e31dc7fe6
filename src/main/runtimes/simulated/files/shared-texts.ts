/** How many texts are remembered: those of the pods that start at the same time are among them. */
const maxTexts = 1000

/**
 * Makes equal texts the same object in memory. A text that is part of a longer one, or that was put together, becomes a text of
 * its own, so that it does not keep the others in memory.
 */
export class SharedTexts {
  #known = new Map<string, string>()

  share(text: string): string {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const own = ownText(text)
    if (this.#known.size >= maxTexts) this.#known = new Map()
    this.#known.set(own, own)
    return own
  }
}

function ownText(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  const own = bytes.toString('latin1')
  // Other characters have more than one byte.
  return own === text ? own : text
}
