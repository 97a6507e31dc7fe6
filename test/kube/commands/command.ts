/** An intended difference of kubectl's output between the sandbox and a real server. */
export interface TextDifference {
  /** The differing lines; they are removed from both outputs, and must still differ. */
  readonly lines: RegExp
  readonly why: string
}

/** One kubectl command with its expected result on both servers. */
export interface Command {
  readonly kind: 'command'
  /** The words after `kubectl`, with single quotes around spaces; `<ns>` is the namespace, `<local>` a folder. */
  readonly line: string
  readonly stdin?: string
  /** The editor of `kubectl edit`. */
  readonly editor?: string
  readonly code: number
  /** Required output, so that two servers with the same wrong output do not pass. */
  readonly prints?: RegExp
  readonly differs?: readonly TextDifference[]
  /** Lines that are printed or not by how long the server takes, such as those about each step of a rollout; not compared. */
  readonly dependsOnTime?: RegExp
  /** The lines come in any order: they are about objects with generated names, or about one moment. */
  readonly isUnordered?: boolean
  /** The first minor version of kubectl with it: 32. Older ones leave the command out. */
  readonly since?: number
}

/** Starts a command that later steps refer to by name. */
export interface Start {
  readonly kind: 'start'
  readonly name: string
  readonly command: Command
}

/** Waits until a started command has printed this. */
export interface Printed {
  readonly kind: 'printed'
  readonly name: string
  readonly pattern: RegExp
}

/** Compares the result of a started command; `isInterrupted`: it is stopped, because it would not exit. */
export interface End {
  readonly kind: 'end'
  readonly name: string
  readonly isInterrupted: boolean
}

/** A request of a kubelet or a controller. */
export interface Write {
  readonly kind: 'write'
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body: unknown
  readonly type: string
}

/** A kubelet's last request for a terminated pod that is being deleted. */
export interface FinishDeletion {
  readonly kind: 'finish-deletion'
  readonly pod: string
}

/** Waits until the controllers and the scheduler have nothing more to do in the namespace. */
export interface AtRest {
  readonly kind: 'at-rest'
}

/** Sends an HTTP request to the port that a started `port-forward` has opened on this machine. */
export interface Requested {
  readonly kind: 'requested'
  readonly name: string
  /** What comes back, up to the end of the connection. */
  readonly prints: RegExp
}

/** Runs a command and keeps what it prints: later commands have it for `<name>`. */
export interface Kept {
  readonly kind: 'kept'
  readonly name: string
  readonly line: string
}

/** Makes a file below `<local>`, the folder of the scenario on this machine. */
export interface LocalFile {
  readonly kind: 'local-file'
  readonly path: string
  readonly content: string | Uint8Array
}

/** Fails unless two files or folders below `<local>` are the same, byte for byte. */
export interface SameFiles {
  readonly kind: 'same-files'
  readonly paths: readonly [string, string]
}

export type CommandStep =
  | Command
  | Start
  | Printed
  | End
  | Write
  | FinishDeletion
  | AtRest
  | Requested
  | Kept
  | LocalFile
  | SameFiles

/** A sequence of commands in its own namespace, which is kubectl's default. */
export interface CommandScenario {
  readonly title: string
  /** Why this cannot run on a real server. */
  readonly onlySandbox?: string
  /** The first minor version of kubectl that can take it: 32. */
  readonly since?: number
  readonly steps: readonly CommandStep[]
}

type CommandOptions = Partial<Omit<Command, 'kind' | 'line'>>

/** A command that exits 0 unless the options have another code. */
export function kubectl(line: string, options: CommandOptions = {}): Command {
  return { kind: 'command', line, code: 0, ...options }
}

/** A command that is refused. */
export function refused(line: string, prints: RegExp, options: CommandOptions = {}): Command {
  return { kind: 'command', line, code: 1, prints, ...options }
}

export function start(name: string, command: Command): Start {
  return { kind: 'start', name, command }
}

export function printed(name: string, pattern: RegExp): Printed {
  return { kind: 'printed', name, pattern }
}

export function ended(name: string): End {
  return { kind: 'end', name, isInterrupted: false }
}

export function interrupted(name: string): End {
  return { kind: 'end', name, isInterrupted: true }
}

export function created(path: string, body: unknown): Write {
  return { kind: 'write', method: 'POST', path, body, type: 'application/json' }
}

export function statusOf(path: string, status: unknown): Write {
  const type = 'application/strategic-merge-patch+json'
  return { kind: 'write', method: 'PATCH', path: `${path}/status`, body: { status }, type }
}

export const atRest: AtRest = { kind: 'at-rest' }

export function requested(name: string, prints: RegExp): Requested {
  return { kind: 'requested', name, prints }
}

export function kept(name: string, line: string): Kept {
  return { kind: 'kept', name, line }
}

export function localFile(path: string, content: string | Uint8Array): LocalFile {
  return { kind: 'local-file', path, content }
}

export function sameFiles(...paths: SameFiles['paths']): SameFiles {
  return { kind: 'same-files', paths }
}

export function finishDeletion(pod: string): FinishDeletion {
  return { kind: 'finish-deletion', pod }
}
