/** Where the input of a process comes from: a client. */
export interface InputReceiver {
  readonly receive: (text: string) => void
  /** No more comes. */
  readonly end: () => void
  /** How many characters wait to be read. Absent: unknown. */
  readonly unread?: () => number
}

/** The line discipline of a terminal: it echoes what is typed, and gives on whole lines. */
export class Terminal implements InputReceiver {
  readonly #input: InputReceiver
  readonly #echo: (text: string) => void
  readonly #interrupt: () => void
  #line = ''

  constructor(deps: {
    readonly input: InputReceiver
    /** Prints to the terminal, which turns `\n` into `\r\n`. */
    readonly echo: (text: string) => void
    /** Ctrl+C. */
    readonly interrupt: () => void
  }) {
    this.#input = deps.input
    this.#echo = deps.echo
    this.#interrupt = deps.interrupt
  }

  readonly receive = (text: string): void => {
    for (const character of text) this.#type(character)
  }

  readonly end = (): void => {
    this.#input.end()
  }

  readonly unread = (): number => this.#line.length + (this.#input.unread?.() ?? 0)

  #type(character: string): void {
    switch (character) {
      case '\r':
      case '\n':
        this.#echo('\n')
        this.#input.receive(`${this.#line}\n`)
        this.#line = ''
        return
      case '\u0003':
        this.#echo('^C\n')
        this.#line = ''
        this.#interrupt()
        return
      case '\u0004':
        if (this.#line === '') this.#input.end()
        else this.#input.receive(this.#line)
        this.#line = ''
        return
      case '\b':
      case '\u007f':
        if (this.#line === '') return
        this.#echo('\b \b')
        this.#line = Array.from(this.#line).slice(0, -1).join('')
        return
      default:
        this.#echo(character)
        this.#line += character
    }
  }
}

/** As a terminal prints it. */
export function terminalText(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n')
}
