/** What a container said at its end (pkg/kubelet/kuberuntime/kuberuntime_container.go). */
import { utf8Text } from '../../../shared/base64.ts'
import type { ContainerLogLine } from '../host/container-log-reader.ts'
import type { ContainerHost, RuntimeContainerStatus } from '../ports.ts'
import { utf8Bytes } from './container-hash.ts'
import { messagePathAnnotation, messagePolicyAnnotation } from './container-labels.ts'

/** pkg/kubelet/container: MaxContainerTerminationMessageLength, …LogLines and …LogLength. */
const longest = { fileBytes: 4096, logLines: 80, logBytes: 2048 } as const
/** A line of a log is at most this long: containerd cuts it into parts. */
const logLineBytes = 16_384 + 64

/** The status of an ended container with its termination message after the runtime's own (convertToKubeContainerStatus). */
export async function withTerminationMessage(
  status: RuntimeContainerStatus,
  host: ContainerHost | undefined,
): Promise<RuntimeContainerStatus> {
  if (status.state !== 'exited' || host === undefined) return status
  const message = await terminationMessage(status, host)
  if (message === '') return status
  return { ...status, message: status.message === '' ? message : `${status.message}: ${message}` }
}

/** getTerminationMessage. Errors are part of the message. */
async function terminationMessage(
  { annotations, mounts = [], exitCode, reason, ...status }: RuntimeContainerStatus,
  host: ContainerHost,
): Promise<string> {
  const path = annotations[messagePathAnnotation] ?? ''
  const fallsBack =
    annotations[messagePolicyAnnotation] === 'FallbackToLogsOnError' &&
    exitCode !== 0 &&
    reason !== 'ContainerCannotRun'
  const absolute = path.startsWith('/') ? path : `/${path}`
  const mount = path === '' ? undefined : mounts.find((one) => one.containerPath === absolute)
  if (mount !== undefined) {
    const read = await host.files.readEnd(mount.hostPath, longest.fileBytes)
    if (read.ok && read.value !== '') return read.value
    if (!read.ok && read.error.kind !== 'not-found')
      return `Error on reading termination log ${mount.hostPath}: ${read.error.message}`
  }
  return fallsBack ? lastLogText(status, host) : ''
}

/** readLastStringFromContainerLogs. */
async function lastLogText(
  { id, logPath = '' }: Pick<RuntimeContainerStatus, 'id' | 'logPath'>,
  { files, lastLogLines }: ContainerHost,
): Promise<string> {
  const kept = await lastLogLines?.(id, longest.logLines)
  if (kept !== undefined) return endOf(kept.map(textOf).join(''))
  const read = await files.readEnd(logPath, longest.logLines * logLineBytes)
  if (!read.ok) return `Error on reading termination message from logs: ${read.error.message}`
  const lines = read.value.split('\n').slice(0, -1).slice(-longest.logLines)
  return endOf(lines.map(parsed).join(''))
}

function textOf({ text, isWhole }: ContainerLogLine): string {
  return isWhole ? `${text}\n` : text
}

/** A line of CRI's format: its time, stream, tag and text. */
function parsed(line: string): string {
  const [, tag = '', text = ''] = /^\S+ \S+ (\S+) (.*)$/.exec(line) ?? []
  return tag.startsWith('P') ? text : `${text}\n`
}

function endOf(text: string): string {
  return utf8Text(Uint8Array.from(utf8Bytes(text).slice(-longest.logBytes)))
}
