import type {
  EndpointReading,
  KubeletEndpoint,
  KubeletFacts,
  KubeletProblem,
} from '../../../shared/model/inspect/kubelet-facts.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { KubeletWay } from './direct-way.ts'
import { configurationIn, nodeUseIn, podsIn, runningPodsIn } from './kubelet-answers.ts'
import { figuresOf, wantedSamples } from './kubelet-figures.ts'
import { problemOf } from './kubelet-problem.ts'
import type { Sample } from './prometheus-text.ts'

/** What is asked for each endpoint. */
const queries: Readonly<Partial<Record<KubeletEndpoint, string>>> = {
  '/healthz': '/healthz?verbose',
  '/stats/summary': '/stats/summary?only_cpu_and_memory=true',
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Reads the endpoints of one kubelet one at a time, and keeps what each said last. A failed reading keeps the facts before it, with their time. */
export class KubeletClient {
  readonly #way: KubeletWay
  readonly #now: () => number
  readonly #facts: Mutable<Omit<KubeletFacts, 'readings' | 'way'>> = {
    pods: null,
    running: null,
    healthz: null,
    syncLoop: null,
    figures: null,
    configuration: null,
    use: null,
  }
  readonly #readings = new Map<KubeletEndpoint, EndpointReading>()
  #samples: readonly Sample[] | undefined

  constructor(deps: { readonly way: KubeletWay; readonly now: () => number }) {
    this.#way = deps.way
    this.#now = deps.now
  }

  get facts(): KubeletFacts {
    return { way: this.#way.name, ...this.#facts, readings: [...this.#readings.values()] }
  }

  reading(path: KubeletEndpoint): EndpointReading | undefined {
    return this.#readings.get(path)
  }

  /** Reads one endpoint; a problem is in its reading. */
  async read(path: KubeletEndpoint): Promise<EndpointReading> {
    const at = this.#now()
    const answer = await this.#way.get(queries[path] ?? path)
    const problem = !answer.ok
      ? answer.error
      : (problemOf(path, answer.value) ?? this.#keep(path, answer.value.body, at))
    const reading: EndpointReading = {
      path,
      at,
      tookMs: this.#now() - at,
      bytes: answer.ok ? answer.value.body.length : 0,
      problem,
    }
    this.#readings.set(path, reading)
    return reading
  }

  async close(): Promise<void> {
    await this.#way.close()
  }

  #keep(path: KubeletEndpoint, body: string, at: number): KubeletProblem | null {
    const kept = this.#parsed(path, body, at)
    return kept.ok ? null : { kind: 'away', message: `${path}: the answer ${kept.error}.` }
  }

  #parsed(path: KubeletEndpoint, body: string, at: number): Result<undefined, string> {
    const fact = <T>(parsed: Result<T, string>, keep: (fact: { value: T; at: number }) => void) => {
      if (!parsed.ok) return err(parsed.error)
      keep({ value: parsed.value, at })
      return ok(undefined)
    }
    const facts = this.#facts
    switch (path) {
      case '/pods':
        return fact(podsIn(body), (pods) => (facts.pods = pods))
      case '/runningpods/':
        return fact(runningPodsIn(body), (running) => (facts.running = running))
      case '/configz':
        return fact(configurationIn(body), (configuration) => (facts.configuration = configuration))
      case '/stats/summary':
        return fact(nodeUseIn(body), (use) => (facts.use = use))
      case '/healthz':
        return fact(ok(body.trim()), (healthz) => (facts.healthz = healthz))
      case '/healthz/syncloop':
        return fact(ok(body.trim()), (syncLoop) => (facts.syncLoop = syncLoop))
      case '/metrics': {
        const samples = wantedSamples(body)
        const figures = figuresOf(samples, this.#samples)
        this.#samples = samples
        return fact(ok(figures), (kept) => (facts.figures = kept))
      }
    }
  }
}
