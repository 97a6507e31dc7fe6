import { formatDuration } from '../../../shared/go/duration.ts'
import { goQuote } from '../../../shared/go/text.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { RuntimeError, RuntimeService } from '../ports.ts'

const grpcCodes: Readonly<Record<RuntimeError['kind'], string>> = {
  'not-found': 'NotFound',
  'invalid-argument': 'InvalidArgument',
  unimplemented: 'Unimplemented',
  'deadline-exceeded': 'DeadlineExceeded',
  unavailable: 'Unavailable',
  failed: 'Unknown',
}

/** The runtime's error as a client of CRI prints it. */
function rpcError({ kind, message }: RuntimeError): string {
  const isWhole = message.startsWith('rpc error: code = ')
  return isWhole ? message : `rpc error: code = ${grpcCodes[kind]} desc = ${message}`
}

/** What came of a command: its output, and why it failed. */
export interface CommandResult {
  readonly output: string
  readonly failure?: {
    readonly kind: 'exit' | 'timeout' | 'error'
    /** As the CRI client's error says it (cri-client remote_runtime.go execSyncV1). */
    readonly message: string
  }
}

/** Runs a command in a container; standard error follows standard output (kuberuntime RunInContainer). */
export async function runInContainer(
  runtimeService: Pick<RuntimeService, 'execSync'>,
  containerId: string,
  command: readonly string[],
  timeoutSeconds: number,
  causes: TraceCauses,
): Promise<CommandResult> {
  const result = await runtimeService.execSync(containerId, command, timeoutSeconds, causes)
  const text = command.join(' ')
  if (!result.ok) {
    const { kind } = result.error
    const timeout = formatDuration(timeoutSeconds * 1000)
    return kind === 'deadline-exceeded'
      ? {
          output: '',
          failure: {
            kind: 'timeout',
            message: `command timed out: ${goQuote(text)} timed out after ${timeout}`,
          },
        }
      : { output: '', failure: { kind: 'error', message: rpcError(result.error) } }
  }
  const { exitCode, stdout, stderr } = result.value
  const output = stdout + stderr
  if (exitCode === 0) return { output }
  const message = `command '${text}' exited with ${exitCode}: ${stderr}`
  return { output, failure: { kind: 'exit', message } }
}
