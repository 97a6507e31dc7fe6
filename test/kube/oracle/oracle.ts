import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { findOracle } from '../build-oracle.ts'

/** The subjects of overlay/nodescope/oracle. */
export type Subject =
  | 'functions'
  | 'eviction'
  | 'handlers'
  | 'admission'
  | 'allocations'
  | 'configuration'
  | 'manifests'
  | 'node'
  | 'podConfig'
  | 'statusManager'
  | 'podManager'
  | 'podWorkers'
  | 'kuberuntime'
  | 'probes'
  | 'probeWorker'
  | 'imageGC'
  | 'volumeManager'
  | 'objectManager'
  | 'volumes'
  | 'scheduler'
  | 'rbac'
  | 'nodeLifecycle'
  | 'cronJob'
  | 'podSecurity'
  | 'certificates'

interface Reply {
  readonly answer: unknown
  readonly error?: string
  readonly panic?: string
}

interface Waiting {
  readonly ask: string
  readonly done: (answer: unknown) => void
  readonly failed: (error: Error) => void
}

/** An error of the kubelet's code, with its message. */
export class Refusal extends Error {}

/**
 * The kubelet's own Go code, called with lines of JSON. Responses have the order of the requests; many may
 * be sent before the first response.
 */
export class Oracle {
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #waiting: Waiting[] = []
  readonly #ended: Promise<void>
  #complaint = ''
  #end: Error | undefined
  /** How many questions were asked. */
  asked = 0

  constructor(file: string, subject: Subject) {
    this.#process = spawn(file, [subject], { stdio: ['pipe', 'pipe', 'pipe'] })
    const { stdout, stderr, stdin } = this.#process
    createInterface({ input: stdout }).on('line', (line) => {
      this.#answered(line)
    })
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-4000)
    })
    // Its exit reports the failure.
    stdin.on('error', () => undefined)
    this.#ended = new Promise((resolve) => {
      this.#process.once('close', (code) => {
        this.#fail(new Error(`the oracle ended with ${code}: ${this.#complaint}`))
        resolve()
      })
    })
    this.#process.once('error', (error) => {
      this.#fail(error)
    })
  }

  /** The answer; a {@link Refusal} where the kubelet's code returned an error. */
  ask(ask: string, values: unknown = null): Promise<unknown> {
    if (this.#end !== undefined) return Promise.reject(this.#end)
    this.asked++
    return new Promise((done, failed) => {
      this.#waiting.push({ ask, done, failed })
      this.#process.stdin.write(`${JSON.stringify({ ask, with: values })}\n`)
    })
  }

  async stop(): Promise<void> {
    this.#process.stdin.end()
    await this.#ended
  }

  #answered(line: string): void {
    const waiting = this.#waiting.shift()
    if (waiting === undefined) throw new Error(`the oracle answered unasked: ${line}`)
    // What overlay/nodescope/oracle/main.go writes.
    const { answer, error, panic } = JSON.parse(line) as Reply
    if (panic !== undefined) {
      waiting.failed(new Error(`the kubelet's code panicked at ${waiting.ask}: ${panic}`))
    } else if (error !== undefined) {
      waiting.failed(new Refusal(error))
    } else {
      waiting.done(answer)
    }
  }

  #fail(error: Error): void {
    this.#end = error
    for (const { failed } of this.#waiting.splice(0)) failed(error)
  }
}

/** The oracle for a subject where it is built; otherwise what `npm run kube:build` has to bring. */
export async function startOracle(
  subject: Subject,
  environment: NodeJS.ProcessEnv,
): Promise<Oracle | { readonly missing: readonly string[] }> {
  const file = await findOracle(environment)
  return file === undefined ? { missing: ['oracle'] } : new Oracle(file, subject)
}
