/** Runs pulls, now or in their turn (kubelet images/puller.go; seed: ImagePuller). */
export type ImagePuller = <T>(pull: () => Promise<T>) => Promise<T>

/** One pull after the other, in the order of the requests. */
export function serialImagePuller(): ImagePuller {
  let last: Promise<unknown> = Promise.resolve()
  return (pull) => {
    const turn = last.then(pull)
    // A pull that throws breaks its own caller only.
    last = turn.catch(() => undefined)
    return turn
  }
}

/** At most `most` pulls at a time; undefined: no limit. */
export function parallelImagePuller(most: number | undefined): ImagePuller {
  const waiting: (() => void)[] = []
  let free = most ?? Number.POSITIVE_INFINITY
  return async (pull) => {
    if (free > 0) free--
    else
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
    try {
      return await pull()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
