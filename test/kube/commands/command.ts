/** Something that kubectl says otherwise of the sandbox than of a real server, on purpose. */
export interface TextDifference {
  /** Which lines differ; they are taken out of both outputs, and must differ still. */
  readonly lines: RegExp
  readonly why: string
}

/** One kubectl command with its expected result on both servers. */
export interface Command {
  readonly kind: 'command'
  /** As one types it after `kubectl`: words, single quotes around blanks; `<ns>` is the namespace. */
  readonly line: string
  readonly stdin?: string
  /** The editor of `kubectl edit`. */
  readonly editor?: string
  readonly code: number
  /** What it prints at least, so that two servers that both print nonsense do not pass. */
  readonly prints?: RegExp
  readonly differs?: readonly TextDifference[]
}

/** Starts a command that is looked at later by its name. */
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

/** Compares what a started command did by its end; `isInterrupted`: it would never end by itself, and is stopped. */
export interface End {
  readonly kind: 'end'
  readonly name: string
  readonly isInterrupted: boolean
}

/** A request that others than kubectl would make: a kubelet, a controller. */
export interface Write {
  readonly kind: 'write'
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body: unknown
  readonly type: string
}

/** What a kubelet does once a pod that is being deleted has ended. */
export interface FinishDeletion {
  readonly kind: 'finish-deletion'
  readonly pod: string
}

export type CommandStep = Command | Start | Printed | End | Write | FinishDeletion

/** Commands one after the other, in a namespace of their own that is kubectl's default. */
export interface CommandScenario {
  readonly title: string
  readonly steps: readonly CommandStep[]
}

type CommandOptions = Partial<Omit<Command, 'kind' | 'line'>>

/** A command that ends well unless the options name another code. */
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

export function finishDeletion(pod: string): FinishDeletion {
  return { kind: 'finish-deletion', pod }
}
