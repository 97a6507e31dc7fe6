import { statSync } from 'node:fs'
import { connect } from 'node:net'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { statusMessage } from '../../../shared/go/text.ts'
import type { RuntimeError } from '../../kubelet/ports.ts'
import { pathFailure } from '../socket-path.ts'
import { CriClient } from './cri-client.ts'
import { CriConnection } from './cri-connection.ts'

/** A runtime that works answers at once. */
const checkTimeoutMs = 10_000

/** Before the runtime has told it. */
const unasked = { version: '0.1.0', runtimeName: '', runtimeVersion: '', runtimeApiVersion: '' }

/**
 * A client of the container runtime at a Unix socket, after the kubelet's own checks: it serves CRI v1, the runtime's part and
 * the images' part. The error is one sentence that says what to do.
 */
export async function connectRuntime(socketPath: string): Promise<Result<CriClient, string>> {
  const unreachable = pathFailure(socketPath) ?? (await socketFailure(socketPath))
  if (unreachable !== undefined) return err(unreachable)
  const connection = new CriConnection(socketPath)
  const check = new CriClient({ connection, version: unasked, timeoutMs: checkTimeoutMs })
  const refuse = (sentence: string): Result<CriClient, string> => {
    connection.close()
    return err(sentence)
  }
  const version = await check.getVersion()
  if (!version.ok) return refuse(checkFailure(socketPath, version.error))
  const images = await check.imageFsInfo()
  if (!images.ok) return refuse(lostRuntime(socketPath, images.error))
  return ok(new CriClient({ connection, version: version.value }))
}

/** Why a runtime that has answered before cannot be used. */
export function lostRuntime(path: string, error: RuntimeError): string {
  if (error.kind !== 'unavailable') return checkFailure(path, error)
  return `The container runtime at ${path} ended while it was asked: start it again.`
}

/** Why nothing can be asked at the socket; undefined when a program serves it. */
function socketFailure(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    try {
      const file = statSync(path)
      if (!file.isSocket()) {
        resolve(`${path} is not a socket: name the container runtime's socket.`)
        return
      }
    } catch (error) {
      resolve(sentenceOf(path, codeOf(error)))
      return
    }
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(undefined)
    })
    socket.once('error', (error) => {
      resolve(sentenceOf(path, codeOf(error)))
    })
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

function sentenceOf(path: string, code: string): string {
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return `There is no socket ${path}: start the container runtime, or correct the path.`
  if (code === 'ECONNREFUSED')
    return `No program serves the socket ${path}: start the container runtime.`
  if (code === 'EACCES' || code === 'EPERM')
    return `This user may not use the socket ${path}: run Nodescope as a user who may.`
  return `The socket ${path} cannot be used: ${code}.`
}

function checkFailure(path: string, { kind, message }: RuntimeError): string {
  const why = statusMessage(message)
  if (kind === 'unimplemented')
    return `The program at ${path} does not serve CRI v1 (${why}): containerd needs version 1.6 or newer, with its CRI plugin enabled.`
  if (kind === 'deadline-exceeded')
    return `The program at ${path} did not answer within ${checkTimeoutMs / 1000} s: is it a container runtime?`
  return `The program at ${path} does not answer as a container runtime: ${why}.`
}
