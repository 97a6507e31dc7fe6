import { changedBehavior, usageReaches } from '../../../shared/simulated-behavior.ts'
import type { SimulatedBehavior } from '../../../shared/simulated-behavior.ts'
import { ok } from '../../../shared/result.ts'
import type { Listener, PortOwner } from './network/listener.ts'
import { textAnswer } from './network/web-site.ts'
import { readCommand } from './shell/command-line.ts'
import type { ReadCommand } from './shell/command-line.ts'

/** What annotations make of one container. */
export class ContainerBehavior implements PortOwner {
  #asked: SimulatedBehavior
  readonly #container: { readonly ageMs: number }
  readonly #chance: () => number

  constructor(deps: {
    readonly asked: SimulatedBehavior
    /** `ageMs`: since its start. */
    readonly container: { readonly ageMs: number }
    readonly chance: () => number
  }) {
    this.#asked = deps.asked
    this.#container = deps.container
    this.#chance = deps.chance
  }

  get asked(): SimulatedBehavior {
    return this.#asked
  }

  /** What it will follow, now that the pod's annotations ask for this; undefined: the same as before. */
  changeFor(asked: SimulatedBehavior): SimulatedBehavior | undefined {
    const changed = changedBehavior(this.#asked, asked)
    const before = changedBehavior(this.#asked, this.#asked)
    return JSON.stringify(changed) === JSON.stringify(before) ? undefined : changed
  }

  change(asked: SimulatedBehavior): void {
    this.#asked = asked
  }

  /** What runs instead of the container's command; undefined: its command. */
  commandInstead(): ReadCommand | undefined {
    const { runTimeMs, exitCode, ignoresSigterm, logRate } = this.asked
    const asked = [runTimeMs, exitCode, ignoresSigterm, logRate]
    if (asked.every((value) => value === undefined)) return undefined
    const lines = [
      ignoresSigterm === true ? "trap '' TERM" : `trap 'exit ${exitCode ?? 0}' TERM`,
      ...(logRate === undefined || logRate === 0 ? [] : [logLoop(1 / logRate)]),
      `sleep ${runTimeMs === undefined ? 'infinity' : runTimeMs / 1000} & wait $!`,
      `exit ${exitCode ?? 0}`,
    ]
    const command = ['sh', '-c', lines.join('\n')]
    return readCommand({ image: '', command, args: [], environment: new Map() })
  }

  isFailing(): boolean {
    const { probes } = this.asked
    if (probes === undefined) return false
    if (probes.kind === 'flaky') return this.#chance() < probes.share
    const isLate = this.#container.ageMs >= probes.afterMs
    return probes.kind === 'fails' ? isLate : !isLate
  }

  /** The listener as it answers at each time. */
  listenerOf(listener: Listener): Listener {
    return new AskedListener(this, listener)
  }

  isListening(): boolean {
    return this.#container.ageMs >= (this.asked.listenAfterMs ?? 0)
  }

  /** The age at which the kernel kills the container; `limit` in bytes, 0 for none. */
  outOfMemoryAge(limit: number): number | undefined {
    const { memory, outOfMemoryAfterMs } = this.asked
    const reached = memory === undefined || limit <= 0 ? undefined : usageReaches(memory, limit)
    const ages = [reached, outOfMemoryAfterMs].filter((age) => age !== undefined)
    return ages.length === 0 ? undefined : Math.min(...ages)
  }
}

/** What is made for each call is not kept for each port. */
class AskedListener implements Listener {
  readonly #behavior: ContainerBehavior
  readonly #listener: Listener

  constructor(behavior: ContainerBehavior, listener: Listener) {
    this.#behavior = behavior
    this.#listener = listener
  }

  isOpen(): boolean {
    return this.#behavior.isListening()
  }

  isFailing(): boolean {
    return this.#behavior.isFailing()
  }

  get onConnect(): Listener['onConnect'] {
    return this.#listener.onConnect
  }

  get http(): Listener['http'] {
    const { http } = this.#listener
    return (
      http &&
      ((request) => (this.isFailing() ? textAnswer(500, 'failed by annotation\n') : http(request)))
    )
  }

  get health(): Listener['health'] {
    const { health } = this.#listener
    return health && ((service) => (this.isFailing() ? ok('NOT_SERVING') : health(service)))
  }
}

/** In the background, so that a signal interrupts the wait. */
function logLoop(seconds: number): string {
  return `(i=0; while true; do echo "line $i"; i=$((i+1)); sleep ${seconds.toFixed(4)}; done) &`
}
