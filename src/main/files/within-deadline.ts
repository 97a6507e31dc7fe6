import { FileReadError } from './file-error.ts'

export const usualDeadlineMs = 5_000

/** With so many calls unanswered, no further call is made: Node has four threads for all of them. */
const maxUnanswered = 2

/** What the operating system was asked about these paths, and has not answered in time (a network disk that is away). */
const unanswered = new Set<string>()

function noAnswer(message: string): FileReadError {
  return new FileReadError('NO_ANSWER', message)
}

/**
 * A call of the file system that is given up after so many real ms. The call itself cannot be ended and keeps its thread, so
 * no other is made for the same path until it has ended, and none at all while two are like that. Rejects with a `FileReadError`.
 */
export async function withinDeadline<T>(
  path: string,
  call: () => Promise<T>,
  deadlineMs = usualDeadlineMs,
): Promise<T> {
  if (unanswered.has(path)) throw noAnswer('the file system has not answered yet')
  if (unanswered.size >= maxUnanswered)
    throw noAnswer('the file system has not answered for other files yet')
  let timer: NodeJS.Timeout | undefined
  const called = call()
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      unanswered.add(path)
      const forget = (): void => {
        unanswered.delete(path)
      }
      called.then(forget, forget)
      reject(noAnswer(`the file system did not respond within ${deadlineMs / 1000} s`))
    }, deadlineMs)
  })
  try {
    return await Promise.race([called, deadline])
  } finally {
    clearTimeout(timer)
  }
}
