import { describe, expect, it } from 'vitest'
import { jsonLines } from './json-lines.ts'

async function* chunked(...chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(chunk)
}

async function all(chunks: AsyncIterable<Buffer>): Promise<unknown[]> {
  const values: unknown[] = []
  for await (const value of jsonLines(chunks)) values.push(value)
  return values
}

describe('jsonLines', () => {
  it('gives the same values for any chunks, even within a character', async () => {
    const values = [{ name: 'grüße 🚀 東京' }, { n: 1 }, 'ä']
    const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
    for (let size = 1; size <= bytes.length; size++) {
      const chunks: Buffer[] = []
      for (let start = 0; start < bytes.length; start += size) {
        chunks.push(bytes.subarray(start, start + size))
      }
      expect(await all(chunked(...chunks))).toEqual(values)
    }
  })

  it('skips empty lines', async () => {
    expect(await all(chunked(Buffer.from('1\n\n\n2\n')))).toEqual([1, 2])
  })

  it('yields the complete lines before it fails on an invalid or incomplete one', async () => {
    const seen: unknown[] = []
    const read = async (text: string): Promise<void> => {
      for await (const value of jsonLines(chunked(Buffer.from(text)))) seen.push(value)
    }
    await expect(read('1\n{"a":\n')).rejects.toThrow('a line of the watch is not JSON')
    await expect(read('2\n{"a":')).rejects.toThrow('the watch ended in the middle of a line')
    expect(seen).toEqual([1, 2])
  })

  it('fails on a line that is too long', async () => {
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) yield await Promise.resolve(Buffer.alloc(1024 * 1024, 0x20))
    }
    await expect(all(endless())).rejects.toThrow('too long')
  })

  it('reads the next chunk only after the lines before it were consumed', async () => {
    let taken = 0
    async function* counted(): AsyncGenerator<Buffer> {
      for (;;) {
        taken++
        yield await Promise.resolve(Buffer.from('1\n2\n3\n'))
      }
    }
    const values = jsonLines(counted())
    await values.next()
    await values.next()
    await values.next()
    expect(taken).toBe(1)
    await values.next()
    expect(taken).toBe(2)
  })
})
