import { createServer } from 'node:net'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Log } from '../../kubelet/ports.ts'

/** A range of addresses of this machine, which no other CRI server here has until it is released. */
export interface PodRange {
  readonly podCidr: string
  readonly release: () => void
}

/** The second number of the first and last range: 127.64.0.0/16 to 127.191.0.0/16. */
const allRanges = { first: 64, last: 191 }

/** An abstract socket belongs to a network namespace, like the addresses, and ends with its process. */
function claim(name: string): Promise<Result<() => void, NodeJS.ErrnoException>> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve) => {
    server.once('error', (error) => {
      resolve(err(error))
    })
    server.listen({ path: `\0${name}` }, () => {
      server.unref()
      resolve(
        ok(() => {
          server.close()
        }),
      )
    })
  })
}

/**
 * Claims the first free range of 127.0.0.0/8. Undefined where a range cannot be claimed: only Linux has all of these
 * addresses. The error is one sentence.
 */
export async function claimPodRange(
  log: Log,
  { first, last } = allRanges,
): Promise<Result<PodRange | undefined, string>> {
  if (process.platform !== 'linux') return ok(undefined)
  for (let second = first; second <= last; second++) {
    const podCidr = `127.${second}.0.0/16`
    const claimed = await claim(`nodescope-pods-${podCidr}`)
    if (claimed.ok) return ok({ podCidr, release: claimed.value })
    if (claimed.error.code !== 'EADDRINUSE') {
      log.warn('pods have no addresses of this machine: probes do not reach them', {
        why: claimed.error.message,
      })
      return ok(undefined)
    }
  }
  return err(
    `All ${last - first + 1} ranges of pod addresses on this machine are in use by other runtimes of Nodescope: stop one of them.`,
  )
}
