import type { FileTree } from '../files/file-tree.ts'
import type { FileError } from '../files/file-error.ts'
import type { FileContent } from '../files/file-node.ts'
import { textOf } from '../files/file-node.ts'

/** Where a process writes to. */
export interface Output {
  /** `at`: ms since the epoch. Returns why it failed; EPIPE: nothing reads the pipe any more. */
  readonly write: (text: string, at: number) => FileError | 'EPIPE' | undefined
  /** Whether a writer waits for the reader. */
  readonly isFull?: () => boolean
}

/** Where a process reads from. */
export interface Input {
  /** What can be read now. */
  readonly peek: () => string
  readonly take: (length: number) => void
  /** Whether no more comes after what can be read now. */
  readonly isAtEnd: () => boolean
}

/** As much as a Linux pipe holds. */
const pipeCapacity = 65_536

/** A pipe. It is at its end when the writing process has ended, and broken when the reading one has. */
export class Pipe implements Input, Output {
  readonly #isAlive: (pid: number) => boolean
  #buffer = ''
  writer: number | undefined
  reader: number | undefined

  constructor(isAlive: (pid: number) => boolean) {
    this.#isAlive = isAlive
  }

  readonly write = (text: string): 'EPIPE' | undefined => {
    if (this.#isBroken) return 'EPIPE'
    this.#buffer += text
    return undefined
  }

  readonly isFull = (): boolean => this.#buffer.length >= pipeCapacity && !this.#isBroken

  readonly peek = (): string => this.#buffer

  readonly take = (length: number): void => {
    this.#buffer = this.#buffer.slice(length)
  }

  readonly isAtEnd = (): boolean => this.writer !== undefined && !this.#isAlive(this.writer)

  get #isBroken(): boolean {
    return this.reader !== undefined && !this.#isAlive(this.reader)
  }
}

/** Text that is there as a whole: a here-document, or nothing. */
export function textInput(text: string): Input {
  let rest = text
  return {
    peek: () => rest,
    take: (length) => {
      rest = rest.slice(length)
    },
    isAtEnd: () => true,
  }
}

/** What a client sends. */
export class LiveInput implements Input {
  readonly #onChange: () => void
  #buffer = ''
  #hasEnded = false

  /** `onChange` continues the processes that wait for it. */
  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  readonly peek = (): string => this.#buffer

  readonly take = (length: number): void => {
    this.#buffer = this.#buffer.slice(length)
  }

  readonly isAtEnd = (): boolean => this.#hasEnded

  readonly unread = (): number => this.#buffer.length

  readonly receive = (text: string): void => {
    if (this.#hasEnded) return
    this.#buffer += text
    this.#onChange()
  }

  readonly end = (): void => {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#onChange()
  }
}

/** A file, from its beginning. */
export function fileInput(file: FileContent): Input {
  let at = 0
  return {
    peek: () => textOf(file).slice(at),
    take: (length) => {
      at += length
    },
    isAtEnd: () => true,
  }
}

/** Appends to a file. */
export function fileOutput(file: FileContent, tree: FileTree): Output {
  return { write: (text) => tree.append(file, text) }
}

/** What a substitution collects. */
export class Capture implements Output {
  text = ''

  readonly write = (text: string): FileError | undefined => {
    if (this.text.length + text.length > maxCapture) return 'ENOSPC'
    this.text += text
    return undefined
  }
}

/** Longer output of a substitution is refused, because it would use up the program's memory. */
const maxCapture = 65_536
