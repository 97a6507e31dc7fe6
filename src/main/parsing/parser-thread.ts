import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { err } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { parseText } from './kubernetes-text.ts'
import type { ParsedText, Parsers, ParseText, TextProblem } from './kubernetes-text.ts'
import { maxInPlaceLength, parseDeadlineMs } from './parse-limits.ts'

type Reading = Result<ParsedText, TextProblem>

interface Task {
  readonly text: string
  readonly done: (reading: Reading) => void
}

/** MiB of the thread's heap; a text of 500,000 tokens takes some 300. */
const maxHeapMiB = 1024

function notRead(reason: string): Reading {
  const message = `This text is not read: ${reason}`
  return err({ line: null, column: null, message, isGivenUp: true })
}

/**
 * Parses untrusted texts on one thread, one after the other. A text over the deadline (which excludes the start of the thread
 * and a busy main thread) or the memory limit ends the thread; the next text starts a new one. Short texts are parsed on the
 * main thread. The thread does not keep the program alive.
 */
export class ParserThread {
  readonly #program: URL
  readonly #deadlineMs: number
  readonly #waiting: Task[] = []
  #thread: Worker | undefined
  #current: Task | undefined
  #timer: NodeJS.Timeout | undefined

  /** `program`: the built parser-program.ts. */
  constructor(program: URL, options: { readonly deadlineMs?: number } = {}) {
    this.#program = program
    this.#deadlineMs = options.deadlineMs ?? parseDeadlineMs
  }

  readonly parse: ParseText = (text) => {
    if (text.length <= maxInPlaceLength) return Promise.resolve(parseText(text))
    return new Promise((done) => {
      this.#waiting.push({ text, done })
      this.#next()
    })
  }

  #next(): void {
    if (this.#current !== undefined) return
    const task = this.#waiting.shift()
    if (task === undefined) {
      this.#thread?.unref()
      return
    }
    this.#current = task
    this.#thread ??= this.#start()
    this.#thread.ref()
    this.#thread.postMessage(task.text)
  }

  #watch(task: Task | undefined): void {
    this.#timer = setTimeout(() => {
      // A result that arrived while the main thread was busy comes first.
      setImmediate(() => {
        const seconds = this.#deadlineMs / 1000
        if (this.#current === task)
          this.#abandon(`parsing it takes longer than ${seconds} s. Make it shorter or simpler.`)
      })
    }, this.#deadlineMs)
  }

  #start(): Worker {
    const thread = new Worker(this.#program, {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB },
    })
    // A message of a terminated thread may still arrive.
    thread.on('message', (message: 'begun' | Reading) => {
      if (thread !== this.#thread) return
      if (message === 'begun') this.#watch(this.#current)
      else this.#finish(message)
    })
    thread.on('error', (error) => {
      if (thread === this.#thread) this.#abandon(`parsing it failed: ${error.message}.`)
    })
    return thread
  }

  #abandon(reason: string): void {
    const thread = this.#thread
    this.#thread = undefined
    void thread?.terminate()
    this.#finish(notRead(reason))
  }

  #finish(reading: Reading): void {
    clearTimeout(this.#timer)
    const task = this.#current
    this.#current = undefined
    task?.done(reading)
    this.#next()
  }
}

/** `path`: the built parser-program.ts. */
export function parserThreads(path: string): Parsers {
  const program = pathToFileURL(path)
  return {
    manifests: new ParserThread(program).parse,
    editor: new ParserThread(program).parse,
    bodies: new ParserThread(program).parse,
  }
}
