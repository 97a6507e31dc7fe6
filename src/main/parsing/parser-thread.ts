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

/** MiB of JavaScript objects that the thread may hold; one text of 500,000 tokens takes some 300. */
const maxHeapMiB = 1024

function tooLong(deadlineMs: number): string {
  return `parsing it takes longer than ${deadlineMs / 1000} s. Make it shorter or simpler.`
}

function unread(reason: string): Reading {
  return err({
    line: null,
    column: null,
    message: `This text is not read: ${reason}`,
    isGivenUp: true,
  })
}

/**
 * Parses texts from outside on one long-lived thread, one after the other. A text whose parsing takes longer than the
 * deadline, which neither the start of the thread nor a busy main thread uses up, or more memory than the thread may have, ends its thread; the next text begins a new one. Short
 * texts are parsed in place. The thread does not keep the program alive.
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
      // An answer that has come while this thread was busy is taken before that.
      setImmediate(() => {
        if (this.#current === task) this.#abandon(tooLong(this.#deadlineMs))
      })
    }, this.#deadlineMs)
  }

  #start(): Worker {
    const thread = new Worker(this.#program, {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB },
    })
    // What an ended thread has sent before still arrives, when its text was given up and another one is waited for.
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
    this.#finish(unread(reason))
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
