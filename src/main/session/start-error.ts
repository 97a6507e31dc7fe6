/**
 * Why a session cannot start: one sentence, and the exit code of the program. 2: an option is wrong, or a file or server that it
 * names cannot be used. 1: any other failure.
 */
export interface StartError {
  readonly exitCode: number
  readonly message: string
}
