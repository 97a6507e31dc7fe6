import { afterEach, describe, expect, it, vi } from 'vitest'
import { PassThrough } from 'node:stream'
import { printExit, printFact, printLine, terminalQuestion } from './terminal.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

function written(stream: 'stdout' | 'stderr'): () => string {
  const write = vi.spyOn(process[stream], 'write').mockReturnValue(true)
  return () => write.mock.calls.map(([text]) => String(text)).join('')
}

describe('what goes to a terminal', () => {
  it('is one line for each fact and notice, even with control characters from a server', () => {
    const shown = written('stdout')
    printLine('server https://s (Kubernetes v1.34.4\u001b[1A\u001b[2K)\nuser admin (groups none)')
    printFact({ name: 'server', value: 'https://s\nnode forged' })
    expect(shown()).toBe(
      'server https://s (Kubernetes v1.34.4�[1A�[2K)�user admin (groups none)\nserver https://s�node forged\n',
    )
  })

  it('is one line for the reason of a failed start, and all lines of the help', () => {
    const complained = written('stderr')
    const helped = written('stdout')
    printExit({ exitCode: 2, message: 'https://s refuses\nthe credentials\u0007.' })
    printExit({ exitCode: 0, message: 'one\n  two' })
    expect(complained()).toBe('https://s refuses�the credentials�.\n')
    expect(helped()).toBe('one\n  two\n')
  })
})

function terminal(isTTY = true) {
  const stream = new PassThrough()
  return Object.assign(stream, { isTTY }) as unknown as PassThrough &
    NodeJS.ReadStream &
    NodeJS.WriteStream
}

describe('a question at the terminal', () => {
  it.each([
    ['y\n', true],
    ['YES\n', true],
    ['\n', false],
    ['yesterday\n', false],
  ])('is answered with %j: %s', async (typed, expected) => {
    const [input, output] = [terminal(), terminal()]
    const answer = terminalQuestion(input, output)?.('Run it\u001b[2K?')
    input.write(typed)
    expect(await answer).toBe(expected)
    expect(String(output.read())).toBe('Run it�[2K? [y/N] ')
  })

  it('is answered with no when the terminal closes', async () => {
    const input = terminal()
    const answer = terminalQuestion(input, terminal())?.('Run it?')
    input.end()
    expect(await answer).toBe(false)
  })

  it('is not asked in a pipe', () => {
    expect(terminalQuestion(terminal(false), terminal())).toBeUndefined()
    expect(terminalQuestion(terminal(), terminal(false))).toBeUndefined()
  })
})
