/** The parts of a process that `endProcess` uses. */
export interface ProcessControl {
  /** `process.exit` or Electron's `app.exit`. It joins the threads of Node's pool, so it waits for their work. */
  readonly exit: (exitCode: number) => void
  /** `process.getActiveResourcesInfo`: what keeps the process alive. */
  readonly resources: () => readonly string[]
  /** Runs the `exit` listeners, which `kill` does not. */
  readonly emitExit: (exitCode: number) => void
  readonly kill: () => void
}

/** Work of Node's thread pool: the file system, name resolution, cryptography. */
const poolRequest = /^(FSReq|FileHandleCloseReq|GetAddrInfo|GetNameInfo)|Job$/

/** Real ms to wait for calls in flight. */
const graceMs = 2000
const checkEveryMs = 10

const thisProcess: ProcessControl = {
  exit: (exitCode) => process.exit(exitCode),
  resources: () => process.getActiveResourcesInfo(),
  emitExit: (exitCode) => {
    process.emit('exit', exitCode)
  },
  kill: () => process.kill(process.pid, 'SIGKILL'),
}

/**
 * Ends this process even if its thread pool is blocked: a file system call that never returns (an unreachable network disk)
 * would block Node's exit forever. Then SIGKILL ends the process, and its exit code is lost.
 */
export async function endProcess(
  exitCode: number,
  given: Partial<ProcessControl> = {},
): Promise<void> {
  const { exit, resources, emitExit, kill } = { ...thisProcess, ...given }
  const isPoolBusy = (): boolean => resources().some((name) => poolRequest.test(name))
  for (let waitedMs = 0; isPoolBusy() && waitedMs < graceMs; waitedMs += checkEveryMs)
    await new Promise((resolve) => {
      setTimeout(resolve, checkEveryMs)
    })
  if (!isPoolBusy()) return exit(exitCode)
  emitExit(exitCode)
  kill()
}
