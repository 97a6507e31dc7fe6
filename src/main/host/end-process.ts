/** What ending a process needs of it. */
export interface EndingProcess {
  /** Node's own way out, or Electron's. It joins the threads of Node's pool, so it waits for what they do. */
  readonly exit: (exitCode: number) => void
  /** Names of what keeps the process alive: Node's `process.getActiveResourcesInfo`. */
  readonly resources: () => readonly string[]
  /** Runs the listeners of `exit`, which `kill` does not. */
  readonly leave: (exitCode: number) => void
  readonly kill: () => void
}

/** A call of the file system, a look-up of a name, cryptography: what Node gives to its pool of threads. */
const poolRequest = /^(FSReq|FileHandleCloseReq|GetAddrInfo|GetNameInfo)|Job$/

/** Real ms that calls under way have to end by themselves. */
const graceMs = 2000
const lookEveryMs = 10

const thisProcess: EndingProcess = {
  exit: (exitCode) => process.exit(exitCode),
  resources: () => process.getActiveResourcesInfo(),
  leave: (exitCode) => {
    process.emit('exit', exitCode)
  },
  kill: () => process.kill(process.pid, 'SIGKILL'),
}

/**
 * Ends this process, whatever its thread pool does: a call that the operating system never answers (a network disk that is
 * away) would keep Node's own exit waiting for ever. Then SIGKILL ends it, and its exit code is lost.
 */
export async function endProcess(
  exitCode: number,
  given: Partial<EndingProcess> = {},
): Promise<void> {
  const { exit, resources, leave, kill } = { ...thisProcess, ...given }
  const isPoolBusy = (): boolean => resources().some((name) => poolRequest.test(name))
  for (let waitedMs = 0; isPoolBusy() && waitedMs < graceMs; waitedMs += lookEveryMs)
    await new Promise((resolve) => {
      setTimeout(resolve, lookEveryMs)
    })
  if (!isPoolBusy()) return exit(exitCode)
  leave(exitCode)
  kill()
}
