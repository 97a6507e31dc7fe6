import { afterEach, describe, expect, it, vi } from 'vitest'
import { printExit, printFact, printLine } from './terminal.ts'

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
