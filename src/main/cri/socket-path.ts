import { statSync, unlinkSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname } from 'node:path'

/** What the address of a Unix socket holds, with a zero byte at its end in addition. */
const maxPathBytes = process.platform === 'linux' ? 107 : 103

function fileAt(path: string): ReturnType<typeof statSync> | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const finish = (isOpen: boolean) => () => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', finish(true))
    socket.once('error', finish(false))
  })
}

/** Why no socket can have this path, in one sentence; undefined when one can. A longer path would be cut off without an error. */
export function pathFailure(path: string): string | undefined {
  if (Buffer.byteLength(path) <= maxPathBytes) return undefined
  return `The socket path ${path} is too long: a Unix socket's path has ${maxPathBytes} bytes at most.`
}

/** Why no socket can be made there, in one sentence; undefined when one can. Removes a socket that no program serves any more. */
export async function prepareSocketPath(path: string): Promise<string | undefined> {
  const failure = pathFailure(path)
  if (failure !== undefined) return failure
  try {
    const folder = dirname(path)
    if (fileAt(folder)?.isDirectory() !== true)
      return `The folder ${folder} of the socket does not exist: create it first.`
    const file = fileAt(path)
    if (file === undefined) return await bindFailure(path)
    if (!file.isSocket()) return `${path} is not a socket: remove it, or choose another path.`
    if (await isServed(path))
      return `Another program serves ${path}: stop it, or choose another path.`
    unlinkSync(path)
    return await bindFailure(path)
  } catch (error) {
    return sentenceOf(path, error)
  }
}

/** Makes the socket for a moment: gRPC would not say why it cannot. */
function bindFailure(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => {
      resolve(sentenceOf(path, error))
    })
    server.listen(path, () => {
      server.close(() => {
        resolve(undefined)
      })
    })
  })
}

function sentenceOf(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  if (code === 'EACCES' || code === 'EPERM')
    return `This user may not make or remove the socket ${path}: choose a path in a folder of this user.`
  return `The socket ${path} cannot be used: ${code}.`
}
