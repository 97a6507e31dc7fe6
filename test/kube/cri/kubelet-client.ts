import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

interface Reply {
  readonly answer?: unknown
  readonly error?: string
  readonly code?: string
}

/** The kubelet's own CRI client (cri-client/main.go), which answers one call after the other. */
export class KubeletClient {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>
  readonly #waiting: ((reply: Reply) => void)[] = []
  /** How many calls were made. */
  asked = 0

  constructor(file: string, socketPath: string) {
    const args = ['-endpoint', `unix://${socketPath}`]
    // What klog says of failed calls is in the answers as well.
    this.#process = spawn(file, args, { stdio: ['pipe', 'pipe', 'ignore'] })
    this.#process.stdin.on('error', () => undefined)
    createInterface({ input: this.#process.stdout }).on('line', (line) => {
      this.#waiting.shift()?.(JSON.parse(line) as Reply)
    })
    this.#process.once('close', () => {
      for (const done of this.#waiting.splice(0)) done({ error: 'the client ended', code: 'Ended' })
    })
  }

  /** The answer in protobuf's names; for a refusal `CODE: what the server says`. */
  async call(name: string, given: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    this.asked++
    const reply = await new Promise<Reply>((done) => {
      this.#waiting.push(done)
      this.#process.stdin.write(`${JSON.stringify({ call: name, with: given })}\n`)
    })
    if (reply.error === undefined) return reply.answer
    return `${reply.code}: ${reply.error.replace(/^rpc error: code = \w+ desc = /, '')}`
  }

  stop(): void {
    this.#process.stdin.end()
  }
}
