import { createServer } from 'node:net'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'

/** A range of addresses of this machine, which no other CRI server here has until it is released. */
export interface PodRange {
  readonly podCidr: string
  readonly release: () => void
}

/** The second number of the first and last range: 127.64.0.0/16 to 127.191.0.0/16. */
const first = 64
const last = 191

/** An abstract socket belongs to a network namespace, like the addresses, and ends with its process. */
function claim(name: string): Promise<(() => void) | undefined> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve) => {
    server.once('error', () => {
      resolve(undefined)
    })
    server.listen({ path: `\0${name}` }, () => {
      server.unref()
      resolve(() => {
        server.close()
      })
    })
  })
}

/** Claims the first free range of 127.0.0.0/8. Only Linux has all of these addresses: elsewhere undefined. */
export async function claimPodRange(): Promise<Result<PodRange | undefined, string>> {
  if (process.platform !== 'linux') return ok(undefined)
  for (let second = first; second <= last; second++) {
    const podCidr = `127.${second}.0.0/16`
    const release = await claim(`nodescope-pods-${podCidr}`)
    if (release !== undefined) return ok({ podCidr, release })
  }
  return err(
    `All ${last - first + 1} ranges of pod addresses on this machine are in use by other runtimes of Nodescope: stop one of them.`,
  )
}
