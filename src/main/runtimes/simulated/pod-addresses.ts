/** Allocates the IPv4 addresses of a range in turn, like CNI's host-local plugin: a freed address is reused last. */
export class PodAddresses {
  readonly #first: number
  readonly #count: number
  readonly #used = new Set<string>()
  #next = 0

  /** Throws if the text is not an IPv4 range of 4 to 2^24 addresses. */
  constructor(deps: { readonly podCidr: string }) {
    const match = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\/(\d+)$/.exec(deps.podCidr)
    const bytes = (match?.slice(1, 5) ?? []).map(Number)
    const bits = Number(match?.[5])
    if (match === null || bytes.some((byte) => byte > 255) || bits < 8 || bits > 30) {
      throw new Error(`not a range of pod addresses: ${deps.podCidr}`)
    }
    const size = 2 ** (32 - bits)
    const address = bytes.reduce((sum, byte) => sum * 256 + byte, 0)
    // The network, gateway and broadcast addresses are not allocated.
    this.#first = address - (address % size) + 2
    this.#count = size - 3
  }

  /** The node's own address in the range. */
  get gateway(): string {
    return dotted(this.#first - 1)
  }

  /** Undefined if all are in use. */
  take(): string | undefined {
    if (this.#used.size >= this.#count) return undefined
    for (;;) {
      const ip = dotted(this.#first + this.#next)
      this.#next = (this.#next + 1) % this.#count
      if (this.#used.has(ip)) continue
      this.#used.add(ip)
      return ip
    }
  }

  free(ip: string): void {
    this.#used.delete(ip)
  }
}

function dotted(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')
}
