import type { ActError, Bridge } from '../../shared/ipc/contract.ts'
import type { LogFacts } from '../../shared/model/kubelet-log.ts'
import type { Result } from '../../shared/result.ts'
import { err } from '../../shared/result.ts'
import { text } from '../text/text.ts'

/** As a browser's File has it. `lastModified`: ms. */
export interface LogFileToSend {
  readonly name: string
  readonly lastModified: number
  readonly size: number
  readonly slice: (from: number, to: number) => { readonly arrayBuffer: () => Promise<ArrayBuffer> }
}

/** `maxLogPiece` in base64. */
const pieceBytes = 1_000_000
const charactersAtOnce = 32_768

function base64Of(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += charactersAtOnce)
    binary += String.fromCharCode(...bytes.subarray(at, at + charactersAtOnce))
  return btoa(binary)
}

/** Sends files as the parts of one log, the one that was written first first. `onPiece` has what main has read of it so far. */
export async function sendLog(
  bridge: Bridge,
  files: readonly LogFileToSend[],
  onPiece: (log: LogFacts) => void,
): Promise<Result<LogFacts, ActError>> {
  const ordered = files.toSorted((one, other) => one.lastModified - other.lastModified)
  let answer: Result<LogFacts, ActError> = err({ kind: 'failed', message: text.log.emptyFile })
  let id: string | null = null
  for (const [index, file] of ordered.entries()) {
    const isLastFile = index === ordered.length - 1
    for (let at = 0; at < Math.max(1, file.size); at += pieceBytes) {
      const bytes = new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer())
      const isEnd = at + pieceBytes >= file.size
      answer = await bridge.request('log.upload', {
        id,
        name: file.name.slice(-200),
        writtenAt: file.lastModified,
        data: base64Of(bytes),
        ends: !isEnd ? 'nothing' : isLastFile ? 'log' : 'part',
      })
      if (!answer.ok) return answer
      id = answer.value.id
      onPiece(answer.value)
    }
  }
  return answer
}
