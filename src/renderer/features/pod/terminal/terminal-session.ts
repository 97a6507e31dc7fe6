import type { Bridge } from '../../../../shared/ipc/contract.ts'
import { maxTerminalInput } from '../../../../shared/model/terminal.ts'
import type { TerminalSize } from '../../../../shared/model/terminal.ts'
import type { PodKey } from '../../../../shared/model/pod-row.ts'
import { text } from '../../../text/text.ts'

const words = text.pod.terminal

/** What shows the output of a terminal and takes the input. */
export interface TerminalScreen {
  readonly size: () => TerminalSize
  readonly print: (output: string) => void
  /** No more input is taken. */
  readonly end: () => void
  readonly focus: () => void
  readonly dispose: () => void
}

export type OpenScreen = (
  host: HTMLElement,
  options: {
    readonly label: string
    /** The id of the element that says how to leave. */
    readonly describedBy: string
    readonly onInput: (input: string) => void
    readonly onResize: (size: TerminalSize) => void
    /** The user wants the focus elsewhere. */
    readonly onLeave: () => void
  },
) => TerminalScreen

export interface TerminalCommand {
  readonly pod: PodKey
  readonly container: string
  readonly command: readonly string[]
}

/** `said`: one sentence about the end. */
export type TerminalState =
  | { readonly kind: 'starting' | 'open' }
  | { readonly kind: 'ended'; readonly said: string; readonly isFailure: boolean }

let lastId = 0

/** Cut between characters: half of a surrogate pair would arrive as a replacement character. */
function inputParts(input: string): readonly string[] {
  const parts: string[] = []
  let part = ''
  for (const character of input) {
    if (part.length + character.length > maxTerminalInput) {
      parts.push(part)
      part = ''
    }
    part += character
  }
  return [...parts, part]
}

/** Runs a command with a terminal on a screen. The returned function ends it, and removes the screen. */
export function startTerminal(deps: {
  readonly bridge: Bridge
  readonly command: TerminalCommand
  /** Opens the screen for this session. */
  readonly open: (options: {
    readonly onInput: (input: string) => void
    readonly onResize: (size: TerminalSize) => void
  }) => TerminalScreen
  readonly publish: (state: TerminalState) => void
}): () => void {
  const { bridge, command } = deps
  const id = ++lastId
  let isOver = false
  // A request rejects only if the connection is lost, which `onConnection` reports.
  const send = (request: Promise<unknown>): void => void request.catch(() => undefined)
  const screen = deps.open({
    onInput: (input) => {
      for (const part of isOver ? [] : inputParts(input))
        send(bridge.request('terminal.write', { id, text: part }))
    },
    onResize: (size) => {
      if (!isOver) send(bridge.request('terminal.resize', { id, ...size }))
    },
  })
  const end = (said: string, isFailure: boolean): void => {
    if (isOver) return
    isOver = true
    screen.end()
    deps.publish({ kind: 'ended', said, isFailure })
  }
  const leave = [
    bridge.subscribe('terminal.printed', (printed) => {
      if (printed.id !== id) return
      screen.print(printed.text)
      if (printed.dropped > 0) screen.print(`\r\n${words.dropped(printed.dropped)}\r\n`)
    }),
    bridge.subscribe('terminal.ended', (ended) => {
      if (ended.id !== id) return
      if (ended.exitCode === null) end(ended.message || words.unknownEnd, true)
      else end(words.exited(ended.exitCode), false)
    }),
    bridge.onConnection((connection) => {
      if (connection === 'lost') end(words.lost, true)
    }),
  ]
  deps.publish({ kind: 'starting' })
  const { pod, ...asked } = command
  bridge.request('terminal.open', { id, key: pod, ...asked, ...screen.size() }).then(
    (answer) => {
      if (!answer.ok) end(answer.error.message, true)
      else if (!isOver) deps.publish({ kind: 'open' })
    },
    (error: unknown) => end(error instanceof Error ? error.message : words.lost, true),
  )
  screen.focus()
  return () => {
    for (const each of leave) each()
    isOver = true
    send(bridge.request('terminal.close', { id }))
    screen.dispose()
  }
}
