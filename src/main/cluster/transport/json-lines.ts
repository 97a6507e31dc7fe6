/** A line that is too long, not JSON, or incomplete. */
export class JsonLineError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'JsonLineError'
  }
}

// etcd's limit for an object is 1.5 MB.
const maxLineBytes = 32 * 1024 * 1024
const newline = 0x0a

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch (cause) {
    throw new JsonLineError('a line of the watch is not JSON', { cause })
  }
}

/**
 * The values of newline-separated JSON. Reads a chunk only after the lines before it were consumed, which slows the sender
 * down, and buffers at most one incomplete line. Lines are decoded whole, so a character may be split between chunks.
 */
export async function* jsonLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<unknown> {
  let unfinished: Buffer[] = []
  let unfinishedBytes = 0
  for await (const chunk of chunks) {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(newline, start)
      if (end === -1) break
      const tail = chunk.subarray(start, end)
      const line = unfinished.length === 0 ? tail : Buffer.concat([...unfinished, tail])
      unfinished = []
      unfinishedBytes = 0
      start = end + 1
      if (line.length > 0) yield parse(line)
    }
    if (start < chunk.length) {
      unfinished.push(chunk.subarray(start))
      unfinishedBytes += chunk.length - start
      if (unfinishedBytes > maxLineBytes) throw new JsonLineError('a line of the watch is too long')
    }
  }
  if (unfinishedBytes > 0) throw new JsonLineError('the watch ended in the middle of a line')
}
