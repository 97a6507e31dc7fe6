import { LiveInput } from './byte-streams.ts'
import type { OutputStreams } from './running.ts'
import type { InputReceiver } from './terminal.ts'
import { Terminal, terminalText } from './terminal.ts'

const ignore = (): void => undefined
const unreadInput: InputReceiver = { receive: ignore, end: ignore }

/** Input and output of a process that clients reach, with or without a terminal. */
export class ProcessConsole {
  /** Of the process. */
  readonly streams: OutputStreams
  /** Of the client. */
  readonly input: InputReceiver = unreadInput

  constructor(deps: {
    readonly streams: OutputStreams
    readonly hasInput: boolean
    readonly isTerminal: boolean
    readonly now: () => number
    /** Continues the process. */
    readonly onInput: () => void
    readonly interrupt: () => void
  }) {
    const { streams, hasInput, isTerminal, now, onInput, interrupt } = deps
    this.streams = streams
    if (!hasInput && !isTerminal) return
    const input = new LiveInput(onInput)
    this.input = input
    if (hasInput) this.streams = { ...streams, stdin: input }
    if (!isTerminal) return
    const { stdout, stderr } = streams
    const print: OutputStreams['stdout'] = (text, at) => stdout?.(terminalText(text), at)
    this.streams = {
      ...this.streams,
      stdout: print,
      stderr: (text, at) => (stderr ?? stdout)?.(terminalText(text), at),
      isTerminal: true,
    }
    const echo = (text: string): void => {
      print(text, now())
    }
    this.input = new Terminal({ input, echo, interrupt })
  }
}
