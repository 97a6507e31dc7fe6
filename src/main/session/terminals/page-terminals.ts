import type { ActError } from '../../../shared/ipc/contract.ts'
import type { TerminalEnd, TerminalSize } from '../../../shared/model/terminal.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { TerminalListener, TerminalStream } from '../../cri/streaming/terminal-stream.ts'
import type { CancelTimer, Clock } from '../../kubelet/ports.ts'
import type { SendEvent } from '../session-channel.ts'

/** Of one page. */
const maxTerminals = 16
/** Time between two messages with output of one terminal. */
const batchMs = 16
/** Of the output of one batch, in UTF-16 units: the rest of a faster command is dropped, and the page is told. */
const maxBatch = 131_072
/** Of what is typed before a terminal is open, in UTF-16 units: the rest is dropped. */
const maxTyped = 65_536

interface PageTerminal {
  stream: TerminalStream | undefined
  /** What was typed, and the screen's size, until it is open. */
  typed: string
  size: TerminalSize
  output: string
  dropped: number
  cancelSend: CancelTimer | undefined
}

/** The terminals of one page; all of them end with its connection. */
export class PageTerminals {
  readonly #send: SendEvent
  readonly #clock: Clock
  readonly #terminals = new Map<number, PageTerminal>()

  /** `clock`: the system's. */
  constructor(deps: { readonly send: SendEvent; readonly clock: Clock }) {
    this.#send = deps.send
    this.#clock = deps.clock
  }

  /** `id` is the page's own: output may come before the answer. */
  async open(
    id: number,
    size: TerminalSize,
    openStream: (listener: TerminalListener) => Promise<Result<TerminalStream, ActError>>,
  ): Promise<Result<null, ActError>> {
    if (this.#terminals.has(id))
      return err({ kind: 'refused', message: `This page already has a terminal ${id}.` })
    if (this.#terminals.size >= maxTerminals)
      return err({
        kind: 'refused',
        message: `This page has ${maxTerminals} terminals open. End one of them first.`,
      })
    const terminal: PageTerminal = {
      stream: undefined,
      typed: '',
      size,
      output: '',
      dropped: 0,
      cancelSend: undefined,
    }
    this.#terminals.set(id, terminal)
    const opened = await openStream({
      printed: (text) => {
        this.#print(id, terminal, text)
      },
      ended: (end) => {
        this.#end(id, terminal, end)
      },
    })
    if (!opened.ok) {
      this.#forget(id, terminal)
      return opened
    }
    terminal.stream = opened.value
    // The page may have closed it meanwhile.
    if (this.#terminals.get(id) === terminal) {
      opened.value.resize(terminal.size)
      if (terminal.typed !== '') opened.value.write(terminal.typed)
      terminal.typed = ''
    } else opened.value.close()
    return ok(null)
  }

  /** Without effect on a terminal that has ended. */
  write(id: number, text: string): void {
    const terminal = this.#terminals.get(id)
    if (terminal === undefined) return
    if (terminal.stream !== undefined) terminal.stream.write(text)
    else if (terminal.typed.length + text.length <= maxTyped) terminal.typed += text
  }

  resize(id: number, size: TerminalSize): void {
    const terminal = this.#terminals.get(id)
    if (terminal === undefined) return
    terminal.size = size
    terminal.stream?.resize(size)
  }

  close(id: number): void {
    const terminal = this.#terminals.get(id)
    if (terminal === undefined) return
    this.#forget(id, terminal)
    terminal.stream?.close()
  }

  closeAll(): void {
    for (const id of this.#terminals.keys()) this.close(id)
  }

  #print(id: number, terminal: PageTerminal, text: string): void {
    if (this.#terminals.get(id) !== terminal) return
    const kept = text.slice(0, maxBatch - terminal.output.length)
    terminal.output += kept
    terminal.dropped += text.length - kept.length
    terminal.cancelSend ??= this.#clock.after(batchMs, () => {
      this.#flush(id, terminal)
    })
  }

  #flush(id: number, terminal: PageTerminal): void {
    terminal.cancelSend?.()
    terminal.cancelSend = undefined
    const { output, dropped } = terminal
    if (output === '') return
    terminal.output = ''
    terminal.dropped = 0
    this.#send('terminal.printed', { id, text: output, dropped })
  }

  #end(id: number, terminal: PageTerminal, end: TerminalEnd): void {
    if (this.#terminals.get(id) !== terminal) return
    this.#flush(id, terminal)
    this.#forget(id, terminal)
    this.#send('terminal.ended', { id, ...end })
  }

  #forget(id: number, terminal: PageTerminal): void {
    terminal.cancelSend?.()
    if (this.#terminals.get(id) === terminal) this.#terminals.delete(id)
  }
}
