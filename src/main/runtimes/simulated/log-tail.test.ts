import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { LogTail } from './log-tail.ts'

const mebibyte = 1024 * 1024

/** What is in use after everything that can go has gone, in bytes. */
function usedBytes(): number {
  setFlagsFromString('--expose_gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}

/** The log of a container that printed this at once. */
function tailOf(text: string): LogTail {
  const tail = new LogTail()
  tail.write('stdout', text, 1)
  return tail
}

describe('a line of 10 MB', () => {
  it('is kept as its last parts, as containerd cuts it', async () => {
    const tail = tailOf(`${'x'.repeat(10 * mebibyte)}the end\n`)
    const lines = await tail.cursor(2, () => undefined).read()
    expect(lines).toMatchObject([
      { isWhole: false, text: 'x'.repeat(16_384) },
      { isWhole: true, text: 'the end' },
    ])
  })

  it.each([
    ['with a newline', `${'ab'.repeat(5 * mebibyte)}\n`],
    ['without one', 'ab'.repeat(5 * mebibyte)],
    ['as many lines', `${'a line of a file '.repeat(20)}\n`.repeat(30_000)],
  ])('does not stay in memory, %s', (_, text) => {
    const tails: LogTail[] = []
    const write = (): void => {
      for (let count = 0; count < 8; count++) tails.push(tailOf(`${tails.length}${text}`))
    }
    // The text itself, flat, and the last one written may stay: they count before as well.
    write()
    const before = usedBytes()
    write()
    expect(usedBytes() - before).toBeLessThan(20 * mebibyte)
    expect(tails).toHaveLength(16)
  })

  it('wakes the one who follows, and ends with the container', async () => {
    const tail = new LogTail()
    const cursor = tail.cursor(Infinity, () => undefined)
    const more = cursor.more()
    tail.write('stdout', `${'x'.repeat(10 * mebibyte)}\n`, 1)
    expect(await more).toBe(true)
    const kept = (await cursor.read()).reduce((total, { text }) => total + text.length, 0)
    expect(kept).toBeGreaterThan(0)
    expect(kept).toBeLessThanOrEqual(65_536)
    const last = cursor.more()
    tail.close(2)
    expect(await last).toBe(false)
  })
})
